import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTimestamp, timestampProblems } from "../../src/rules/timestamp.ts";

describe("a timestamp", () => {
  test.each([
    "2026-12-31T23:59:59Z",
    "2026-12-31T23:59:59.123Z",
    "2026-12-31T23:59:59,123456789Z",
    "2026-12-31t23:59:59z",
    "2026-12-31T23:59:60Z",
    "2026-12-31T23:59Z",
    "2026-12-31T23:59:59+02:00",
    "2026-12-31T23:59:59-0800",
    "2026-12-31T23:59:59-08",
    "2026-12-31T24:00:00Z",
    "2026-12-31T23:59:59",
    "2026-12-31",
  ])("a timestamp may be %s, which is ISO 8601", (text) => {
    expect(isTimestamp(text)).toBe(true);
    expect([...timestampProblems(text)]).toEqual([]);
  });

  test.each([
    "",
    "yesterday",
    "1798761599",
    "31.12.2026",
    "12/31/2026 23:59",
    "2026-12-31 23:59:59 UTC",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-12-32T00:00:00Z",
    "2026-12-31T25:00:00Z",
    "2026-12-31T23:60:00Z",
    "2026-12-31T23:59:59Z ",
    " 2026-12-31T23:59:59Z",
    "2026-12-31T23:59:59Z\n",
    "2026-12-31T",
    "Thu, 31 Dec 2026 23:59:59 GMT",
  ])("a timestamp may not be %j", (text) => {
    expect(isTimestamp(text)).toBe(false);
    expect([...timestampProblems(text)]).toEqual([
      {
        code: "invalid_string",
        validation: "datetime",
        message: "must be an ISO 8601 timestamp, such as 2026-12-31T23:59:59Z",
      },
    ]);
  });

  test("a timestamp may be any moment as JavaScript writes it", () => {
    const date = fc.date({
      min: new Date("0000-01-01"),
      max: new Date("9999-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (moment) => {
        expect(isTimestamp(moment.toISOString())).toBe(true);
      }),
    );
  });
});
