import { describe, expect, test } from "vitest";
import { ValidationError } from "../../src/errors/validation-error.ts";
import { isUsOrCanadianNumber, parsePhone, toE164 } from "../../src/rules/phone.ts";

const messageOf = (text: unknown): string => {
  const parsed = parsePhone(text);
  return "message" in parsed ? parsed.message : `accepted as ${parsed.e164}`;
};

describe("common formats of one number", () => {
  test.each([
    "2065550123",
    "12065550123",
    "+12065550123",
    "+1 206 555 0123",
    "+1-206-555-0123",
    "+1.206.555.0123",
    "+1206-555-0123",
    "+ 1 206 555 0123",
    "1-206-555-0123",
    "1 (206) 555-0123",
    "+1 (206) 555-0123",
    "+1 (206) 555 – 0123",
    "(206) 555-0123",
    "(206)555-0123",
    "(206) 555 0123",
    "206-555-0123",
    "206 555 0123",
    "206.555.0123",
    "206/555/0123",
    "206 - 555 - 0123",
    "[206] 555-0123",
    "011 1 206 555 0123",
    "(1) 206 555 0123",
    "(1-206) 555-0123",
    // (+1)
    "(+1) 206 555 0123",
    "(+1)2065550123",
    "(+1)(206)555-0123",
    "( +1 ) 206-555-0123",
    "(+ 1) 206.555.0123",
    // tel: links
    "tel:+12065550123",
    "tel:+1-206-555-0123",
    "tel: (206) 555-0123",
    "TEL:2065550123",
    "Tel:+1(206)555-0123",
    // dots and dashes of typography
    "206·555·0123",
    "206•555•0123",
    "206∙555∙0123",
    "+1·206·555·0123",
    "206‐555‐0123",
    "206‑555‑0123",
    "206–555–0123",
    "206—555—0123",
    "206−555−0123",
    // full-width, as an East Asian keyboard types it
    "２０６５５５０１２３",
    "＋１２０６５５５０１２３",
    "（206）555－0123",
    "206　555　0123",
    "٢٠٦٥٥٥٠١٢٣",
  ])("%j", (text) => {
    expect(parsePhone(text)).toEqual({ e164: "+12065550123" });
    expect(isUsOrCanadianNumber(text)).toBe(true);
  });

  test.each([
    [" ", " "],
    ["\t", "\n"],
    ["\r\n", "\r\n"],
    ["\u00A0", "\u202F"],
    ["\u2009", "\u3000"],
    ["\uFEFF", "\u2028"],
  ])("white space around it: %j and %j", (before, after) => {
    expect(toE164(`${before}(206) 555-0123${after}`)).toBe("+12065550123");
    expect(toE164(`${before}tel:+12065550123${after}`)).toBe("+12065550123");
  });

  test.each([..."\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069"])(
    "the invisible direction mark %j, anywhere",
    (mark) => {
      expect(toE164(`${mark}+1 206 555 0123`)).toBe("+12065550123");
      expect(toE164(`${mark}(206)${mark} 555-0123${mark}`)).toBe("+12065550123");
      expect(toE164(`${mark} (+1) 206${mark}5550123 ${mark}`)).toBe("+12065550123");
      expect(toE164(`${mark}tel:${mark}206-555-0123${mark}`)).toBe("+12065550123");
    },
  );
});

describe("regions", () => {
  test.each([
    ["a U.S. state", "(206) 555-0123", "+12065550123"],
    ["the District of Columbia", "202-555-0123", "+12025550123"],
    ["Canada", "604-555-0123", "+16045550123"],
    ["Canada", "+1 416 555 0123", "+14165550123"],
    ["Puerto Rico", "787-555-0123", "+17875550123"],
    ["Puerto Rico", "939-555-0123", "+19395550123"],
    ["the U.S. Virgin Islands", "(340) 555-0123", "+13405550123"],
    ["Guam", "671-555-0123", "+16715550123"],
    ["American Samoa", "684-633-1234", "+16846331234"],
    ["the Northern Mariana Islands", "670-234-5678", "+16702345678"],
    ["no region: toll-free", "1-800-555-0199", "+18005550199"],
  ])("%s: %s", (_, text, e164) => {
    expect(toE164(text)).toBe(e164);
  });
});

