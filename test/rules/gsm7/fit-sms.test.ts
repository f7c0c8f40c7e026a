import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { fitSms } from "../../../src/rules/gsm7/fit-sms.ts";
import { toGsm7 } from "../../../src/rules/gsm7/gsm7.ts";
import { smsFailoverProblems } from "../../../src/rules/gsm7/sms-failover.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("fitSms", () => {
  test.each([
    ["", "", false],
    ["Your table is ready", "Your table is ready", false],
    ["“Hi” — it’s 5 €…", '"Hi" - it\'s 5 €...', false],
    ["Ready 🎉 come in", "Ready come in", true],
    ["soft\u00ADhyphen", "softhyphen", false],
    ["Привет", "Привет", false],
  ])(
    "fitSms converts %j to %j, and reports whether anything was lost: %j",
    (text, written, lost) => {
      expect(fitSms(text)).toEqual({ text: written, lost, shortened: false });
      expect(fitSms(text, { limit: 160 })).toEqual({ text: written, lost, shortened: false });
    },
  );

  test.each([
    [19, "Your table is ready"],
    [18, "Your table is..."],
    [16, "Your table is..."],
    [15, "Your table..."],
    [13, "Your table..."],
    [12, "Your..."],
    [7, "Your..."],
    // No word fits.
    [6, "You..."],
    [4, "Y..."],
    [3, "..."],
    [1, "."],
  ])("fitSms shortens to %i characters at a word: %j", (limit, text) => {
    const shortened = limit < 19;
    expect(fitSms("Your table is ready", { limit })).toEqual({ text, lost: shortened, shortened });
  });

  test.each([
    ["One, two", 7, "One..."],
    ["One. Two three", 10, "One..."],
    ["One - two three", 12, "One - two..."],
    ["One\nTwo three", 11, "One\nTwo..."],
    ["A veryveryverylongword", 12, "A..."],
    ["veryveryverylongword", 12, "veryveryv..."],
  ])("fitSms shortens %j to %i characters without a trailing sign: %j", (text, limit, expected) => {
    expect(fitSms(text, { limit }).text).toBe(expected);
  });

  test("fitSms shortens the text after the conversion, not before", () => {
    expect(fitSms(`${"🎉".repeat(200)} Sale`)).toEqual({
      text: "Sale",
      lost: true,
      shortened: false,
    });
    expect(fitSms("…".repeat(60)).shortened).toBe(true);
  });

  test("fitSms never cuts inside a character", () => {
    const word = "ж\u0301".repeat(10);
    expect(fitSms(word, { limit: 8 }).text).toBe("ж\u0301ж\u0301...");
    expect(fitSms("𝒳ж".repeat(1) + "𐐀".repeat(10), { limit: 6 }).text).toMatch(/^..?.\.\.\.$/u);
  });

  test.each([0, -1, 1.5, Number.NaN, "160", null])("fitSms refuses %j as a limit", (limit) => {
    expect(() => fitSms("a", { limit: limit as number })).toThrow(
      new TypeError("option `limit` must be an integer, 1 or more"),
    );
  });

  test("fitSms refuses an option removeFormatting that is not a boolean", () => {
    expect(() => fitSms("a", { removeFormatting: "yes" as never })).toThrow(TypeError);
  });
});

describe("removeFormatting", () => {
  test.each([
    ["Your table is *ready*", "Your table is ready"],
    ["**bold** __underline__ ~~strike~~", "bold underline strike"],
    ["*bold* _italic_ ~strike~", "bold italic strike"],
    ["*_~all of them~_*!", "all of them!"],
    ["(*two words*), _more_.", "(two words), more."],
    ["*one*\n*two*", "one\ntwo"],
  ])("removeFormatting removes the marks around words: %j becomes %j", (text, expected) => {
    expect(fitSms(text, { removeFormatting: true })).toEqual({
      text: expected,
      lost: false,
      shortened: false,
    });
    expect(fitSms(text).text).toBe(toGsm7(text));
  });

  test.each([
    "2*3*4",
    "2 * 3 * 4",
    "snake_case_name",
    "https://example.com/_a_/b?c=*d*",
    "* an item\n* another",
    "5 * is *unclosed",
    "~ 5 km, ~ 6 km",
    "*a\nb*",
    "**",
    "__init__.py_",
  ])("removeFormatting keeps signs that format nothing: %j", (text) => {
    expect(fitSms(text, { removeFormatting: true }).text).toBe(text);
  });
});

describe("fitSms of any text", () => {
  const word = fc.string({
    unit: fc.constantFrom(..."abcé1€Яñ日", "“", "…", "🎉", "👨‍👩‍👧", "e\u0301", "ж\u0301"),
    minLength: 1,
    maxLength: 12,
  });
  const anyText = fc.array(word, { maxLength: 30 }).map((words) => words.join(" "));
  const limits = fc.integer({ min: 1, max: 200 });

  test("the result fits, and fitting it again changes nothing", () => {
    fc.assert(
      fc.property(anyText, limits, fc.boolean(), (text, limit, removeFormatting) => {
        const fitted = fitSms(text, { limit, removeFormatting });
        expect(Array.from(fitted.text).length).toBeLessThanOrEqual(limit);
        expect(fitSms(fitted.text, { limit })).toMatchObject({ text: fitted.text, lost: false });
      }),
      { numRuns: 3_000 },
    );
  });

  test("a shortened result is a beginning of the conversion, followed by three dots", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 200 }), (text, limit) => {
        const { text: fitted, shortened, lost } = fitSms(text, { limit });
        const converted = toGsm7(text);
        expect(shortened).toBe(Array.from(converted).length > limit);
        if (!shortened) {
          expect(fitted).toBe(converted);
          return;
        }
        expect(lost).toBe(true);
        const kept = fitted.replace(/\.\.\.$/, "");
        expect(converted.startsWith(kept)).toBe(true);
        // A character keeps its marks, and a word its end unless it is the only one.
        expect(converted.slice(kept.length)).not.toMatch(/^\p{M}/u);
        if (kept.includes(" ")) expect(converted.slice(kept.length)).toMatch(/^[\s.,;:-]/);
      }),
      { numRuns: 3_000 },
    );
  });

  test("a result without unconvertible letters is a valid SMS fallback, unless it is empty", () => {
    const latin = fc.string({ unit: fc.constantFrom(..."abc é€“…🎉 "), maxLength: 400 });
    fc.assert(
      fc.property(latin, (text) => {
        const { text: fitted } = fitSms(text);
        if (fitted !== "") expect([...smsFailoverProblems(fitted)]).toEqual([]);
      }),
    );
  });

  test("fitSms of any text takes time in proportion to the text", () => {
    const start = performance.now();
    for (const text of ["*a ", "_a_ ", "🎉 ", " ", "e\u0301", "x   🎉\n"]) {
      fitSms(text.repeat(20_000), { removeFormatting: true });
    }
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
