import type { Problem } from "./problem.ts";

/** Matches a timestamp, and captures a day that some months do not have. */
const ISO_8601 =
  // The time of day may be a leap second or 24:00.
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]|(29|3[01]))(?:T(?:(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?|24:00(?::00(?:[.,]0+)?)?)(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

/** Converts a day in `YYYY-MM-DD` to its midnight UTC in epoch milliseconds, or to `NaN` if the day does not exist. */
const isoDayToEpochMs = (day: string): number => {
  const epochMs = Date.parse(day);
  // Some engines read 30 February as 1 March.
  const isReal = !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(day);
  return isReal ? epochMs : Number.NaN;
};

/** Returns whether a string is an existing day, with or without a time, in the extended format of ISO 8601. */
export const isTimestamp = (value: string): boolean => {
  const match = ISO_8601.exec(value);
  return match !== null && (!match[1] || !Number.isNaN(isoDayToEpochMs(value.slice(0, 10))));
};

export function* timestampProblems(value: string): Generator<Problem> {
  if (isTimestamp(value)) return;
  yield {
    code: "invalid_string",
    validation: "datetime",
    message: "must be an ISO 8601 timestamp, such as 2026-12-31T23:59:59Z",
  };
}

/** Converts a day in `YYYYMMDD` to its midnight UTC in epoch milliseconds, or to `NaN` if the day does not exist. */
export const dayToEpochMs = (day: string): number =>
  /^\d{8}$/.test(day) ? isoDayToEpochMs(day.replace(/^(....)(..)(..)$/, "$1-$2-$3")) : Number.NaN;

/** Returns whether a value is a `Date` of this realm, or of a realm of `vm`, Jest or jsdom. */
export const isDate = (value: unknown): value is Date =>
  typeof Object(value).getTime === "function";

/** Converts a `Date`, which may come from a different realm, to its UTC day in `YYYYMMDD`. Returns any other value unchanged. */
export const toDay = <T>(moment: T | Date): T | string => {
  if (!isDate(moment)) return moment;
  if (Number.isNaN(moment.getTime())) return "Invalid Date";
  return moment.toISOString().replace(/T.*/, "").replaceAll("-", "");
};

/** Yields the problem of a string that is not an existing day in `YYYYMMDD`. */
export function* dayProblems(day: string): Generator<Problem> {
  if (!Number.isNaN(dayToEpochMs(day))) return;
  yield {
    code: "invalid_string",
    validation: "regex",
    message: "must be a day in eight digits, YYYYMMDD, such as 20261231",
  };
}
