import { describe, expect, test } from "vitest";
import { type PhoneReason, ValidationError } from "../../../src/core/errors.ts";
import { isUsOrCanadianNumber, parsePhone, toE164 } from "../../../src/core/rules/phone.ts";

describe("common formats of a number", () => {
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
    "206555.0123",
    "206.5550123",
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
    // from abroad
    "001 206 555 0123",
    "0012065550123",
    // cells of spreadsheets
    "'2065550123",
    "' 206-555-0123",
    '="2065550123"',
    '="+1 (206) 555-0123"',
    "'001 206 555 0123",
    // tel: links
    "tel:+12065550123",
    "tel:+1-206-555-0123",
    "tel: (206) 555-0123",
    "TEL:2065550123",
    "Tel:+1(206)555-0123",
    // typographic dots and dashes
    "206·555·0123",
    "206•555•0123",
    "206∙555∙0123",
    "+1·206·555·0123",
    "206‐555‐0123",
    "206‑555‑0123",
    "206–555–0123",
    "206—555—0123",
    "206−555−0123",
    // full-width characters, as East Asian keyboards type them
    "２０６５５５０１２３",
    "＋１２０６５５５０１２３",
    "（206）555－0123",
    "206　555　0123",
    "٢٠٦٥٥٥٠١٢٣",
  ])("the common format %j of a number is accepted", (text) => {
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
  ])("white space around a number is removed: %j and %j", (before, after) => {
    expect(toE164(`${before}(206) 555-0123${after}`)).toBe("+12065550123");
    expect(toE164(`${before}tel:+12065550123${after}`)).toBe("+12065550123");
  });

  test.each([
    ..."\t\n\u00A0\u1680\u2000\u2002\u2003\u2007\u2009\u200A\u202F\u205F\u3000",
    ..."\u00AD\u200B\u200C\u200D\u2060\uFEFF\uFE0F",
  ])("a space or an invisible character may be inside a number: %j", (character) => {
    expect(toE164(`206${character}555${character}0123`)).toBe("+12065550123");
    expect(toE164(`+1${character}206${character}555${character}0123`)).toBe("+12065550123");
    expect(toE164(`(+1)${character}(206)${character}555-${character}0123`)).toBe("+12065550123");
  });

  test.each([..."\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069"])(
    "the invisible direction mark %j is removed anywhere in a number",
    (mark) => {
      expect(toE164(`${mark}+1 206 555 0123`)).toBe("+12065550123");
      expect(toE164(`${mark}(206)${mark} 555-0123${mark}`)).toBe("+12065550123");
      expect(toE164(`${mark} (+1) 206${mark}5550123 ${mark}`)).toBe("+12065550123");
      expect(toE164(`${mark}tel:${mark}206-555-0123${mark}`)).toBe("+12065550123");
    },
  );
});

describe("regions of accepted numbers", () => {
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
    ["no region (toll-free)", "1-800-555-0199", "+18005550199"],
  ])("a number of %s is accepted: %s", (_, text, e164) => {
    expect(toE164(text)).toBe(e164);
  });
});

/** The message for each reason. For `symbols`, the symbol follows. */
const MESSAGES: Readonly<Record<PhoneReason, string>> = {
  empty: "this one is empty",
  incomplete: "this one has too few digits, counting the area code",
  too_long: "this one has too many digits",
  letters: "this one contains letters",
  symbols: "this one contains ",
  decimal: "this one is a decimal number of a spreadsheet",
  extension: "a text message cannot reach an extension",
  short_code: "this one is a short code",
  other_country: "this one belongs to another country",
  not_assigned: "this one is not in service",
};