describe("refused, with a message that says which", () => {
  test.each<readonly [text: string, why: RegExp]>([
    // Other countries, and their part of +1
    ["+44 20 7946 0958", /another country/],
    ["+33 1 23 45 67 89", /another country/],
    ["+52 55 1234 5678", /another country/],
    ["tel:+442079460958", /another country/],
    ["+1 876 555 0123", /another country/],
    ["876-555-0123", /another country/],
    ["+1 658 555 0123", /another country/],
    ["1 (242) 555-0123", /another country/],
    ["809-555-0123", /another country/],
    ["829-555-0123", /another country/],
    ["849-555-0123", /another country/],
    ["+1 441 555 0123", /another country/],
    ["+1 868 555 0123", /another country/],
    // Extensions
    ["206-555-0123 x12", /extension/],
    ["206-555-0123x12", /extension/],
    ["(206) 555-0123 ext. 12", /extension/],
    ["+1 206 555 0123 extension 5", /extension/],
    ["206-555-0123 #12", /extension/],
    ["2065550123,,12", /extension/],
    ["2065550123;ext=12", /extension/],
    ["tel:+1-206-555-0123;ext=12", /extension/],
    // Short codes
    ["911", /short code/],
    ["12345", /short code/],
    ["123-456", /short code/],
    // Digits
    ["5550123", /area code is missing/],
    ["555-0123", /area code is missing/],
    ["206555012", /too few digits/],
    ["+1 206 555 012", /too few digits/],
    ["+1 206 555", /too few digits/],
    ["+1 555 0123", /area code is missing/],
    ["20655501234", /too many digits/],
    ["120655501234", /too many digits/],
    ["206-555-0123 206-555-0124", /too many digits/],
    // Never assigned
    ["555 123 4567", /no such number/],
    ["(555) 123-4567", /no such number/],
    ["+1 555 555 0123", /no such number/],
    ["106-555-0123", /no such number/],
    ["206-155-0123", /no such number/],
    ["+1 211 555 0123", /no such number/],
    // More than a number
    ["call 206-555-0123 now", /more than a number/],
    ["206-555-0123 or 206-555-0124", /more than a number/],
    ["Mobile: 206-555-0123", /more than a number/],
    ["(206) 555-0123 (mobile)", /more than a number/],
    ["sms:+12065550123", /more than a number/],
    ["1-800-FLOWERS", /more than a number/],
    // Nothing
    ["", /no number in it/],
    ["   ", /no number in it/],
    ["()", /no number in it/],
    ["tel:", /no number in it/],
    ["owner@example.com", /no number in it/],
  ])("%j: %s", (text, why) => {
    expect(parsePhone(text)).toMatchObject({ code: "custom", validation: "phone" });
    expect(messageOf(text)).toMatch(why);
    expect(isUsOrCanadianNumber(text)).toBe(false);
  });

  test.each(["206_555_0123", "<+12065550123>", "206\t555\t0123", '"206-555-0123"'])(
    "%j: not that the number, which is valid, is not in service",
    (text) => {
      expect(isUsOrCanadianNumber("2065550123")).toBe(true);
      expect(messageOf(text)).not.toMatch(/no such number/);
    },
  );

  test("++12065550123: not that it is of another country", () => {
    expect(messageOf("++12065550123")).toMatch(/must be a valid U\.S\. or Canadian phone number/);
    expect(messageOf("++12065550123")).not.toMatch(/another country/);
  });

  test.each([undefined, null, 2065550123, 12065550123n, true, {}, ["2065550123"], Symbol("x")])(
    "%s, which is no string",
    (value) => {
      const problem = { code: "invalid_type", type: "string", message: "must be a string" };
      expect(parsePhone(value)).toEqual(problem);
    },
  );
});

test("toE164 throws a ValidationError that names the argument, and never the number", () => {
  const thrown = (() => {
    try {
      return toE164("+1 876 555 0123");
    } catch (error) {
      return error;
    }
  })();
  expect(thrown).toBeInstanceOf(ValidationError);
  expect(thrown).toMatchObject({
    source: "client",
    outcome: "not_sent",
    errors: [{ code: "custom", validation: "phone", path: ["phoneNumber"] }],
  });
  expect(String(thrown)).toMatch(/^ValidationError: phoneNumber: must be .*another country$/);
  expect(String(thrown)).not.toMatch(/876|0123/);
});
