import { beforeEach, describe, expect, test, vi } from "vitest";
import { parseRetryAfter } from "../../../src/core/responses/response-error.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
/** Time zones of the process. A date that was read as local time would differ between them. */
const ZONES = ["UTC", "America/New_York", "Asia/Tokyo"];

const parse = (value: string, date?: string) =>
  parseRetryAfter(new Headers({ "retry-after": value, ...(date ? { date } : {}) }), NOW);

describe.each(ZONES)("parseRetryAfter in the zone %s", (zone) => {
  beforeEach(() => void vi.stubEnv("TZ", zone));

  test("the time zone of the test applies", () => {
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
  });

  test.each([
    ["0", 0],
    ["1", 1000],
    ["120", 120_000],
    [" 7 ", 7000],
    ["007", 7000],
    ["0.5", 500],
    ["1.0001", 1001],
    ["2.9999", 3000],
    ["31536000", 31_536_000_000],
  ])("a Retry-After of %j is %d ms", (value, ms) => {
    expect(parse(value)).toBe(ms);
  });

  test.each([
    ["1767225630", 30_000],
    ["1767225630.25", 30_250],
    ["1767225630000", 30_000],
    ["1767830400", 604_800_000],
    ["1767830400000", 604_800_000],
    ["1767225600", 0],
    ["1767225599", 0],
    ["1766620800", 0],
  ])(
    "a Retry-After of %j, the seconds or milliseconds since 1970 of a time within a week, is %d ms",
    (value, ms) => {
      expect(parse(value)).toBe(ms);
    },
  );

  test("a time since 1970 is compared with the Date of the response", () => {
    expect(parse("978307260", "Mon, 01 Jan 2001 00:00:00 GMT")).toBe(60_000);
  });

  test.each([
    "31536000.001",
    "31536001",
    "1766620799",
    "1767830401",
    "1767830400001",
    "999999999999",
    "9999999999999",
    "99999999999999999999",
    "1".repeat(30),
    "2026-01-01T00:00:30",
    "Fri, 01 Jan 2027 00:00:01 GMT",
    "Sun, 01 Jan 2099 00:00:00 GMT",
  ])(
    "a Retry-After of %j is neither a wait nor a time that may be meant, and is ignored",
    (value) => {
      expect(parse(value)).toBeUndefined();
    },
  );

  test.each([
    ["Thu, 01 Jan 2026 00:00:30 GMT", undefined, 30_000],
    ["Thursday, 01-Jan-26 00:00:30 GMT", undefined, 30_000],
    ["Thu Jan  1 00:00:30 2026", undefined, 30_000],
    ["Thu Jan  1 00:00:30 2026", "Thu Jan  1 00:00:10 2026", 20_000],
    ["Thu, 01 Jan 2026 00:00:30", undefined, 30_000],
    ["2026-01-01T02:00:30+02:00", undefined, 30_000],
    ["Fri, 01 Jan 2027 00:00:00 GMT", undefined, 31_536_000_000],
    ["2026-01-01T00:00:30Z", undefined, 30_000],
    ["Wed, 31 Dec 2025 23:59:59 GMT", undefined, 0],
    ["Mon, 01 Jan 2001 00:01:00 GMT", "Mon, 01 Jan 2001 00:00:00 GMT", 60_000],
    ["Thu, 01 Jan 2099 00:00:05 GMT", "Thu, 01 Jan 2099 00:00:00 GMT", 5000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", "yesterday", 30_000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", "Thu, 01 Jan 2026 00:01:00 GMT", 0],
  ])("a Retry-After of %j in a response with the Date %j is %d ms", (value, date, ms) => {
    expect(parse(value, date)).toBe(ms);
  });

  test.each([
    "",
    "   ",
    "-1",
    "-0.5",
    "soon",
    "soon 4",
    "5 Jan",
    "NaN",
    "Infinity",
    "1e3",
    "0x10",
    "5s",
    "12 34",
  ])("a Retry-After of %j is ignored", (value) => {
    expect(parse(value) ?? 0).toBe(0);
  });

  test("a negative Retry-After is ignored instead of read as zero", () => {
    expect(parse("-5")).toBeUndefined();
  });

  test.each([
    ["5, 9", 9000],
    ["9, 5", 9000],
    ["5,9,7", 9000],
    ["1,5", 5000],
    ["soon, 4", 4000],
    ["Thu, 01 Jan 2026 00:00:30 GMT, 4", 30_000],
    ["40, Thu, 01 Jan 2026 00:00:30 GMT", 40_000],
    ["Thursday, 01-Jan-26 00:00:30 GMT, Thu, 01 Jan 2026 00:00:50 GMT", 50_000],
    ["Thu Jan  1 00:00:30 2026, 4", 30_000],
    ["9999999999999, 4", 4000],
    ["soon, later", undefined],
  ])("the longest wait of a repeated Retry-After is used: %j", (value, ms) => {
    expect(parse(value)).toBe(ms);
  });

  test("parseRetryAfter returns undefined without the header", () => {
    expect(parseRetryAfter(new Headers())).toBeUndefined();
  });
});
