/** Matches one value of the header: a date contains a comma after its weekday, and several values are joined by commas. */
const VALUES = /(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,[^,]+|[^,]+/gi;

const toMs = (value: string, serverNow: number): number | undefined => {
  if (/^\d+(\.\d+)?$/.test(value)) {
    return Math.min(Math.ceil(Number(value) * 1000), Number.MAX_SAFE_INTEGER);
  }
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - serverNow);
};

/**
 * Returns the milliseconds that `Retry-After` asks to wait; `undefined` when it is absent or malformed.
 *
 * A date is compared with the response's own `Date`, because the local clock may be wrong. If a gateway
 * and the application both sent the header, the longest wait counts.
 */
export const parseRetryAfter = (headers: Headers, now = Date.now()): number | undefined => {
  const date = Date.parse(headers.get("date") ?? "");
  const serverNow = Number.isNaN(date) ? now : date;
  const waits = (headers.get("retry-after")?.match(VALUES) ?? [])
    .map((value) => toMs(value.trim(), serverNow))
    .filter((ms) => ms !== undefined);
  return waits.length > 0 ? Math.max(...waits) : undefined;
};
