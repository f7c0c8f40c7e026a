import type { EventListener } from "./events.ts";

/** How failed attempts are retried. What is not given keeps its default. */
export interface RetryOptions {
  /** Maximum number of retries; 0 turns them off. Default: 2. */
  readonly limit?: number | undefined;
  /** Longest `Retry-After` that a call waits for, in milliseconds; a longer one fails the call at once. Default: 60 000. */
  readonly maxRetryAfter?: number | undefined;
  /** Pauses where the service does not say how long to wait; a random part of each is taken. */
  readonly backoff?:
    | {
        /** Pause before the first retry, in milliseconds; doubles with each. Default: 500. */
        readonly initial?: number | undefined;
        /** Longest pause, in milliseconds. Default: 8000. */
        readonly max?: number | undefined;
      }
    | undefined;
}

export const RESPONSE_VALIDATIONS = ["strict", "warn", "off"] as const;

/** Treatment of a response with a field that is not as documented: thrown, reported, or not checked. */
export type ResponseValidation = (typeof RESPONSE_VALIDATIONS)[number];

/** Header names and values. */
export type HeaderFields = Headers | Readonly<Record<string, string | undefined>>;

/** Takes part in each attempt of one call, such as a ledger that claims a message before it is sent. */
export interface AttemptGuard {
  /**
   * Runs right before each attempt, with the slot of the throttle in hand. A rejection ends the call with that
   * very error, and the attempt is not made.
   */
  before(signal: AbortSignal): Promise<void>;
  /** Learns how an attempt ended, before any pause or wait for the next slot. What it throws changes nothing. */
  after(end: AttemptEnd): Promise<void>;
}

/** The end of one attempt. */
export type AttemptEnd =
  | { readonly data: unknown }
  | { readonly error: unknown; readonly willRetry: boolean };

/** The key of a call's options for an {@link AttemptGuard}; the same in the ESM and the CommonJS copy. */
export const ATTEMPT_GUARD: unique symbol = /* @__PURE__ */ Symbol.for(
  "messaging-service-client.attempt-guard",
);

/** Options of one call; they take precedence over the client's. */
export interface RequestOptions {
  /** Ends the call with an `AbortError` when it fires, in whatever phase the call is. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt in milliseconds, response body included; waiting for the throttle does not count. `false`: none. Default: 30 000. */
  readonly timeout?: number | false | undefined;
  /** Timeout of the whole call in milliseconds: queue, attempts and the pauses between them. Default: `false`, none. */
  readonly totalTimeout?: number | false | undefined;
  /** How failed attempts are retried; a number is the limit. Default: `{ limit: 2 }`. */
  readonly retry?: number | RetryOptions | undefined;
  /** Headers that are added to the request. */
  readonly headers?: HeaderFields | undefined;
  /** Whether the documented rules are checked before anything is sent; `false` sends exactly what was given. Default: `true`. */
  readonly validateRequests?: boolean | undefined;
  /** Treatment of a response with a field that is not as documented: thrown, reported, or not checked. Default: `"warn"`. */
  readonly responseValidation?: ResponseValidation | undefined;
  /** Listener for the events of this call, beside the client's. What it throws is ignored. */
  readonly onEvent?: EventListener | undefined;
  /** @internal */
  readonly [ATTEMPT_GUARD]?: AttemptGuard | undefined;
}

/** Options of a call that walks through pages. */
export interface ListRequestOptions extends RequestOptions {
  /** Whether the next page is fetched while the current one is consumed. Default: `false`. */
  readonly prefetch?: boolean | undefined;
}
