/** What is done about an attempt that failed. What is not given keeps its default. */
export interface RetryOptions {
  /** The most times that an attempt is repeated; 0 never repeats. Default: 2. */
  readonly limit?: number | undefined;
  /** The longest `Retry-After` that is waited for, in milliseconds; a longer one fails the call at once. Default: 60 000. */
  readonly maxRetryAfter?: number | undefined;
  /** The pauses where the service does not say how long to wait, before a random part of each is taken. */
  readonly backoff?:
    | {
        /** Before the first repeat, in milliseconds; doubles with each. Default: 500. */
        readonly initial?: number | undefined;
        /** The longest, in milliseconds. Default: 8000. */
        readonly max?: number | undefined;
      }
    | undefined;
}

export const RESPONSE_VALIDATIONS = ["strict", "warn", "off"] as const;

/** What happens to a response with a field that is not as documented: thrown, reported, or not looked at. */
export type ResponseValidation = (typeof RESPONSE_VALIDATIONS)[number];

/** Header names and values. */
export type HeaderFields = Headers | Readonly<Record<string, string | undefined>>;

/** Options of one call; they win over the client's. */
export interface RequestOptions {
  /** Ends the call with an `AbortError` when it fires, in whatever phase the call is. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, headers and body; waiting for the throttle does not count. `false`: no limit. Default: 30 000. */
  readonly timeout?: number | false | undefined;
  /** Milliseconds for the whole call: queue, attempts, pauses between them. Default: `false`, no limit. */
  readonly totalTimeout?: number | false | undefined;
  /** What is done about an attempt that failed; a number is the limit. Default: `{ limit: 2 }`. */
  readonly retry?: number | RetryOptions | undefined;
  /** Added to the request. */
  readonly headers?: HeaderFields | undefined;
  /** Whether the documented rules are checked before anything is sent; `false` sends exactly what was given. Default: `true`. */
  readonly validateRequests?: boolean | undefined;
  /** What happens to a response with a field that is not as documented: thrown, reported, or not looked at. Default: `"warn"`. */
  readonly responseValidation?: ResponseValidation | undefined;
}

/** Options of a call that walks through pages. */
export interface ListRequestOptions extends RequestOptions {
  /** Whether the next page is fetched while this one is consumed. Default: `false`. */
  readonly prefetch?: boolean | undefined;
}
