// Cases that were missing from the tables of test/rules.
import { describe, expect, test } from "vitest";
import { toGsm7 } from "../../src/index.ts";
import { contentTypeProblems } from "../../src/rules/content-type.ts";
import { dayToEpochMs } from "../../src/rules/dates.ts";
import { httpsUrlProblems } from "../../src/rules/https-url.ts";
import { parsePhone } from "../../src/rules/phone.ts";

describe("toGsm7", () => {
  test.each([
    ["1·2∙3。", "1.2.3."],
    ["a¦b", "a|b"],
    ["5¢", "5c"],
    ["a ≠ b", "a != b"],
    ["2½", "2 1/2"],
    ["a½", "a1/2"],
    ["½", "1/2"],
    ["2⑴", "2(1)"],
    ["e\u0301\u0327", "e"],
    ["\u0301\u0327a", "a"],
  ])("toGsm7 writes %j as %j", (text, expected) => {
    expect(toGsm7(text)).toBe(expected);
  });
});

describe("messages of refused content types", () => {
  test.each([
    ["", "an empty one is not"],
    ["; charset=utf-8", "an empty one is not"],
    ["Text/HTML; charset=utf-8", "text/html is not"],
    [`text/${"x".repeat(200)}`, `text/${"x".repeat(75)} is not`],
  ])("the message names the refused content type of %j", (contentType, expected) => {
    const [problem] = contentTypeProblems(contentType);
    expect(problem?.message).toContain(expected);
  });
});

describe("URLs that contain https:// but do not start with it", () => {
  test.each(["x:https://example.com/", "a https://example.com"])(
    "the URL %j is refused because it does not start with https://",
    (url) => {
      const [problem] = httpsUrlProblems(url);
      expect(problem?.message).toContain("does not begin with https://");
    },
  );
});

describe("messages of refused phone numbers", () => {
  test.each([
    ["206 tel:555-0123", "this one contains letters"],
    ["206*555*0123", "the sign *, which no format has"],
    ['"206-555-0123"', 'the sign " in front, which no format has'],
    ['="206-555-0123', "the sign = in front, which no format has"],
    [" <+12065550123>", "the sign < in front, which no format has"],
    ["++12065550123", "the sign +, which no format has"],
    ["'2065550123'", "the sign ', which no format has"],
    ["206.555.0123$", "the sign $, which no format has"],
    ["𝟐𝟎𝟔 𝟓𝟓𝟓 𝟎𝟏𝟐𝟑", "a character that no format has"],
    ["+1 206 555 01", "too few digits"],
    ["206 555 01", "too few digits"],
    ["1 206 555 01234", "too many digits"],
    ["206 555 01234 5", "too many digits"],
    ["1 555 555 0123", "not in service"],
    ["123-4567-89 1", "too few digits"],
  ])("the message for the phone number %s is %s", (text, expected) => {
    const parsed = parsePhone(text);
    expect("message" in parsed ? parsed.message : parsed).toContain(expected);
  });
});

describe("days and hours", () => {
  test.each(["x20270101", "20270101x", "020270101", "202701011", " 20270101"])(
    "the query day %j is refused",
    (day) => {
      expect(dayToEpochMs(day)).toBeNaN();
    },
  );
});
