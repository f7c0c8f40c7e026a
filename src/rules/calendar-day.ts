import type { Problem } from "./problem.ts";

/** Returns midnight UTC of a day in `YYYYMMDD` as epoch milliseconds, or `NaN` if there is no such day. */
export const dayToEpochMs = (day: string): number => {
  if (!/^\d{8}$/.test(day)) return Number.NaN;
  const iso = day.replace(/^(....)(..)(..)$/, "$1-$2-$3");
  const epochMs = Date.parse(iso);
  // Some engines read 30 February as 1 March.
  const isReal = !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(iso);
  return isReal ? epochMs : Number.NaN;
};

/** Converts a `Date` to its UTC day in `YYYYMMDD`, and leaves anything else as it is. */
export const toDay = <T>(moment: T | Date): T | string => {
  if (!(moment instanceof Date)) return moment;
  if (Number.isNaN(moment.getTime())) return "Invalid Date";
  return moment.toISOString().replace(/T.*/, "").replaceAll("-", "");
};

/** Yields the problem of a string that is no day in `YYYYMMDD` (specification: "Limits", date filters). */
export function* dayProblems(day: string): Generator<Problem> {
  if (!Number.isNaN(dayToEpochMs(day))) return;
  yield {
    code: "invalid_string",
    validation: "regex",
    message: "must be a day in eight digits, YYYYMMDD, such as 20261231",
  };
}
