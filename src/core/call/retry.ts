import { ApiError, ConnectionError, TimeoutError } from "../errors.ts";
import { assertCount, assertDuration, or, readOptions } from "../options.ts";
import type { Endpoint } from "../wire/endpoint.ts";

/** Retries of failed attempts. Options that you leave out keep their defaults. */
export interface RetryOptions {
  /** Maximum number of retries, an integer; 0 turns retries off. Default: 2. */
  readonly limit?: number | undefined;
  /**
   * Longest `Retry-After` that a call waits for, in milliseconds, 0 or more; if the service asks for more, the call fails
   * immediately. Default: 60 000.
   */
  readonly maxRetryAfter?: number | undefined;
  /** Pauses between attempts; each is a random part of its upper limit. A longer `Retry-After` takes precedence. */
  readonly backoff?:
    | {
        /**
         * Upper limit of the pause before the first retry, in milliseconds, 0 or more; it doubles with each retry. Default: 500.
         */
        readonly initial?: number | undefined;
        /** Maximum of that upper limit in milliseconds, 0 or more. Default: 8000. */
        readonly max?: number | undefined;
      }
    | undefined;
}

/** Options of the retries with their defaults, in milliseconds. */
export interface RetrySettings {
  readonly limit: number;
  readonly maxRetryAfter: number;
  readonly backoff: { readonly initial: number; readonly max: number };
}

export const DEFAULT_RETRY: RetrySettings = /* @__PURE__ */ Object.freeze({
  limit: 2,
  maxRetryAfter: 60_000,
  backoff: { initial: 500, max: 8_000 },
});

export const toRetrySettings = (
  base: RetrySettings,
  retry: number | RetryOptions,
): RetrySettings => {
  if (typeof retry === "number") return { ...base, limit: assertCount("retry", retry) };
  const toBackoff = (name: string, backoff: RetryOptions["backoff"] = {}) => {
    const { initial, max } = base.backoff;
    const table = { initial: or(assertDuration, initial), max: or(assertDuration, max) };
    return readOptions(name, backoff, table, `${name}.`);
  };
  return readOptions(
    "retry",
    retry,
    {
      limit: or(assertCount, base.limit),
      maxRetryAfter: or(assertDuration, base.maxRetryAfter),
      backoff: toBackoff,
    },
    "retry.",
  );
};

const RETRIED_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];

const mayRetry = ({ idempotent }: Endpoint, error: unknown): boolean => {
  if (ConnectionError.is(error) || TimeoutError.is(error)) {
    const isFinal = TimeoutError.is(error) && error.phase === "total";
    return error.isTransient && !isFinal && (idempotent || error.outcome !== "unknown");
  }
  if (!ApiError.is(error)) return false;
  return error.status === 429 || (idempotent && RETRIED_STATUSES.includes(error.status));
};

/** Returns the milliseconds to wait before a retry; `undefined` if the attempt must not be retried. */
export const retryDelay = (
  endpoint: Endpoint,
  error: unknown,
  retries: number,
  { limit, maxRetryAfter, backoff }: RetrySettings,
  remainingMs: number,
): number | undefined => {
  if (retries >= limit || !mayRetry(endpoint, error)) return undefined;
  const backoffMs = Math.random() * Math.min(backoff.max, backoff.initial * 2 ** retries);
  const retryAfterMs = ApiError.is(error) ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined) return backoffMs;
  if (retryAfterMs > maxRetryAfter || retryAfterMs >= remainingMs) return undefined;
  return Math.max(retryAfterMs, backoffMs);
};
