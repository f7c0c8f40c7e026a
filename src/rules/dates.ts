import type { Problem } from "./problem.ts";

const ISO_8601 = /* @__PURE__ */ new RegExp(
  // A day that every year has, or 29 February of a leap year.
  "^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|" +
    "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)" +
    // A time of day: leap seconds and 24:00 are valid.
    "(?:T(?:(?:[01]\\d|2[0-3]):[0-5]\\d(?::(?:[0-5]\\d|60)(?:[.,]\\d+)?)?|24:00(?::00(?:[.,]0+)?)?)" +
    // An offset from UTC.
    "(?:Z|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)?)?$",
  "i",
);

/** Returns whether a string is an existing day, with or without a time, in the extended format of ISO 8601. */
export const isTimestamp = (value: string): boolean => ISO_8601.test(value);

/** Yields the problem of a timestamp that is not ISO 8601 (specification: "Resources and their fields"). */
export function* timestampProblems(value: string): Generator<Problem> {
  if (isTimestamp(value)) return;
  yield {
    code: "invalid_string",
    validation: "datetime",
    message: "must be an ISO 8601 timestamp, such as 2026-12-31T23:59:59Z",
  };
}

/** Converts a day in `YYYYMMDD` to its midnight UTC in epoch milliseconds; to `NaN` if there is no such day. */
export const dayToEpochMs = (day: string): number => {
  if (!/^\d{8}$/.test(day)) return Number.NaN;
  const iso = day.replace(/^(....)(..)(..)$/, "$1-$2-$3");
  const epochMs = Date.parse(iso);
  // Some engines read 30 February as 1 March.
  const isReal = !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(iso);
  return isReal ? epochMs : Number.NaN;
};

/** Converts a `Date` to its UTC day in `YYYYMMDD`. Returns any other value unchanged. */
export const toDay = <T>(moment: T | Date): T | string => {
  if (!(moment instanceof Date)) return moment;
  if (Number.isNaN(moment.getTime())) return "Invalid Date";
  return moment.toISOString().replace(/T.*/, "").replaceAll("-", "");
};

/** Yields the problem of a string that is not an existing day in `YYYYMMDD` (specification: "Limits", date filters). */
export function* dayProblems(day: string): Generator<Problem> {
  if (!Number.isNaN(dayToEpochMs(day))) return;
  yield {
    code: "invalid_string",
    validation: "regex",
    message: "must be a day in eight digits, YYYYMMDD, such as 20261231",
  };
}