describe("refused numbers", () => {
  test.each<[text: string, reason: PhoneReason, what?: string]>([
    ["+44 20 7946 0958", "other_country"],
    ["+44 20 CALL", "other_country"],
    ["+33 1 23 45 67 89", "other_country"],
    ["+52 55 1234 5678", "other_country"],
    ["＋44 20 7946 0958", "other_country"],
    ["011 44 20 7946 0958", "other_country"],
    ["0044 20 7946 0958", "other_country"],
    ["'+44 20 7946 0958", "other_country"],
    ['="2.065550123E9"', "decimal"],
    ['="206-555-0123 x1"', "extension"],
    ["tel:+442079460958", "other_country"],
    ["+1 876 555 0123", "other_country"],
    ["876-555-0123", "other_country"],
    ["+1 658 555 0123", "other_country"],
    ["1 (242) 555-0123", "other_country"],
    ["809-555-0123", "other_country"],
    ["829-555-0123", "other_country"],
    ["849-555-0123", "other_country"],
    ["+1 441 555 0123", "other_country"],
    ["+1 868 555 0123", "other_country"],
    ["206-555-0123 x12", "extension"],
    ["206-555-0123x12", "extension"],
    ["(206) 555-0123 ext. 12", "extension"],
    ["+1 206 555 0123 extension 5", "extension"],
    ["206-555-0123 #12", "extension"],
    ["2065550123,,12", "extension"],
    ["2065550123;ext=12", "extension"],
    ["tel:+1-206-555-0123;ext=12", "extension"],
    ["911", "short_code"],
    ["411", "short_code"],
    ["55512", "short_code"],
    ["555-123", "short_code"],
    ["20655", "incomplete"],
    ["123-4567-89 1", "incomplete"],
    ["12345", "incomplete"],
    ["123-456", "incomplete"],
    ["2065550", "incomplete"],
    ["206555012", "incomplete"],
    ["1206555012", "incomplete"],
    ["+1 206 555 012", "incomplete"],
    ["+1 206 555 01", "incomplete"],
    ["206 555 01", "incomplete"],
    ["+1 206 555", "incomplete"],
    ["684 633 123", "incomplete"],
    ["(310) 555-0", "incomplete"],
    ["3105550", "incomplete"],
    ["310-1234", "incomplete"],
    ["+1 310 1234", "incomplete"],
    ["310–5550", "incomplete"],
    ["tel:", "empty"],
    ["()", "incomplete"],
    ["20655501234", "too_long"],
    ["120655501234", "too_long"],
    ["1 206 555 01234", "too_long"],
    ["206 555 01234 5", "too_long"],
    ["206-555-0123 206-555-0124", "too_long"],
    ["555 123 4567", "not_assigned"],
    ["(555) 123-4567", "not_assigned"],
    ["(555) 12", "not_assigned"],
    ["5550123", "not_assigned"],
    ["555-0123", "not_assigned"],
    ["+1 555 0123", "not_assigned"],
    ["+1 555 555 0123", "not_assigned"],
    ["1 555 555 0123", "not_assigned"],
    ["106-555-0123", "not_assigned"],
    ["206-155-0123", "not_assigned"],
    ["+1 211 555 0123", "not_assigned"],
    ["02", "not_assigned"],
    ["206 011 44", "not_assigned"],
    ["310 12345", "not_assigned"],
    ["555 3101", "not_assigned"],
    ["call 206-555-0123 now", "letters"],
    ["206-555-0123 or 206-555-0124", "letters"],
    ["Mobile: 206-555-0123", "letters"],
    ["(206) 555-0123 (mobile)", "letters"],
    ["sms:+12065550123", "letters"],
    ["206 tel:555-0123", "letters"],
    ["tel:206-555-0123;phone-context=+1", "letters"],
    ["tel:206-555-0123;phone-context=example.com", "letters"],
    ["+1 206 CALL", "letters"],
    ["at", "letters"],
    ["telex", "letters"],
    ["1-800-FLOWERS", "letters"],
    ["звоните 206-555-0123", "letters"],
    ["owner@example.com", "letters"],
    ["206*555*0123", "symbols", "the sign *, which no format has"],
    ["206_555_0123", "symbols"],
    [" <+12065550123>", "symbols", "the sign <, which no format has"],
    ['="206-555-0123', "symbols", "the sign =, which no format has"],
    ["'2065550123'", "symbols", "the sign ', which no format has"],
    ["206.555.0123$", "symbols", "the sign $, which no format has"],
    ['"206-555-0123"', "symbols", 'the sign ", which no format has'],
    ["++12065550123", "symbols", "the sign +, which no format has"],
    ["𝟐𝟎𝟔 𝟓𝟓𝟓 𝟎𝟏𝟐𝟑", "symbols", "a character that no format has"],
    ["206 555 𝟎𝟏𝟐𝟑", "symbols"],
    ["²065550123", "symbols", "a character that no format has"],
    ["½065550123", "symbols"],
    ["①②③", "symbols"],
    ["2️⃣0️⃣6️⃣5️⃣5️⃣5️⃣0️⃣1️⃣2️⃣3️⃣", "symbols"],
    // Most of these would become someone else's number if only the digits were read.
    ["206555012.0", "decimal"],
    ["206555012.00", "decimal"],
    ["1206555012.0", "decimal"],
    ["+1206555012.0", "decimal"],
    [" 206555012.5\u00A0", "decimal"],
    ["206 555 012.0", "decimal"],
    ["2065550123,0", "decimal"],
    ["206\u202F555\u202F012.0", "decimal"],
    ["２０６５５５０１２．０", "decimal"],
    ["2065550123.0", "decimal"],
    ["12065550123.0", "decimal"],
    ["2.065550123E9", "decimal"],
    ["2.065550123E+09", "decimal"],
    ["2,07E+09", "decimal"],
    ["2e9", "decimal"],
    // Strings that have more than 250 characters after trimming are never phone numbers.
    [`206${"-".repeat(300)}5550123`, "symbols"],
    [`206${" ".repeat(300)}555`, "symbols"],
    ["5".repeat(300), "too_long"],
    ["x".repeat(300), "letters"],
    ["", "empty"],
    ["   ", "empty"],
    ["\u200E", "empty"],
  ])("the number %j is refused with the reason %s and its message", (text, reason, what = "") => {
    const start = "must be a valid U.S. or Canadian phone number, in any common format: ";
    const message = expect.stringContaining(start + MESSAGES[reason] + what);
    expect(parsePhone(text)).toEqual({ code: "custom", validation: "phone", reason, message });
    expect(isUsOrCanadianNumber(text)).toBe(false);
  });

  test.each([undefined, null, 2065550123, 12065550123n, true, {}, ["2065550123"], Symbol("x")])(
    "the phone number %s is refused because it is not a string",
    (value) => {
      const problem = { code: "invalid_type", type: "string", message: "must be a string" };
      expect(parsePhone(value)).toEqual(problem);
    },
  );
});

test.each([" ", "\u200E", "\u00A0", "\n"])(
  "a number is accepted with any amount of %j around it",
  (around) => {
    expect(toE164(`${around.repeat(1_000)}206-555-0123${around.repeat(1_000)}`)).toBe(
      "+12065550123",
    );
  },
);

test("toE164 throws a ValidationError that names the argument and never quotes the number", () => {
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
    errors: [
      { code: "custom", validation: "phone", reason: "other_country", path: ["phoneNumber"] },
    ],
  });
  expect(String(thrown)).toMatch(/^ValidationError: phoneNumber: must be .*another country$/);
  expect(String(thrown)).not.toMatch(/876|0123/);
});
