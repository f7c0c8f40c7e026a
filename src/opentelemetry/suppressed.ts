import type { ContextManagerLike, SpanLike } from "./api.ts";

// `createContextKey` of the API calls `Symbol.for`, so that every copy of it has the same keys.
const SPAN_KEY = /* @__PURE__ */ Symbol.for("OpenTelemetry Context Key SPAN");
const SUPPRESS_KEY = /* @__PURE__ */ Symbol.for("OpenTelemetry SDK Context Key SUPPRESS_TRACING");

/** Returns the context manager that the application registered, in the same way as version 1 of the API. */
const registeredManager = (): ContextManagerLike | undefined => {
  const globals = globalThis as unknown as Record<
    symbol,
    { readonly context?: ContextManagerLike } | undefined
  >;
  return globals[Symbol.for("opentelemetry.js.api.1")]?.context;
};

/** Runs an attempt with its span active, and keeps other instrumentation from creating spans and adding headers. */
export const runSuppressed = (
  given: ContextManagerLike | undefined,
  span: SpanLike,
  attempt: () => Promise<Response>,
): Promise<Response> => {
  const manager = given ?? registeredManager();
  if (!manager) return attempt();
  const context = manager.active().setValue(SPAN_KEY, span).setValue(SUPPRESS_KEY, true);
  return manager.with(context, attempt) as Promise<Response>;
};
