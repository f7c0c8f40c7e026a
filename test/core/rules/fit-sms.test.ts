// cspell:ignore limmit
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { isAllowedContentType } from "../../../src/core/rules/content-type.ts";
import { fitSms } from "../../../src/core/rules/fit-sms.ts";
import { analyzeGsm7, toGsm7 } from "../../../src/core/rules/gsm7.ts";
import { isFileUrl, isWebhookUrl } from "../../../src/core/rules/https-url.ts";
import { checkPhone, isUsOrCanadianNumber, toE164 } from "../../../src/core/rules/phone.ts";
import { smsFailoverProblems } from "../../../src/core/rules/texts.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("fitSms", () => {
  test.each([
    ["", "", { valid: false, lossy: false }],
    ["Your table is ready", "Your table is ready", { valid: true, lossy: false }],
    ["“Hi” — it’s 5 €…", '"Hi" - it\'s 5 €...', { valid: true, lossy: false }],
    ["Ready 🎉 come in", "Ready come in", { valid: true, lossy: true }],
    ["soft\u00ADhyphen", "softhyphen", { valid: true, lossy: false }],
    ["Привет", "Привет", { valid: false, lossy: false }],
    ["🎉", "", { valid: false, lossy: true }],
    ["𝟓𝟎% 𝐎𝐅𝐅 for $𝟵.𝟵𝟵", "50% OFF for $9.99", { valid: true, lossy: false }],
    ["Buy 1 ➕ 1", "Buy 1 + 1", { valid: true, lossy: false }],
    // Symbols that differ for a reader but have the same substitute in GSM 7-bit
    ["★★★★★", "*****", { valid: true, lossy: false }],
    ["★★★★☆", "*****", { valid: true, lossy: true }],
    ["☆☆☆☆☆", "*****", { valid: true, lossy: true }],
    ["●●●◦◦", "*****", { valid: true, lossy: true }],
    ["★ Ribs • $9", "* Ribs * $9", { valid: true, lossy: true }],
    ["★ vegan, * spicy", "* vegan, * spicy", { valid: true, lossy: true }],
    ["* spicy, ★ vegan", "* spicy, * vegan", { valid: true, lossy: true }],
    ["*Ready* — come in", "*Ready* - come in", { valid: true, lossy: false }],
    ["2 × 3 ✘", "2 x 3 x", { valid: true, lossy: true }],
    ["✔ Wifi ✘ Pool", "v Wifi x Pool", { valid: true, lossy: false }],
    ["“a” – ‘b’ — c", "\"a\" - 'b' - c", { valid: true, lossy: false }],
  ])("fitSms converts %j to %j, and reports %j", (text, written, reported) => {
    const expected = { text: written, ...reported, shortened: false };
    expect(fitSms(text)).toEqual(expected);
    expect(fitSms(text, { limit: 160 })).toEqual(expected);
  });

  test.each([
    [19, "Your table is ready"],
    [18, "Your table is..."],
    [16, "Your table is..."],
    [15, "Your table..."],
    [13, "Your table..."],
    [12, "Your..."],
    [7, "Your..."],
    // No whole word fits.
    [6, "You..."],
    [4, "Y..."],
    [3, "..."],
    [1, "."],
  ])("fitSms shortens to %i characters at a word: %j", (limit, text) => {
    const shortened = limit < 19;
    expect(fitSms("Your table is ready", { limit })).toEqual({
      text,
      valid: true,
      lossy: shortened,
      shortened,
    });
  });

  test("fitSms marks a result that is longer than an SMS fallback as not valid", () => {
    const text = "word ".repeat(60).trim();
    expect(fitSms(text, { limit: 1_000 })).toMatchObject({ text, valid: false, shortened: false });
    expect(fitSms(text, { limit: 161 })).toMatchObject({ valid: true, shortened: true });
    expect(fitSms("a".repeat(400), { limit: 161 })).toMatchObject({
      valid: false,
      shortened: true,
    });
  });

  test.each([
    ["One, two", 7, "One..."],
    ["One. Two three", 10, "One..."],
    ["One - two three", 12, "One - two..."],
    ["Ready, -- or not", 13, "Ready..."],
    ["One  two three", 9, "One..."],
    ["One\nTwo three", 11, "One\nTwo..."],
    ["A veryveryverylongword", 12, "A..."],
    ["veryveryverylongword", 12, "veryveryv..."],
  ])(
    "fitSms shortens %j to %i characters and drops trailing punctuation: %j",
    (text, limit, expected) => {
      expect(fitSms(text, { limit }).text).toBe(expected);
    },
  );

  test("fitSms shortens a text after converting it, not before", () => {
    expect(fitSms(`${"🎉".repeat(200)} Sale`)).toEqual({
      text: "Sale",
      valid: true,
      lossy: true,
      shortened: false,
    });
    expect(fitSms("…".repeat(60)).shortened).toBe(true);
  });

  test("fitSms never cuts inside a character", () => {
    const word = "ж\u0301".repeat(10);
    expect(fitSms(word, { limit: 8 }).text).toBe("ж\u0301ж\u0301...");
    expect(fitSms("𝒳ж".repeat(1) + "𐐀".repeat(10), { limit: 6 }).text).toMatch(/^..?.\.\.\.$/u);
  });

  test.each<readonly [options: unknown, message: string]>([
    [{ limmit: 5 }, "option `limmit` does not exist: did you mean `limit`?"],
    [{ shorten: true }, "option `shorten` does not exist"],
    [null, "option `options` must be an object"],
    [160, "option `options` must be an object"],
    ...[0, -1, 1.5, Number.NaN, "160", null].map(
      (limit) => [{ limit }, "option `limit` must be a positive integer"] as const,
    ),
    ...[0, 2, "1", null].map((segments) => [{ segments }, "option `segments` must be 1"] as const),
    [{ removeFormatting: "yes" }, "option `removeFormatting` must be true or false"],
    [{ unwritable: "é€Я" }, "option `unwritable` must be a string of GSM 7-bit characters"],
    [{ unwritable: 5 }, "option `unwritable` must be a string of GSM 7-bit characters"],
    [{ unwritable: null }, "option `unwritable` must be a string of GSM 7-bit characters"],
  ])("fitSms throws a TypeError for the options %j: %s", (options, message) => {
    expect(() => fitSms("a", options as never)).toThrow(new TypeError(message));
  });

  test("fitSms treats an option that is undefined as not given", () => {
    const options = {
      limit: undefined,
      segments: undefined,
      removeFormatting: undefined,
      unwritable: undefined,
    };
    expect(fitSms("Я", options)).toEqual(fitSms("Я"));
  });

  test.each([
    ["€".repeat(80), { segments: 1 }, 80, false],
    ["€".repeat(81), { segments: 1 }, 81, true],
    ["€".repeat(160), { segments: 1 }, 81, true],
    ["a".repeat(160), { segments: 1 }, 160, false],
    ["a".repeat(161), { segments: 1 }, 160, true],
    [`${"a".repeat(158)}€`, { segments: 1 }, 159, false],
    [`${"a".repeat(159)}€`, { segments: 1 }, 160, true],
    ["€".repeat(60), { segments: 1, limit: 50 }, 50, true],
    ["€".repeat(90), { segments: 1, limit: 1_000 }, 81, true],
    ["Renée [VIP] €".repeat(20), { segments: 1 }, 131, true],
    // The first four code units end before the second emoji. Removing that emoji also removes the space before it.
    ["🎉a 🎉", { limit: 1 }, 1, false],
  ] as const)("fitSms fits %j into %j: %i characters", (text, options, length, shortened) => {
    const fitted = fitSms(text, options);
    expect([fitted.text.length, fitted.shortened, fitted.valid]).toEqual([length, shortened, true]);
    if ("segments" in options) expect(analyzeGsm7(fitted.text).segments).toBe(1);
  });
});

