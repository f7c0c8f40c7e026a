import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayProblems, dayToEpochMs, toDay } from "../../../src/core/rules/dates.ts";

describe("a day in eight digits", () => {
  test.each([
    ["19700101", 0],
    ["20260101", Date.UTC(2026, 0, 1)],
    ["20261231", Date.UTC(2026, 11, 31)],
    ["20240229", Date.UTC(2024, 1, 29)],
    ["20000229", Date.UTC(2000, 1, 29)],
    ["99991231", Date.UTC(9999, 11, 31)],
  ])("the day %s is valid", (day, epochMs) => {
    expect(dayToEpochMs(day)).toBe(epochMs);
    expect([...dayProblems(day)]).toEqual([]);
  });

  test.each([
    "",
    "2026-01-01",
    "2026011",
    "202601011",
    "20260230",
    "20250229",
    "21000229",
    "20260431",
    "20261301",
    "20260001",
    "20260100",
    "20260132",
    "020260101",
    "x20260101",
    "20260101x",
    " 20260101",
    "20260101\n",
    "２０２６０１０１",
    "abcdefgh",
    "Invalid Date",
  ])("the day %j is not valid", (day) => {
    expect(dayToEpochMs(day)).toBeNaN();
    expect([...dayProblems(day)]).toEqual([
      {
        code: "invalid_string",
        validation: "regex",
        message: "must be a day in eight digits, YYYYMMDD, such as 20261231",
      },
    ]);
  });

  test("a day in eight digits is valid exactly if the calendar has it", () => {
    const upTo = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 9999 }), upTo(13), upTo(32), (year, month, date) => {
        const two = (value: number) => String(value).padStart(2, "0");
        const moment = new Date(Date.UTC(year, month - 1, date));
        const isReal = moment.getUTCMonth() === month - 1 && moment.getUTCDate() === date;
        const expected = isReal ? moment.getTime() : Number.NaN;
        expect(dayToEpochMs(`${year}${two(month)}${two(date)}`)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("toDay", () => {
  test.each([
    ["2026-01-01T00:00:00.000Z", "20260101"],
    ["2026-01-01T23:59:59.999Z", "20260101"],
    ["2026-01-01T23:30:00-05:00", "20260102"],
    ["2026-01-01T01:00:00+02:00", "20251231"],
  ])("toDay converts %s to the UTC day %s", (moment, day) => {
    expect(toDay(new Date(moment))).toBe(day);
  });

  test.each(["20260101", "not a day", undefined, null, 20260101])(
    "toDay returns %j unchanged",
    (value) => {
      expect(toDay(value)).toBe(value);
    },
  );

  test.each([
    ["an invalid date", new Date(Number.NaN)],
    ["a day after the year 9999", new Date(Date.UTC(10_000, 0, 1))],
    ["a day before the year 0", new Date(Date.UTC(-1, 0, 1))],
  ])("toDay converts %s to an invalid day and does not throw", (_, moment) => {
    expect([...dayProblems(toDay<never>(moment))]).toHaveLength(1);
  });

  test("toDay converts every moment of a day to this day", () => {
    const date = fc.date({
      min: new Date("1000-01-01"),
      max: new Date("9999-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (moment) => {
        const midnight = dayToEpochMs(toDay<never>(moment));
        expect(moment.getTime() - midnight).toBeGreaterThanOrEqual(0);
        expect(moment.getTime() - midnight).toBeLessThan(86_400_000);
      }),
    );
  });
});
