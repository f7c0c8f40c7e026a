const WEEK_MS = 604_800_000;
const YEAR_MS = 31_536_000_000;

/** Matches each value of a `Retry-After` header. Several values are joined by commas, and a date has a comma of its own. */
const WAITS = /(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,[^,]+|[^,]+/gi;

/**
 * Returns the time of a date in epoch milliseconds, or `NaN`. A date of HTTP is in GMT, although one of its three forms does not
 * say so: `Sun Nov  6 08:49:37 1994`.
 */
const parseDate = (date: string): number => {
  if (!/\d:\d\d/.test(date)) return Number.NaN;
  const hasZone = /[a-z]$|[+-]\d\d:?\d\d$/i.test(date);
  return Date.parse(hasZone ? date : `${date} GMT`);
};

const toMs = (wait: string, serverNow: number): number | undefined => {
  if (!/^\d+(\.\d+)?$/.test(wait)) {
    const ms = parseDate(wait) - serverNow;
    return ms <= YEAR_MS ? Math.max(0, ms) : undefined;
  }
  const ms = Math.ceil(Number(wait) * 1000);
  if (ms <= YEAR_MS) return ms;
  // The seconds or the milliseconds since 1970.
  const waits = [ms - serverNow, Number(wait) - serverNow];
  const left = waits.find((leftMs) => Math.abs(leftMs) <= WEEK_MS);
  return left === undefined ? undefined : Math.max(0, left);
};

/**
 * Returns the milliseconds that `Retry-After` asks to wait, at most a year; `undefined` if the header is absent or malformed.
 *
 * A date is compared with the response's own `Date`, because the local clock may be wrong. A number of more than a year is read
 * as a point in time if it is at most a week away, and is malformed otherwise. If both a gateway and the application sent the
 * header, the longest wait counts.
 */
export const parseRetryAfter = (headers: Headers, now = Date.now()): number | undefined => {
  const date = parseDate(headers.get("date") ?? "");
  const serverNow = Number.isNaN(date) ? now : date;
  const waits = (headers.get("retry-after")?.match(WAITS) ?? [])
    .map((wait) => toMs(wait.trim(), serverNow))
    .filter((ms) => ms !== undefined);
  return waits.length > 0 ? Math.max(...waits) : undefined;
};
