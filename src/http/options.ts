import type { ClientEventListener } from "./events.ts";

/** Retries of failed attempts. Options that are not given keep their defaults. */
export interface RetryOptions {
  /** Maximum number of retries; 0 turns them off. Default: 2. */
  readonly limit?: number | undefined;
  /**
   * Longest `Retry-After` that a call waits for, in milliseconds; a longer one fails the call at once. Default: 60 000.
   */
  readonly maxRetryAfter?: number | undefined;
  /** Pauses if the service does not state how long to wait; each is multiplied by a random factor from 0 to 1. */
  readonly backoff?:
    | {
        /** Upper limit of the pause before the first retry, in milliseconds; it doubles with each retry. Default: 500. */
        readonly initial?: number | undefined;
        /** Upper limit of every pause, in milliseconds. Default: 8000. */
        readonly max?: number | undefined;
      }
    | undefined;
}

export const RESPONSE_VALIDATIONS = ["strict", "warn", "off"] as const;

/** Treatment of a response with a field that is not as documented: thrown, reported, or not checked. */
export type ResponseValidation = (typeof RESPONSE_VALIDATIONS)[number];

/** Header names and values. */
export type HeaderFields = Headers | Readonly<Record<string, string | undefined>>;

/** Options of one call; they take precedence over the client's. */
export interface RequestOptions {
  /** Signal that ends the call with an `AbortError` in any phase. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Timeout of one attempt in milliseconds, response body included; waiting for the throttle does not count. `false`:
   * none. Default: 30 000.
   */
  readonly timeout?: number | false | undefined;
  /** Timeout of the whole call in milliseconds: queue, attempts and the pauses between them. Default: `false`, none. */
  readonly totalTimeout?: number | false | undefined;
  /** Retries of failed attempts; a number is the limit, 0 turns them off. Default: `{ limit: 2 }`. */
  readonly retry?: number | RetryOptions | undefined;
  /** Headers added to the request; they never replace the credentials. Default: none. */
  readonly headers?: HeaderFields | undefined;
  /**
   * Whether the documented rules are checked before anything is sent; `false` sends exactly what was given. Default:
   * `true`.
   */
  readonly validateRequests?: boolean | undefined;
  /**
   * Treatment of a response with a field that is not as documented: thrown, reported, or not checked. Default:
   * `"warn"`.
   */
  readonly responseValidation?: ResponseValidation | undefined;
  /** Listener for the events of this call, in addition to the client's. Errors that it throws are ignored. */
  readonly onEvent?: ClientEventListener | undefined;
}

/** Options of a call that walks through pages. */
export interface ListRequestOptions extends RequestOptions {
  /** Whether the next page is fetched while the current one is consumed. Default: `false`. */
  readonly prefetch?: boolean | undefined;
}
