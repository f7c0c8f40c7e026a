import type { ContextManagerLike, SpanLike } from "./api.ts";
import { ignoreErrors } from "./ignore-errors.ts";

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

/**
 * Runs an attempt with its span active, and keeps other instrumentation from creating spans and adding headers. Whatever the
 * context manager does, the attempt runs exactly once.
 *
 * @param attempt Makes the attempt. It never throws synchronously.
 */
export const runSuppressed = (
  given: ContextManagerLike | undefined,
  span: SpanLike | undefined,
  attempt: () => Promise<Response>,
): Promise<Response> => {
  let running: Promise<Response> | undefined;
  const runOnce = () => {
    running ??= attempt();
    return running;
  };
  const manager = ignoreErrors(() => given ?? registeredManager());
  const active = ignoreErrors(() => manager?.active());
  const traced = span && ignoreErrors(() => active?.setValue(SPAN_KEY, span));
  const suppressing = ignoreErrors(() => (traced ?? active)?.setValue(SUPPRESS_KEY, true));
  if (suppressing) ignoreErrors(() => manager?.with(suppressing, runOnce));
  return runOnce();
};
