import type { ClientEventListener } from "./events.ts";

/** Retries of failed attempts. Options that you leave out keep their defaults. */
export interface RetryOptions {
  /** Maximum number of retries, an integer; 0 turns retries off. Default: 2. */
  readonly limit?: number | undefined;
  /**
   * Longest `Retry-After` that a call waits for, in milliseconds, 0 or more. If the service asks for a longer pause, the call
   * fails at once. Default: 60 000.
   */
  readonly maxRetryAfter?: number | undefined;
  /** Pauses between attempts; each is a random part of its upper limit. A longer `Retry-After` takes precedence. */
  readonly backoff?:
    | {
        /** Upper limit of the pause before the first retry, in milliseconds, 0 or more; it doubles with each retry. Default: 500. */
        readonly initial?: number | undefined;
        /** Maximum of that upper limit in milliseconds, 0 or more. Default: 8000. */
        readonly max?: number | undefined;
      }
    | undefined;
}

export const RESPONSE_VALIDATIONS = ["strict", "warn", "off"] as const;

/**
 * Treatment of a response with a field of an undocumented type. `"strict"` fails the call, `"warn"` reports the field by an
 * event and `console.warn`, and `"off"` does not check.
 */
export type ResponseValidation = (typeof RESPONSE_VALIDATIONS)[number];

/**
 * Headers: an object of names and values, in which `undefined` is left out, or anything that iterates over pairs of strings,
 * such as an array of pairs, a `Map`, `URLSearchParams` or the `Headers` of any package.
 */
export type HeaderFields =
  | Headers
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | undefined>>;

/** Options of one call. They take precedence over the client's. */
export interface RequestOptions {
  /** Signal that ends the call with an `AbortError`, in any phase. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Timeout of one attempt in milliseconds, response body included, or `false` for none. A wait for the throttle does not
   * count. Default: 30 000.
   */
  readonly timeout?: number | false | undefined;
  /** Timeout of the whole call in milliseconds, or `false` for none: queue, attempts and pauses. Default: `false`. */
  readonly totalTimeout?: number | false | undefined;
  /** Retries of failed attempts: their options, or their maximum number; 0 turns retries off. Default: `{ limit: 2 }`. */
  readonly retry?: number | RetryOptions | undefined;
  /**
   * Headers to add to every request: an object, or anything that iterates over pairs of strings, such as a `Map` or the
   * `Headers` of any package. They never replace the credentials. Default: none.
   */
  readonly headers?: HeaderFields | undefined;
  /**
   * Whether to check the documented rules before anything is sent. `false` sends exactly what you pass. Default: `true`.
   */
  readonly validateRequests?: boolean | undefined;
  /**
   * Treatment of a response with a field of an undocumented type: `"strict"` fails the call, `"warn"` reports the field by an
   * event and `console.warn`, and `"off"` does not check. Default: `"warn"`.
   */
  readonly responseValidation?: ResponseValidation | undefined;
  /** Listener for the events of this call, in addition to the client's. Errors that it throws are ignored. Default: none. */
  readonly onEvent?: ClientEventListener | undefined;
}

/** Options of a call that walks through pages. */
export interface ListRequestOptions extends RequestOptions {
  /** Whether to request the next page while you consume the current page. Default: `false`. */
  readonly prefetch?: boolean | undefined;
}
