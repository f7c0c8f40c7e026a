import { ApiError, ConnectionError, TimeoutError } from "../errors.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import type { RetrySettings } from "./settings.ts";

const RETRIED_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];

/** Returns whether a retry may succeed and cannot carry out the request twice. */
const mayRetry = ({ idempotent }: Endpoint, error: unknown): boolean => {
  if (ConnectionError.is(error) || TimeoutError.is(error)) {
    const isFinal = TimeoutError.is(error) && error.phase === "total";
    return error.isTransient && !isFinal && (idempotent || error.outcome !== "unknown");
  }
  if (!ApiError.is(error)) return false;
  return error.status === 429 || (idempotent && RETRIED_STATUSES.includes(error.status));
};

/**
 * Returns the milliseconds to wait before a retry; `undefined` if the attempt must not be retried.
 *
 * @param retries Number of retries so far.
 * @param remainingMs Time that is left for the whole call, in milliseconds.
 */
export const retryDelay = (
  endpoint: Endpoint,
  error: unknown,
  retries: number,
  { limit, maxRetryAfterMs, initialMs, maxMs }: RetrySettings,
  remainingMs: number,
): number | undefined => {
  if (retries >= limit || !mayRetry(endpoint, error)) return undefined;
  const backoffMs = Math.random() * Math.min(maxMs, initialMs * 2 ** retries);
  const retryAfterMs = ApiError.is(error) ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined) return backoffMs;
  if (retryAfterMs > maxRetryAfterMs || retryAfterMs >= remainingMs) return undefined;
  return Math.max(retryAfterMs, backoffMs);
};
