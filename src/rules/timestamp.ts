import type { Problem } from "./problem.ts";

const DATE_OF_ANY_YEAR = String.raw`\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`;
const LEAP_DAY = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`;
const TIME = String.raw`(?:(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?|24:00(?::00(?:[.,]0+)?)?)`;
const OFFSET = String.raw`(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)`;
const ISO_8601 = /* @__PURE__ */ new RegExp(
  `^(?:${DATE_OF_ANY_YEAR}|${LEAP_DAY})(?:T${TIME}${OFFSET}?)?$`,
  "i",
);

/** Returns whether a string is an ISO 8601 day of the calendar, or a day and time, in the extended format. */
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
