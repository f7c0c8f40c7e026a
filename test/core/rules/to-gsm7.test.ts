import { describe, expect, test } from "vitest";
import { toGsm7 } from "../../../src/core/rules/gsm7.ts";
import { smsFailoverProblems } from "../../../src/core/rules/texts.ts";

describe("texts of GSM 7-bit", () => {
  test.each(["", "Plain text.", "¡Olé! Ñandu à la Ç 5 €", "{[~^|\\]}", "a\r\nb\n\f", "ΔΦΓΛΩΠΨΣΘΞ"])(
    "toGsm7 leaves %j unchanged",
    (text) => {
      expect(toGsm7(text)).toBe(text);
    },
  );

  test("toGsm7 keeps white space around a text", () => {
    expect(toGsm7("  — two  ")).toBe("  - two  ");
    expect(toGsm7("a  “b”\n\n  c")).toBe('a  "b"\n\n  c');
  });
});

describe("characters with a substitute", () => {
  test.each([
    ["“Hi” — it’s 5 €…", '"Hi" - it\'s 5 €...'],
    // Quotes, dashes, spaces
    ["‘a’ ‚b‛ ‹c› ′ ´ `", "'a' 'b' 'c' ' ' '"],
    ["“a” „b‟ «c» ″", '"a" "b" "c" "'],
    ["a‐b‑c‒d–e—f―g−h", "a-b-c-d-e-f-g-h"],
    ["a\u05BEb\u1400c\u2E17d\u{10EAD}e", "a-b-c-d-e"],
    ["a\u00A0b\u2009c\u202Fd\u3000e\tf", "a b c d e f"],
    ["a\u2028b\u2029c\u0085d\ve", "a\nb\nc\nd\ne"],
    // Invisible characters
    ["soft\u00ADhyphen", "softhyphen"],
    ["\uFEFFa\u200Bb\u200Cc\u200Dd\u2060e", "abcde"],
    ["\u200E+1\u200F \u202A206\u202C \u2068x\u2069", "+1 206 x"],
    // Symbols
    ["a…", "a..."],
    ["• one ● two ★", "* one * two *"],
    ["3 × 4 ÷ 2 ± 1", "3 x 4 / 2 +/- 1"],
    ["≤ ≥ → ← ↔", "<= >= -> <- <->"],
    ["∗ ∼ ∣ ˆ ‗ ⁏ ꞉ ꞊ ǃ", "* ~ | ^ _ ; : = !"],
    ["❨a❩ ❲b❳ ❴c❵ ❮d❯ 【e】 「f」", '(a) [b] {c} <d> [e] "f"'],
    ["Mr. ⸺ said 〝yes〟 ⸻", 'Mr. - said "yes" -'],
    ["© ® ™", "(C) (R) TM"],
    ["20 °C", "20 oC"],
    ["‼ ⁇", "!! ??"],
    ["1·2∙3。", "1.2.3."],
    ["a¦b 5¢ a ≠ b", "a|b 5c a != b"],
    // Letters
    ["áíóúâêîôûãõçëïÿ", "aiouaeiouaoceiy"],
    ["ÁÍÓÚÀÈÂÊÎÔÛ", "AIOUAEAEIOU"],
    ["ąćęłńśźż ĄĆĘŁŃŚŹŻ", "acelnszz ACELNSZZ"],
    ["čďěňřšťůž", "cdenrstuz"],
    ["ğış İĞŞ", "gis IGS"],
    ["đ Đ ð Ð þ Þ ħ Ħ œ Œ ẞ", "d D d D th Th h H oe OE SS"],
    ["Việt Nam", "Viet Nam"],
    ["ﬁ ﬀ ǆ ĳ №", "fi ff dz ij No"],
    // Greek capitals that look like Latin letters; the others are in the alphabet
    ["ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", "ABΓΔEZHΘIKΛMNΞOΠPΣTYΦXΨΩ"],
    // Composed and decomposed letters
    ["e\u0301 E\u0301 n\u0303 a\u030A u\u0308", "é É ñ å ü"],
    ["c\u0327 C\u0327 o\u030B", "c Ç o"],
    ["e\u0301\u0327 \u0301\u0327a", "e a"],
    // Styled letters and digits
    ["Ａ１！～", "A1!~"],
    ["𝟓𝟎% 𝐎𝐅𝐅", "50% OFF"],
    ["$𝟵.𝟵𝟵", "$9.99"],
    ["４２７９", "4279"],
    ["①② 𝕊𝔸𝕃𝔼 ⓢⓐⓛⓔ", "1 2 SALE sale"],
    ["sᴀʟᴇ ꜰᴏʀ ᴠɪᴘs", "sALE FOR VIPs"],
    ["1️⃣0️⃣ 5🔟", "10 510"],
    ["1\uFE0F\u20E3", "1"],
    // Emoji that represent symbols
    ["Why❓ Now❗ ❔❕", "Why? Now! ?!"],
    ["1 ➕ 1 ➖ 1 ✖️ 4 ➗ 2 🟰 2", "1 + 1 - 1 x 4 / 2 = 2"],
    ["💲5 ➡️ 💲4", "$5 -> $4"],
    ["✔ ✘ ✅ ❌ ☑️ ❎", "v x v x v x"],
    ["★★★☆☆ ⭐", "***** *"],
    // Characters that represent words or numbers
    ["💯% 🔜 🔝", "100% SOON TOP"],
    ["🔟 🆎 🆑 🆒 🆓 🆔", "10 AB CL COOL FREE ID"],
    ["🆕 🆖 🆗 🆘 🆙 🆚", "NEW NG OK SOS UP! VS"],
    ["🅵🆁🅴🅴 🅐🅩 🅰🆉", "FREE AZ AZ"],
    // Unicode neighbors of circled and squared letters
    ["🅪 🆐", "MC DJ"],
    // Decoration
    ["🎉 Sale 🎉", "Sale"],
    ["👨‍👩‍👧", ""],
    ["❤️ ☎️ ✈️ ★ 🇺🇸", "*"],
    ["\u0000\u0007\u001B\u007F", ""],
    ["a\uD83Db", "ab"],
  ])("toGsm7 converts %j to %j", (text, converted) => {
    expect(toGsm7(text)).toBe(converted);
  });
});

