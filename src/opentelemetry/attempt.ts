import type { RequestEvent } from "../http/events/events.ts";
import type { AttributeValues, HistogramLike, SpanLike, TracerLike } from "./api.ts";
import { toSafeUrl } from "./safe-url.ts";

/** `SpanKind.CLIENT`. */
const CLIENT = 2;
/** `SpanStatusCode.ERROR`. */
const ERROR = 2;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/** Returns the attributes for the method and the path template of an endpoint. */
export const attributesOf = (endpoint: string): AttributeValues => {
  const space = endpoint.indexOf(" ");
  return {
    "http.request.method": endpoint.slice(0, space),
    "url.template": endpoint.slice(space + 1),
  };
};

/** Returns the error code of the system or the runtime behind whatever `fetch` threw. */
const errorCodeOf = (thrown: unknown): string | undefined => {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth += 1) {
    if ("code" in error && typeof error.code === "string") return error.code;
    error = error.cause;
  }
  return undefined;
};

/** An attempt under way: its span, and the attributes to record when it ends. */
export class TracedAttempt {
  readonly span: SpanLike;
  readonly #duration: HistogramLike | undefined;
  readonly #attributes: AttributeValues;
  readonly #started = performance.now();
  #status: number | undefined;
  #errorCode: string | undefined;

  constructor(
    tracer: TracerLike,
    duration: HistogramLike | undefined,
    { endpoint, attempt }: RequestEvent,
    target: string,
  ) {
    const url = new URL(target);
    const known = attributesOf(endpoint);
    this.#duration = duration;
    this.#attributes = {
      ...known,
      "server.address": url.hostname,
      "server.port": Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 0),
    };
    const attributes: AttributeValues = {
      ...this.#attributes,
      "url.full": toSafeUrl(url, String(known["url.template"])),
    };
    if (attempt > 1) attributes["http.request.resend_count"] = attempt - 1;
    this.span = tracer.startSpan(endpoint, { kind: CLIENT, attributes });
  }

  /** Keeps the status of a response whose body may still fail. */
  responded({ status }: Response): void {
    this.#status = status;
  }

  /** Keeps the error code if `fetch` failed; the message is not kept, because it may hold the URL. */
  failed(thrown: unknown): void {
    this.#errorCode = errorCodeOf(thrown);
  }

  /**
   * Ends the span and records the duration.
   *
   * @param failure Code of the error that ended the attempt; if absent, the response decides.
   */
  end(failure?: string): void {
    const result: AttributeValues = {};
    const status = this.#status ?? 0;
    // A browser hides the status of a redirect.
    if (status > 0) result["http.response.status_code"] = status;
    const isLost = failure === "connection" && this.#errorCode !== undefined;
    const error = isLost ? this.#errorCode : (failure ?? (status < 400 ? undefined : `${status}`));
    if (error !== undefined) {
      result["error.type"] = error;
      this.span.setStatus({ code: ERROR });
    }
    this.span.setAttributes(result);
    this.span.end();
    const seconds = (performance.now() - this.#started) / 1000;
    this.#duration?.record(seconds, { ...this.#attributes, ...result });
  }
}
