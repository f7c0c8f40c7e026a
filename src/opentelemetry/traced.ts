import type { ClientEvent, RequestEvent } from "../core/call/events.ts";
import {
  assertBoolean,
  assertFunction,
  assertObject,
  ignoreErrors,
  or,
  readOptions,
} from "../core/options.ts";
import { asFetchAdapter, type FetchAdapter, isFetchAdapter } from "../core/transport/attempt.ts";
import { createDefaultAdapter } from "../core/transport/platform.ts";
import { assertFetch, type FetchOption } from "../core/transport/transport.ts";
import { type MeterLike, runSuppressed, type TracerLike, withTraceContext } from "./api.ts";
import { attributesOf, startAttempt, type TracedAttempt } from "./attempt.ts";

/** Options of {@link traced}. */
export interface TracedOptions {
  /** Tracer that starts the spans. */
  readonly tracer: TracerLike;
  /** Meter that creates the histograms. Default: none, which records no metrics. */
  readonly meter?: MeterLike | undefined;
  /** Whether `traceparent` and `tracestate` are sent; in a browser, the service must allow them by CORS. Default: `false`. */
  readonly propagate?: boolean | undefined;
  /** Fetch-compatible function, such as the result of `fetchFrom`. Default: a client's default. */
  readonly fetch?: FetchOption | undefined;
  /** Your own listener, which also receives each event. Default: none. */
  readonly onEvent?: ((event: ClientEvent) => unknown) | undefined;
}

const assertTracer = (name: string, tracer: TracerLike): TracerLike => {
  assertFunction(`${name}.startSpan`, assertObject(name, tracer).startSpan);
  return tracer;
};

const assertMeter = (name: string, meter: MeterLike): MeterLike => {
  assertFunction(`${name}.createHistogram`, assertObject(name, meter).createHistogram);
  return meter;
};

/** Bounds in seconds that OpenTelemetry's conventions recommend for the duration of HTTP requests. */
const DURATION_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];
/** Bounds in seconds, up to an hour, the interval of the documented limit. */
const WAIT_BUCKETS = [0.1, 0.5, 1, 3, 10, 30, 60, 300, 900, 1800, 3600];

/**
 * Returns `fetch` and `onEvent` options that trace and measure the attempts of a client with OpenTelemetry.
 *
 * Each attempt has one span of kind CLIENT with the attributes of OpenTelemetry's HTTP conventions. Its parent is the span
 * that was active when the call was made, or when a page of a list was requested. The spans and metrics contain no phone number,
 * text or key. OpenTelemetry's own instrumentation does not create a second span for the attempt. An agent such as the agent of
 * Sentry 11, Datadog or New Relic may create one that contains the phone number in the path, unless you configure it not to. The
 * guide "Tracing and privacy" lists the settings. The histograms are `http.client.request.duration` and
 * `messaging_service.client.throttle.wait.duration`, both in seconds.
 *
 * If the tracer, the meter or the context manager throws or rejects during a call, the request is still sent exactly once,
 * with the same result. A failure of your own `fetch` fails the attempt.
 *
 * @throws TypeError that names a malformed or unknown option.
 * @throws whatever `meter.createHistogram` throws.
 * @example
 * const v2 = new V2Client({ ...traced({ tracer, meter }), email, apiKey });
 */
export function traced(options: TracedOptions): {
  /**
   * Fetch-compatible function that makes each attempt within its span. Pass your own function as the option `fetch` of `traced`.
   * If a function around this one awaits anything before it calls it, a span may show the result of a different call.
   */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Listener that turns the events of a call into spans and metrics. */
  readonly onEvent: (event: ClientEvent) => unknown;
} {
  const { tracer, meter, propagate, fetch, onEvent } = readOptions("options", options, {
    tracer: assertTracer,
    meter: or(assertMeter),
    propagate: or(assertBoolean, false),
    fetch: or(assertFetch),
    onEvent: or(assertFunction<(event: ClientEvent) => unknown>),
  });
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
  /**
   * Events of the attempts that have not called `fetch` yet, by `callId`. A client calls `fetch` right after the event, unless a
   * listener makes its own call in between. The request of that call then comes first.
   */
  const announced = new Map<string, RequestEvent>();

  const end = (callId: string, failure?: string) => {
    announced.delete(callId);
    running.get(callId)?.end(failure);
    running.delete(callId);
  };

  const listen = (event: ClientEvent): void => {
    const { callId } = event;
    if (event.type === "request") announced.set(callId, event);
    else if (event.type === "response") end(callId);
    else if (event.type === "retry") end(callId, event.reason);
    else if (event.type === "failed") end(callId, event.code);
    else if (event.type === "throttled") {
      ignoreErrors(() => wait?.record(event.waitMs / 1000, attributesOf(event)));
    }
  };

  const inner: FetchAdapter = fetch ?? createDefaultAdapter();
  // A function that throws synchronously fails the attempt like one that rejects.
  const send: FetchAdapter = async (...request) => inner(...request);

  const run = async (request: RequestEvent, ...[url, init, ...of]: Parameters<FetchAdapter>) => {
    const attempt = startAttempt(tracer, duration, request, url);
    running.set(request.callId, attempt);
    const { span } = attempt;
    const sent = propagate ? withTraceContext(init, span) : init;
    try {
      const response = await runSuppressed(span, () => send(url, sent, ...of));
      attempt.responded(response);
      return response;
    } catch (thrown) {
      attempt.failed(thrown);
      throw thrown;
    }
  };

  const traceAndSend: FetchAdapter = (...request) => {
    const event = [...announced.values()].at(-1);
    if (!event) return send(...request);
    announced.delete(event.callId);
    return run(event, ...request);
  };

  return {
    fetch: isFetchAdapter(inner) ? asFetchAdapter(traceAndSend) : traceAndSend,
    onEvent: (event) => {
      listen(event);
      return onEvent?.(event);
    },
  };
}