describe("characters without a substitute", () => {
  test.each([
    "Привет, стол готов",
    "日本 שלום",
    "ㅋㅋ",
    "₹500",
    "∞",
    "❶❷",
    "㊗",
    "नमस्ते",
    "\u093E",
    "\u200D\u093E",
    "й",
    "\uFFFD",
  ])("toGsm7 keeps letters, digits and signs without a substitute: %j", (text) => {
    expect(toGsm7(text)).toBe(text);
    expect([...smsFailoverProblems(text)]).toMatchObject([{ code: "invalid_string" }]);
  });

  test("toGsm7 keeps the letters of a mixed text and drops its pictures", () => {
    expect(toGsm7("Привет 🎉 Ben — ok")).toBe("Привет Ben - ok");
  });
});

describe("pictures in a text", () => {
  test.each([
    ["ready 🎉 €5", "ready €5"],
    ["ready 🎉🎊 🥳 €5", "ready €5"],
    ["ready 👩🏽‍🚀 €5", "ready €5"],
    ["🎉 Sale", "Sale"],
    ["Sale 🎉", "Sale"],
    ["Sale 🎉\nToday", "Sale\nToday"],
    ["Sale\n🎉 Today", "Sale\nToday"],
    ["Sale 🎉!", "Sale!"],
    ["Sale 🎉, today", "Sale, today"],
    ["(🎉 Sale 🎉)", "(Sale)"],
    ["Sale🎉Today", "Sale Today"],
    ["1🎉2", "1 2"],
    ["Sale🎉 (today)", "Sale (today)"],
    ["Sale 🎉©", "Sale (C)"],
    ["Sale🎉©", "Sale(C)"],
    ["©🎉Sale", "(C)Sale"],
    ["Sale🎉!", "Sale!"],
    ["a  🎉  b", "a  b"],
    ["  two  🎉", "  two"],
    ["a\u200B b", "a b"],
    ["a \u200B b", "a  b"],
  ])("toGsm7 drops pictures without leaving a gap: %j becomes %j", (text, converted) => {
    expect(toGsm7(text)).toBe(converted);
  });
});

describe("the meaning of a text", () => {
  test.each([
    ["≠", "="],
    ["≮", "<"],
    ["≯", ">"],
    ["≰", "<="],
    ["≱", ">="],
    ["↛", "->"],
  ])("toGsm7 does not turn %s into %s, whose negation it is", (sign, opposite) => {
    expect(toGsm7(`a ${sign} b`)).not.toBe(`a ${opposite} b`);
  });

  test.each([
    ["2½ hours", "21/2 hours"],
    ["1¼ lb", "11/4 lb"],
    ["1⅓ cups", "11/3 cups"],
    ["10² = 100", "102 = 100"],
    ["10⁻³", "10-3"],
    ["101₂", "1012"],
    ["Table 1②", "Table 12"],
    ["Row 3㉑", "Row 321"],
    ["˘", " "],
    ["2\u200D½", "21/2"],
  ])("toGsm7 does not turn %s into %s", (text, another) => {
    expect(toGsm7(text)).not.toBe(another);
  });

  test.each([
    ["5 \u00B5g", "5 ug"],
    ["5 \u03BCg", "5 ug"],
    ["⒈½", "1.1/2"],
    ["10²³ m²", "10^23 m2"],
    ["10⁻³", "10^-3"],
    ["H₂O 101₂", "H2O 101_2"],
    ["2½", "2 1/2"],
    ["a½", "a1/2"],
    ["½", "1/2"],
    ["½½", "1/2 1/2"],
    ["2⑴", "2(1)"],
  ])("toGsm7 turns %j into %j", (text, converted) => {
    expect(toGsm7(text)).toBe(converted);
  });
});
