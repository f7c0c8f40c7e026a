import type { ClientEvent, RequestEvent } from "../http/events/events.ts";
import { asCarrier, type Carrier, toCarrier } from "../http/runtime-fetch.ts";
import type { FetchLike } from "../http/transport.ts";
import { assertFunction, assertObject } from "../options.ts";
import type { ContextManagerLike, MeterLike, SpanLike, TracerLike } from "./api.ts";
import { attributesOf, TracedAttempt } from "./attempt.ts";
import { runSuppressed } from "./suppressed.ts";

/** Options of {@link traced}. */
export interface TracedOptions {
  /** Tracer that starts the spans. */
  readonly tracer: TracerLike;
  /** Meter that creates the histograms. Default: none, and no metrics. */
  readonly meter?: MeterLike | undefined;
  /**
   * Whether `traceparent` and `tracestate` are sent to the service; for a browser, the service's CORS headers must allow them.
   * Default: `false`.
   */
  readonly propagate?: boolean | undefined;
  /** The `context` of `@opentelemetry/api`. Default: the context manager registered for version 1 of that package. */
  readonly context?: ContextManagerLike | undefined;
  /**
   * Fetch-compatible function that makes the attempts, such as one of `fetchFrom`. Default: `globalThis.fetch`, looked
   * up at each attempt.
   */
  readonly fetch?: FetchLike | undefined;
  /** Your own listener, which also receives each event. Default: none. */
  readonly onEvent?: ((event: ClientEvent) => unknown) | undefined;
}

/** Options of one or more clients. */
export interface Traced {
  /** Fetch-compatible function that makes each attempt within its span. */
  readonly fetch: FetchLike;
  /** Listener that turns the events of a call into spans and metrics. */
  readonly onEvent: (event: ClientEvent) => unknown;
}

/** Bounds in seconds that OpenTelemetry's conventions recommend for the duration of HTTP requests. */
const DURATION_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];
/** Bounds in seconds, up to the hour of the documented limit. */
const WAIT_BUCKETS = [0.1, 0.5, 1, 3, 10, 30, 60, 300, 900, 1800, 3600];

/** Adds the headers of W3C Trace Context to a request. */
const withTraceContext = (init: RequestInit, span: SpanLike): RequestInit => {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  // The ids of a no-op tracer are all zeros, which no header may hold.
  if (/^0*$/.test(traceId)) return init;
  const headers = new Headers(init.headers);
  const flags = (traceFlags & 0xff).toString(16).padStart(2, "0");
  headers.set("traceparent", `00-${traceId}-${spanId}-${flags}`);
  const state = traceState?.serialize();
  if (state) headers.set("tracestate", state);
  return { ...init, headers };
};

/**
 * Returns `fetch` and `onEvent` options that trace and measure the attempts of a client with OpenTelemetry.
 *
 * Each attempt is one span of kind CLIENT with the attributes of the stable conventions for HTTP. Its parent is the span
 * that was active when the call was made. No span and no metric holds a phone number, a text or a key. Other
 * instrumentation of HTTP creates no span for such an attempt. The histograms are `http.client.request.duration` and
 * `messaging_service.client.throttle.wait.duration`, both in seconds.
 *
 * @throws TypeError when `tracer` is missing.
 * @example
 * const v2 = new V2Client({ ...traced({ tracer, meter }), email, apiKey });
 */
export function traced(options: TracedOptions): Traced {
  const { tracer, meter, propagate = false, context, fetch, onEvent } = options;
  assertFunction("tracer.startSpan", assertObject("tracer", tracer).startSpan);
  const duration = meter?.createHistogram("http.client.request.duration", {
    description: "Duration of HTTP client requests.",
    unit: "s",
    advice: { explicitBucketBoundaries: DURATION_BUCKETS },
  });
  const wait = meter?.createHistogram("messaging_service.client.throttle.wait.duration", {
    description: "Time that attempts waited for the throttle.",
    unit: "s",
    advice: { explicitBucketBoundaries: WAIT_BUCKETS },
  });
  /** Attempts under way by the `callId` of their calls. */
  const running = new Map<string, TracedAttempt>();
  /** Event of the attempt whose request comes next: a client calls `fetch` right after the event. */
  let next: RequestEvent | undefined;

  const end = (callId: string, failure?: string) => {
    running.get(callId)?.end(failure);
    running.delete(callId);
  };

  const listen = (event: ClientEvent): void => {
    const { callId, endpoint } = event;
    if (event.type === "request") next = event;
    else if (event.type === "response") end(callId);
    else if (event.type === "retry") end(callId, event.reason);
    else if (event.type === "failed") end(callId, event.code);
    else if (event.type === "throttled") wait?.record(event.waitMs / 1000, attributesOf(endpoint));
  };

  /** Starts the span of an attempt. If the tracer fails, the request is sent without one. */
  const start = (request: RequestEvent, url: string): TracedAttempt | undefined => {
    try {
      const started = new TracedAttempt(tracer, duration, request, url);
      running.set(request.callId, started);
      return started;
    } catch {
      return undefined;
    }
  };

  const carrier = toCarrier(fetch);
  const send: Carrier = carrier ?? (fetch as FetchLike);

  const run = async (attempt: TracedAttempt, ...[url, init, runtime]: Parameters<Carrier>) => {
    const { span } = attempt;
    const sent = propagate ? withTraceContext(init, span) : init;
    try {
      const response = await runSuppressed(context, span, () => send(url, sent, runtime));
      attempt.responded(response);
      return response;
    } catch (thrown) {
      attempt.failed(thrown);
      throw thrown;
    }
  };

  const traceAndSend: Carrier = (url, init, runtime) => {
    const attempt = next && start(next, url);
    next = undefined;
    return attempt ? run(attempt, url, init, runtime) : send(url, init, runtime);
  };

  return {
    fetch: carrier ? asCarrier(traceAndSend) : traceAndSend,
    onEvent: (event) => {
      try {
        listen(event);
      } catch {
        // A meter or a span that fails keeps no event from the application's own listener.
      }
      return onEvent?.(event);
    },
  };
}
