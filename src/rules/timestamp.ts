import type { Problem } from "./problem.ts";

const DATE = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`(?:[01]\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d+)?)?`;
const OFFSET = String.raw`(?:Z|[+-](?:[01]\d|2[0-4])(?::?[0-5]\d)?)`;
const ISO_8601 = /* @__PURE__ */ new RegExp(`^${DATE}(?:T${TIME}${OFFSET}?)?$`, "i");

/** Returns whether a string is an ISO 8601 date, or date and time, in the extended format. */
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
