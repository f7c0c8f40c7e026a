import { ApiError } from "../errors/api-error.ts";
import { ConnectionError } from "../errors/connection-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import type { RetrySettings } from "./settings.ts";

const RETRIED_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];

/**
 * Milliseconds that a `Retry-After` asks to wait; `undefined` when it is absent or makes no sense.
 *
 * A date is read against the answer's own `Date`, because the clock here may be wrong.
 */
export const parseRetryAfter = (headers: Headers, now = Date.now()): number | undefined => {
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) {
    return Math.min(Math.ceil(Number(value) * 1000), Number.MAX_SAFE_INTEGER);
  }
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const serverNow = Date.parse(headers.get("date") ?? "");
  return Math.max(0, at - (Number.isNaN(serverNow) ? now : serverNow));
};

/** Whether a repeat can help, and cannot do a thing twice. */
const mayRepeat = (endpoint: Endpoint, error: unknown): boolean => {
  const again = !endpoint.idempotent;
  if (ConnectionError.is(error)) return !again || error.outcome !== "unknown";
  if (TimeoutError.is(error)) return !again && error.phase === "attempt";
  if (!ApiError.is(error)) return false;
  return error.status === 429 || (!again && RETRIED_STATUSES.includes(error.status));
};

/**
 * Milliseconds until an attempt that failed is repeated; `undefined` when it is not.
 *
 * @param retries how often the call was repeated already.
 * @param remainingMs what is left of the whole call.
 */
export const retryDelay = (
  endpoint: Endpoint,
  error: unknown,
  retries: number,
  { limit, maxRetryAfterMs, initialMs, maxMs }: RetrySettings,
  remainingMs: number,
): number | undefined => {
  if (retries >= limit || !mayRepeat(endpoint, error)) return undefined;
  const backoffMs = Math.random() * Math.min(maxMs, initialMs * 2 ** retries);
  const retryAfterMs = ApiError.is(error) ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined) return backoffMs;
  if (retryAfterMs > maxRetryAfterMs || retryAfterMs >= remainingMs) return undefined;
  return Math.max(retryAfterMs, backoffMs);
};
