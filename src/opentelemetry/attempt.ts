import type { RequestEvent } from "../core/call/events.ts";
import { ignoreErrors } from "../core/options.ts";
import { errorCodeOf, portOf } from "../core/transport/connection-error.ts";
import type { AttributeValues, MeterLike, TracerLike } from "./api.ts";

type Histogram = ReturnType<MeterLike["createHistogram"]>;

/** `SpanKind.CLIENT`. */
const CLIENT = 2;
/** `SpanStatusCode.ERROR`. */
const ERROR = 2;

/** Replacement for data that a span must not show, as OpenTelemetry's conventions require. */
const REDACTED = "REDACTED";
/** Matches the id of a list or a report; a phone number has more digits. The query has the same limit. */
const ID = /^\d{1,9}$/;
const SAFE_QUERY =
  /^\?(?:(?:page|per_page|include_deleted|start_date|end_date)=(?:\d{1,9}|true|false)(?:&|$))+$/;

type TracedCall = Pick<RequestEvent, "endpoint" | "isCustom">;

/** Returns whether the path of a call contains no data. A path for `request()` may contain data, unless it has a placeholder. */
const isTemplate = ({ endpoint, isCustom }: TracedCall): boolean =>
  !isCustom || /\{\w+\}/.test(endpoint);

/** Returns a URL that shows the path template, ids, pages and dates; everything else is redacted. */
const toSafeUrl = ({ origin, pathname, search }: URL, call: TracedCall): string => {
  const { endpoint } = call;
  const query = search === "" || SAFE_QUERY.test(search) ? search : `?${REDACTED}`;
  // Events shorten a very long path, and replace a number that may have several segments. The segments can then not be
  // distinguished from the path of the client's `baseUrl`.
  if (/…$|\[number\]/.test(endpoint)) return `${origin}/${REDACTED}${query}`;
  const isSafe = isTemplate(call);
  const segments = pathname.split("/");
  const expected = endpoint.split("/").slice(1);
  const first = segments.length - expected.length;
  const shown = segments.map((segment, index) => {
    // The path of the client's `baseUrl` precedes the template.
    if (index < first) return segment;
    const part = expected[index - first];
    const isShown = isSafe && (part === segment || (part === "{ID}" && ID.test(segment)));
    return isShown || segment === "" ? segment : REDACTED;
  });
  return origin + shown.join("/") + query;
};

const methodOf = (endpoint: string): string => endpoint.slice(0, endpoint.indexOf(" "));

/** Returns the attributes for the method of an endpoint, and for its path template if the path contains no data. */
export const attributesOf = (call: TracedCall): AttributeValues => {
  const { endpoint } = call;
  const method = methodOf(endpoint);
  const template = isTemplate(call) ? { "url.template": endpoint.slice(method.length + 1) } : {};
  return { "http.request.method": method, ...template };
};

export type TracedAttempt = ReturnType<typeof startAttempt>;

/** Starts the span of an attempt, and keeps what to record when it ends. No method throws. */
export const startAttempt = (
  tracer: TracerLike,
  duration: Histogram | undefined,
  request: RequestEvent,
  target: string,
) => {
  const startedAt = performance.now();
  const { endpoint, attempt } = request;
  const url = new URL(target);
  const known: AttributeValues = {
    ...attributesOf(request),
    "server.address": url.hostname,
    "server.port": portOf(url),
  };
  const attributes: AttributeValues = { ...known, "url.full": toSafeUrl(url, request) };
  if (attempt > 1) attributes["http.request.resend_count"] = attempt - 1;
  const name = isTemplate(request) ? endpoint : methodOf(endpoint);
  const span = ignoreErrors(() => tracer.startSpan(name, { kind: CLIENT, attributes }));
  let status = 0;
  let errorCode: string | undefined;

  return {
    span,
    /** Keeps the status of a response whose body may still fail. */
    responded(response: Response): void {
      status = ignoreErrors(() => response.status) ?? 0;
    },
    /** Keeps the error code if `fetch` failed. The message is not kept, because it may contain the URL. */
    failed(thrown: unknown): void {
      errorCode = ignoreErrors(() => errorCodeOf(thrown));
    },
    /** @param failure Code of the error that ended the attempt; if absent, the response decides. */
    end(failure?: string): void {
      const result: AttributeValues = {};
      // A browser hides the status of a redirect.
      if (status > 0) result["http.response.status_code"] = status;
      const isLost = failure === "connection" && errorCode !== undefined;
      const error = isLost ? errorCode : (failure ?? (status < 400 ? undefined : `${status}`));
      if (error !== undefined) {
        result["error.type"] = error;
        ignoreErrors(() => span?.setStatus({ code: ERROR }));
      }
      ignoreErrors(() => span?.setAttributes(result));
      ignoreErrors(() => span?.end());
      const seconds = (performance.now() - startedAt) / 1000;
      ignoreErrors(() => duration?.record(seconds, { ...known, ...result }));
    },
  };
};
