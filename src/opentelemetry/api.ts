import { ignoreErrors } from "../core/options.ts";

// The parts of `@opentelemetry/api` that `traced` uses. No public type names that package, because it is not a dependency.

/** Values of span and metric attributes. */
export type AttributeValues = Record<string, string | number>;

/** The part of a span that `traced` uses. */
export interface SpanLike {
  /** Returns the ids that make up the headers of W3C Trace Context. */
  spanContext(): {
    readonly traceId: string;
    readonly spanId: string;
    readonly traceFlags: number;
    readonly traceState?: { serialize(): string } | undefined;
  };
  /** Adds attributes. */
  setAttributes(attributes: AttributeValues): unknown;
  /** Marks the span as failed. */
  setStatus(status: { readonly code: number }): unknown;
  /** Ends the span. */
  end(): void;
}

/** The part of a `Tracer` that `traced` uses. */
export interface TracerLike {
  /** Starts a span whose parent is the active span. */
  startSpan(
    name: string,
    options: { readonly kind: number; readonly attributes: AttributeValues },
  ): SpanLike;
}

/** The part of a `Meter` that `traced` uses. */
export interface MeterLike {
  /** Creates a histogram. */
  createHistogram(
    name: string,
    options: {
      readonly description: string;
      readonly unit: string;
      readonly advice: { explicitBucketBoundaries: number[] };
    },
  ): {
    /** Records a value. */
    record(value: number, attributes: AttributeValues): void;
  };
}

interface ContextLike {
  setValue(key: symbol, value: unknown): ContextLike;
}

interface ContextManagerLike {
  active(): ContextLike;
  with(context: ContextLike, work: () => unknown): unknown;
}

// `createContextKey` of the API calls `Symbol.for`, so every copy of the API has the same keys.
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
 * Runs an attempt while its span is active, and keeps OpenTelemetry's instrumentation from creating spans or adding headers.
 * Agents that do not read the context of OpenTelemetry still do both. The attempt runs exactly once, even if the context manager
 * fails.
 *
 * @param attempt Makes the attempt. It never throws synchronously.
 */
export const runSuppressed = (
  span: SpanLike | undefined,
  attempt: () => Promise<Response>,
): Promise<Response> => {
  let running: Promise<Response> | undefined;
  const runOnce = () => {
    running ??= attempt();
    return running;
  };
  const manager = ignoreErrors(registeredManager);
  const active = ignoreErrors(() => manager?.active());
  const traced = span && ignoreErrors(() => active?.setValue(SPAN_KEY, span));
  const suppressing = ignoreErrors(() => (traced ?? active)?.setValue(SUPPRESS_KEY, true));
  if (suppressing) ignoreErrors(() => manager?.with(suppressing, runOnce));
  return runOnce();
};

type SpanContext = ReturnType<SpanLike["spanContext"]>;

/** Adds the headers of W3C Trace Context to a request. Returns the request unchanged if the span has no valid context. */
export const withTraceContext = (init: RequestInit, span: SpanLike | undefined): RequestInit => {
  const propagate = (): RequestInit | undefined => {
    const context = ignoreErrors(() => span?.spanContext());
    const { traceId, spanId, traceFlags, traceState } = context as SpanContext;
    const flags = (traceFlags & 0xff).toString(16).padStart(2, "0");
    const headers = new Headers(init.headers);
    headers.set("traceparent", `00-${traceId}-${spanId}-${flags}`);
    const state = ignoreErrors(() => traceState?.serialize());
    if (state && typeof state === "string") headers.set("tracestate", state);
    // The ids of a no-op tracer are all zeros, which a header must not contain.
    const hasContext = /^(?!0+$)[\da-f]{32}$/.test(traceId);
    return hasContext ? { ...init, headers: Object.fromEntries(headers) } : undefined;
  };
  return ignoreErrors(propagate) ?? init;
};
