import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTimestamp, timestampProblems } from "../../../src/core/rules/dates.ts";

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
    "2026-12-31T24:00Z",
    "2026-12-31T24:00:00.000Z",
    "2028-02-29T00:00:00Z",
    "2000-02-29",
    "2400-02-29",
    "0000-02-29",
    "0004-02-29",
    "2031-01-31T00:00:00Z",
    "2031-04-30T00:00:00Z",
  ])("the timestamp %s is accepted as ISO 8601", (text) => {
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
    "2026-12-31T24:00:01Z",
    "2026-12-31T24:30Z",
    "2026-12-31T24:00:00.5Z",
    "2026-12-31T23:59:61Z",
    "2026-12-31T23:59:59+24:00",
    // Days and times that do not exist, and invalid formats.
    "2031-02-30T00:00:00Z",
    "2031-02-29",
    "2031-04-31T12:00:00+02:00",
    "2031-06-31",
    "2031-09-31",
    "2031-11-31",
    "1900-02-29",
    "2100-02-29T00:00:00Z",
    "0001-02-29",
    "2026-12-31T23:60:00Z",
    "2026-12-31T23:59:59Z ",
    " 2026-12-31T23:59:59Z",
    "2026-12-31T23:59:59Z\n",
    "2026-12-31T",
    "Thu, 31 Dec 2026 23:59:59 GMT",
  ])("the timestamp %j is refused", (text) => {
    expect(isTimestamp(text)).toBe(false);
    expect([...timestampProblems(text)]).toEqual([
      {
        code: "invalid_string",
        validation: "datetime",
        message: "must be an ISO 8601 timestamp, such as 2026-12-31T23:59:59Z",
      },
    ]);
  });

  test("a timestamp needs a day of the calendar, in every month of four centuries", () => {
    for (let year = 1800; year < 2200; year += 1) {
      for (let month = 1; month <= 12; month += 1) {
        const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
        const date = `${year}-${String(month).padStart(2, "0")}`;
        for (let day = 28; day <= 31; day += 1) {
          expect(isTimestamp(`${date}-${day}`), `${date}-${day}`).toBe(day <= days);
        }
      }
    }
  });

  test("a timestamp may be any moment that JavaScript formats", () => {
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
