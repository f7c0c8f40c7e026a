import { describe, expect, test } from "vitest";
import { phoneReasons } from "../../../src/core/errors.ts";
import { checkPhone } from "../../../src/core/rules/phone.ts";

/** Returns every proper prefix of a text, starting with the empty string. */
const prefixesOf = (text: string): string[] => Array.from(text, (_, index) => text.slice(0, index));

describe("checkPhone", () => {
  test("checkPhone returns a valid number in E.164", () => {
    expect(checkPhone("(206) 555-0123")).toEqual({
      valid: true,
      e164: "+12065550123",
      incomplete: false,
    });
  });

  test.each([
    ["", "empty", "this one is empty"],
    ["(206) 55", "incomplete", "this one has too few digits, counting the area code"],
    ["(310) 555-0", "incomplete", "this one has too few digits, counting the area code"],
    ["911", "short_code", "this one is a short code"],
    ["+44 20", "other_country", "this one belongs to another country"],
    ["876", "other_country", "this one belongs to another country"],
    ["(555) ", "not_assigned", "this one is not in service"],
    ["206-555-0123 x1", "extension", "a text message cannot reach an extension"],
    ["20655501234", "too_long", "this one has too many digits"],
    ["1-800-FLOWERS", "letters", "this one contains letters"],
    ["206*555*0123", "symbols", "this one contains the sign *, which no format has"],
    ["𝟐𝟎𝟔", "symbols", "this one contains a character that no format has"],
    ["206ー55", "incomplete", "this one has too few digits, counting the area code"],
    ["206555012.0", "decimal", "this one is a decimal number of a spreadsheet"],
  ])(
    "checkPhone returns why %j is not valid, and whether more digits can help",
    (text, reason, why) => {
      expect(checkPhone(text)).toEqual({
        valid: false,
        incomplete: reason === "empty" || reason === "incomplete",
        reason,
        message: `Enter a valid U.S. or Canadian phone number: ${why}.`,
      });
    },
  );

  test.each([
    ...["(206) 555-0123", "206-555-0123", "206.555.0123", "206·555·0123", "206 555 0123"],
    ...["2065550123", "12065550123", "+12065550123", "+1 (206) 555-0123", "(+1) 206 555 0123"],
    ...["1-206-555-0123", "011 1 206 555 0123", "001 206 555 0123", "'2065550123"],
    ...["tel:+1-206-555-0123", "２０６５５５０１２３", "＋１２０６５５５０１２３"],
    ...["٢٠٦٥٥٥٠١٢٣", "604-555-0123"],
    ...["(787) 555-0123", "684-633-1234", "670-234-5678", "671-555-0123", "340-555-0123"],
    ...["1-800-555-0199", "523-209-1234", "912-345-6789", "310-555-0123", "+1 (310) 555-0123"],
    ...["436-555-0123", "206\u202F555\u202F0123", "206．555．0123", "（206）555－0123"],
    ...["1206555.0123", "011 1 206 555.0123", "1 1 206 555 0123", "+1 (1) 206 555 0123"],
  ])("checkPhone returns empty or incomplete for every beginning of %s", (text) => {
    expect(checkPhone(text).valid).toBe(true);
    for (const typed of prefixesOf(text)) {
      const reason = /^(tel:|')?$/.test(typed) ? "empty" : "incomplete";
      expect(checkPhone(typed), typed).toMatchObject({ valid: false, reason, incomplete: true });
    }
  });

  test("checkPhone detects digits that no further digits can make valid", () => {
    for (const digits of ["555", "5551", "911", "876", "0", "2061", "206911"]) {
      const { incomplete } = checkPhone(digits);
      const canBeCompleted = Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).some(
        (longer) => checkPhone(longer).incomplete,
      );
      expect(incomplete, digits).toBe(canBeCompleted);
    }
  });

  test.each([
    ...["𝟐", "𝟐𝟎𝟔 𝟓𝟓𝟓", "206 𝟓", "𝟐𝟎𝟔 𝟓𝟓𝟓 𝟎𝟏𝟐𝟑", "２０６②", "2️⃣0️⃣6️⃣", "①", "२०६", "Ⅳ", "206*"],
    ...["206_55", "206#", "++1206", "206;", "🎉"],
  ])("checkPhone never calls %j incomplete, because no digit can complete it", (text) => {
    expect(checkPhone(text)).toMatchObject({ reason: "symbols", incomplete: false });
  });

  test("checkPhone has a closed set of reasons", () => {
    expect(phoneReasons).toEqual([
      "empty",
      "incomplete",
      "too_long",
      "letters",
      "symbols",
      "decimal",
      "extension",
      "short_code",
      "other_country",
      "not_assigned",
    ]);
  });

  test.each([undefined, null])("checkPhone calls %s empty", (value) => {
    expect(checkPhone(value)).toMatchObject({ reason: "empty", incomplete: true });
  });
});