test.each([undefined, null, 5, {}, ["a"]])("a helper names its argument if it is %j", (value) => {
  const text = new TypeError("text must be a string");
  expect(() => fitSms(value as never)).toThrow(text);
  expect(() => toGsm7(value as never)).toThrow(text);
  expect(() => analyzeGsm7(value as never)).toThrow(text);
  if (value != null)
    expect(() => checkPhone(value as never)).toThrow(new TypeError("phoneNumber must be a string"));
  expect(() => toE164(value as never)).toThrow("phoneNumber: must be a string");
  expect(
    [isUsOrCanadianNumber, isWebhookUrl, isFileUrl, isAllowedContentType].map((is) => is(value)),
  ).toEqual([false, false, false, false]);
});

describe("the option unwritable of fitSms", () => {
  test.each([
    ["long “text” Иван 🎉", "?", 'long "text" ????'],
    ["Привет", "?", "??????"],
    ["Zoe\u0308 ж\u0301 日本", "?", "Zoe ? ??"],
    ["日本", "(?)", "(?)(?)"],
    ["₽5", "RUB ", "RUB 5"],
    ["Hi Иван 日本 you", "", "Hi you"],
    ["Hi Иван!", "", "Hi!"],
    ["Hi 🎉 Иван", "?", "Hi ????"],
    ["Hi🎉Иван", "?", "Hi ????"],
    ["Hi 🎉? Иван", "?", "Hi? ????"],
    ["₽5", "", "5"],
  ])(
    "fitSms replaces letters without a substitute: %j with %j becomes %j",
    (text, unwritable, fitted) => {
      expect(fitSms(text, { unwritable })).toEqual({
        text: fitted,
        valid: true,
        lossy: true,
        shortened: false,
      });
    },
  );

  test("fitSms with unwritable reports nothing lost for a text that GSM 7-bit can represent", () => {
    expect(fitSms("Olé… [5 €]", { unwritable: "?" })).toEqual({
      text: "Olé... [5 €]",
      valid: true,
      lossy: false,
      shortened: false,
    });
  });

  test("fitSms with unwritable counts the limit after the replacement", () => {
    const fitted = fitSms("Привет Иван ".repeat(20), { unwritable: "?" });
    expect(fitted).toMatchObject({ valid: true, lossy: true, shortened: true });
    expect(fitted.text).toMatch(/^(\?{6} \?{4} )+\?{6}( \?{4})?\.\.\.$/);
    expect(fitSms("日本語", { unwritable: "(?)", limit: 8 }).text).toBe("(?)(?...");
  });

  test("fitSms with unwritable returns a valid text unless it is empty", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.constantFrom("?", "[?]", " ", ""),
        fc.integer({ min: 1, max: 160 }),
        (text, unwritable, limit) => {
          const fitted = fitSms(text, { unwritable, limit });
          expect(fitted.valid).toBe(fitted.text !== "");
          expect(fitted.valid).toBe([...smsFailoverProblems(fitted.text)].length === 0);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("fitSms of a long text", () => {
  test("fitSms of a long text reads only its beginning, even if a cut would split a character or follow a picture", () => {
    const units = [
      "ﷺ",
      "🎉",
      "  🎉",
      "e\u0301",
      "ж\u0301",
      "a ",
      "b",
      "10🔟",
      "\u200D",
      "👨‍👩‍👧",
      "½",
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom("?", undefined),
        (parts, limit, unwritable) => {
          const text = parts.join("").repeat(12);
          const { text: fitted, shortened } = fitSms(text, { limit, unwritable });
          const whole = fitSms(text, { limit: 100_000, unwritable }).text;
          expect(shortened).toBe(Array.from(whole).length > limit);
          expect(whole.startsWith(shortened ? fitted.replace(/\.{1,3}$/, "") : fitted)).toBe(true);
          if (shortened) expect(fitted).toBe(fitSms(whole, { limit }).text);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("the option removeFormatting of fitSms", () => {
  test.each([
    ["Your table is *ready*", "Your table is ready"],
    ["**bold** __underline__", "bold underline"],
    ["*bold* _italic_", "bold italic"],
    ["*_both of them_*!", "both of them!"],
    ["(*two words*), _more_.", "(two words), more."],
    ["*one*\n*two*", "one\ntwo"],
    ["***all of them***", "all of them"],
    ["“*Ready*”", '"Ready"'],
    ["「_Ready_」", '"Ready"'],
    ["*Sale*—today", "Sale-today"],
    ["today—*Sale*", "today-Sale"],
    ["…*Sale*…", "...Sale..."],
    ["*Fri*/*Sat*: _5%_!", "Fri/Sat: 5%!"],
    ["*Joe*'s $*5*", "Joe's $5"],
    ["*see https://example.com/a_b_c now*", "see https://example.com/a_b_c now"],
    ["*Book: https://example.com/a_b*, _or @joe_.", "Book: https://example.com/a_b, or @joe."],
    ["*Open 24/7*, and/_or_ *Mo/Di*/*Fr*", "Open 24/7, and/or Mo/Di/Fr"],
  ])("removeFormatting removes the marks around words: %j becomes %j", (text, expected) => {
    expect(fitSms(text, { removeFormatting: true })).toEqual({
      text: expected,
      valid: true,
      lossy: false,
      shortened: false,
    });
    expect(fitSms(text).text).toBe(toGsm7(text));
  });

  test.each([
    ["🔥*SALE*🔥", "SALE"],
    ["❤️_Love_❤️", "Love"],
    ["*🎉 Sale 🎉*", "Sale"],
    ["1️⃣*First*2️⃣", "1First2"],
  ])("removeFormatting removes the marks beside emoji: %j becomes %j", (text, expected) => {
    expect(fitSms(text, { removeFormatting: true }).text).toBe(expected);
  });

  test.each([
    "2*3*4",
    "(2)*3*4",
    "-*-*-*-",
    "(*_*)",
    "****four****",
    "_john_@example.com",
    "example.com/_a_",
    "https://example.com/a-_b_-c",
    "2 * 3 * 4",
    "snake_case_name",
    "https://example.com/_a_/b?c=*d*",
    "* an item\n* another",
    "5 * is *unclosed",
    "~ 5 km, ~ 6 km",
    "*a\nb*",
    "**",
    "__init__.py_",
    "@_handle_",
    "@_handle_, @*joe*: #_tag_",
    "@joe_ and @ann_",
    "ex.com?ref=_fall_",
    "ex.com?ref=_fall_.",
    "(ex.com:8080#~top~)",
    "sms:+12065550123?body=_hi_",
    "https://localhost/_a_",
    "*see https://example.com/a*b now",
    "_see https://example.com/?a=_b_",
    "*see https://example.com/*a/*b now",
    "Meals are ~ $5, drinks ~ $3",
    "5* hotel, 4* motel",
  ])("removeFormatting keeps signs that format nothing: %j", (text) => {
    expect(fitSms(text, { removeFormatting: true }).text).toBe(text);
  });
});

describe("a struck passage of a text for fitSms", () => {
  test.each([
    ["~$50~ $40", "$50 $40", true],
    ["Was ~$50~, now $40", "Was $50, now $40", true],
    ["~~strike~~", "strike", true],
    ["*_~all of them~_*!", "all of them!", true],
    ["*bold ~struck~ bold*", "bold struck bold", true],
    ["~ 5 km, ~ 6 km", "~ 5 km, ~ 6 km", false],
    ["~5 km to ~6 km", "~5 km to ~6 km", false],
    ["https://example.com/~a~", "https://example.com/~a~", false],
    ["*$50* $40", "$50 $40", false],
  ])("removeFormatting turns %j into %j, and lossy is %j", (text, expected, lossy) => {
    const fitted = fitSms(text, { removeFormatting: true });
    expect([fitted.text, fitted.lossy]).toEqual([expected, lossy]);
    expect(fitSms(text).lossy).toBe(false);
  });
});

test.each(["\u0335", "\u0336", "\u0337"])(
  "a text for fitSms that the mark %j strikes through is lossy",
  (stroke) => {
    const struck = Array.from("$10", (character) => character + stroke).join("");
    expect(fitSms(`${struck} $5`)).toMatchObject({ text: "$10 $5", valid: true, lossy: true });
  },
);

test("a text for fitSms with a negated sign is not lossy, however the sign is composed", () => {
  expect(fitSms("a \u2260 b")).toMatchObject({ text: "a != b", lossy: false });
  expect(fitSms("a =\u0338 b")).toMatchObject({ text: "a != b", lossy: false });
});

describe("links and handles in a text for fitSms", () => {
  const part = fc.string({ unit: fc.constantFrom(..."ab1*_~-.=&"), minLength: 1, maxLength: 8 });
  const starts = [
    "https://example.com/",
    "ex.com/",
    "ex.com?",
    "http://10.0.0.1/",
    "sms:+1?b=",
    "@",
    "#",
  ];
  const link = fc.tuple(fc.constantFrom(...starts), part).map(([start, end]) => `${start}${end}`);
  const word = fc.constantFrom("*bold*", "_it_", "~$5~", "*", "~", "a", "(_b_)", "2*3", "*a", "b*");

  test("fitSms with removeFormatting never changes a link or a handle between other words", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(word, link), { maxLength: 8 }), (words) => {
        const text = words.join(" ");
        const links = words.filter((item) => starts.some((start) => item.startsWith(start)));
        // A mark at the end of a link may close formatting that an earlier word opened.
        const kept = links.filter((item) => !/[*_~][*_~.=&-]*$/.test(item));
        const fitted = fitSms(text, { limit: 1_000, removeFormatting: true }).text.split(" ");
        expect(fitted).toEqual(expect.arrayContaining(kept));
        // Without other words, every link is kept.
        const alone = links.join(" ");
        expect(fitSms(alone, { limit: 1_000, removeFormatting: true }).text).toBe(alone);
      }),
      { numRuns: 5_000 },
    );
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

  test("fitSms of any text returns a text that fits, and a second fitSms does not change it", () => {
    fc.assert(
      fc.property(anyText, limits, fc.boolean(), (text, limit, removeFormatting) => {
        const fitted = fitSms(text, { limit, removeFormatting });
        expect(Array.from(fitted.text).length).toBeLessThanOrEqual(limit);
        expect(fitSms(fitted.text, { limit })).toMatchObject({ text: fitted.text, lossy: false });
        expect(fitted.valid).toBe([...smsFailoverProblems(fitted.text)].length === 0);
      }),
      { numRuns: 3_000 },
    );
  });

  test("fitSms of any text that it shortens returns a beginning of the conversion, followed by three dots", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 200 }), (text, limit) => {
        const { text: fitted, shortened, lossy } = fitSms(text, { limit });
        const converted = toGsm7(text);
        expect(shortened).toBe(Array.from(converted).length > limit);
        if (!shortened) {
          expect(fitted).toBe(converted);
          return;
        }
        expect(lossy).toBe(true);
        const kept = fitted.replace(/\.\.\.$/, "");
        expect(converted.startsWith(kept)).toBe(true);
        // A character keeps its combining marks. A word is cut only if it is the only word.
        expect(converted.slice(kept.length)).not.toMatch(/^\p{M}/u);
        if (kept.includes(" ")) expect(converted.slice(kept.length)).toMatch(/^[\s.,;:-]/);
      }),
      { numRuns: 3_000 },
    );
  });

  test("fitSms of any text without unconvertible letters returns a valid SMS fallback unless it is empty", () => {
    const latin = fc.string({ unit: fc.constantFrom(..."abc é€“…🎉 "), maxLength: 400 });
    fc.assert(
      fc.property(latin, (text) => {
        const { text: fitted } = fitSms(text);
        if (fitted !== "") expect([...smsFailoverProblems(fitted)]).toEqual([]);
      }),
    );
  });
});
