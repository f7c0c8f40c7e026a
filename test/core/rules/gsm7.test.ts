import { describe, expect, test } from "vitest";
import { analyzeGsm7 } from "../../../src/core/rules/gsm7.ts";
import { isGsm7, septetsOf } from "../../../src/core/rules/gsm7-characters.ts";
import { BASIC_CHARACTERS, DEFAULT_ALPHABET, EXTENSION_CHARACTERS } from "./gsm7-tables.ts";

const nameOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

const named = (characters: readonly string[]) =>
  characters.map((character) => [nameOf(character), character] as const);

/** Expects that a text of one character takes this number of septets. */
const expectSeptets = (character: string, septets: number): void => {
  expect(septetsOf(character)).toBe(septets);
  expect(analyzeGsm7(character)).toEqual({
    valid: true,
    characters: 1,
    septets,
    segments: 1,
    invalid: [],
  });
};

describe("the alphabet of 3GPP TS 23.038", () => {
  test("the GSM 7-bit alphabet has 127 characters and the escape, and ten more in its extension table", () => {
    expect(DEFAULT_ALPHABET).toHaveLength(128);
    expect(new Set(BASIC_CHARACTERS).size).toBe(127);
    expect(EXTENSION_CHARACTERS).toHaveLength(10);
  });

  test.each(named(BASIC_CHARACTERS))("the character %s takes one septet", (_, character) =>
    expectSeptets(character, 1),
  );

  test.each(named(EXTENSION_CHARACTERS))(
    "the character %s takes two septets and counts as one character",
    (_, character) => expectSeptets(character, 2),
  );

  test("the GSM 7-bit alphabet has no other character of Unicode", () => {
    const known = new Set([...BASIC_CHARACTERS, ...EXTENSION_CHARACTERS]);
    const wrong: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (isGsm7(character) !== known.has(character)) wrong.push(nameOf(character));
    }
    expect(wrong).toEqual([]);
  });

  test("the GSM 7-bit alphabet has no character for the escape", () => {
    expect(analyzeGsm7("\u001B")).toMatchObject({
      valid: false,
      invalid: [{ character: "\u001B", index: 0 }],
    });
    // An escape is invalid even before a character of the extension table.
    expect(analyzeGsm7("\u001Be").invalid).toHaveLength(1);
  });
});

describe("the invalid characters of a text", () => {
  test("analyzeGsm7 returns the invalid characters of the example in the docs", () => {
    expect(analyzeGsm7("Hi — €5")).toEqual({
      valid: false,
      characters: 7,
      septets: 8,
      segments: 1,
      invalid: [{ character: "—", index: 3, suggestion: "-" }],
    });
  });

  test("analyzeGsm7 counts marks without a letter as one character", () => {
    expect(analyzeGsm7("\u0301\u0302a").invalid).toEqual([
      { character: "\u0301\u0302", index: 0, suggestion: "" },
    ]);
  });

  test("analyzeGsm7 locates invalid characters by UTF-16 indexes, and counts code points", () => {
    const text = "🎉a🎉—b";
    const { characters, invalid } = analyzeGsm7(text);
    expect(characters).toBe(5);
    expect(invalid).toEqual([
      { character: "🎉", index: 0, suggestion: "" },
      { character: "🎉", index: 3, suggestion: "" },
      { character: "—", index: 5, suggestion: "-" },
    ]);
    for (const { character, index } of invalid) {
      expect(text.slice(index, index + character.length)).toBe(character);
    }
  });

  test("analyzeGsm7 includes the marks that combine with an invalid letter", () => {
    expect(analyzeGsm7("ne\u0301e\u0301 x\u0327\u0301!")).toEqual({
      valid: false,
      characters: 10,
      septets: 6,
      segments: 1,
      invalid: [
        { character: "e\u0301", index: 1, suggestion: "é" },
        { character: "e\u0301", index: 3, suggestion: "é" },
        { character: "x\u0327\u0301", index: 6, suggestion: "x" },
      ],
    });
  });

  test("analyzeGsm7 suggests leaving out marks without a letter", () => {
    expect(analyzeGsm7("\u0301a").invalid).toEqual([
      { character: "\u0301", index: 0, suggestion: "" },
    ]);
  });

  test("analyzeGsm7 suggests leaving out halves of surrogate pairs", () => {
    expect(analyzeGsm7("a\uD83Db\uDE00").invalid).toEqual([
      { character: "\uD83D", index: 1, suggestion: "" },
      { character: "\uDE00", index: 3, suggestion: "" },
    ]);
  });

  test.each([..."Яж日ש₹∞ㄱ"])(
    "analyzeGsm7 suggests nothing for %s, which has no substitute",
    (character) => {
      const { invalid } = analyzeGsm7(character);
      expect(invalid).toEqual([{ character, index: 0 }]);
      expect(invalid[0]).not.toHaveProperty("suggestion");
    },
  );

  test("analyzeGsm7 counts only the septets of convertible characters in an invalid text", () => {
    expect(analyzeGsm7("…")).toMatchObject({ characters: 1, septets: 3, segments: 1 });
    expect(analyzeGsm7("🎉")).toMatchObject({ characters: 1, septets: 0, segments: 0 });
    expect(analyzeGsm7("Яa")).toMatchObject({ characters: 2, septets: 1, segments: 1 });
  });
});

describe("the segments of a text", () => {
  test.each([
    ["nothing", "", 0, 0],
    ["one character", "a", 1, 1],
    ["160 characters", "a".repeat(160), 160, 1],
    ["161 characters", "a".repeat(161), 161, 2],
    ["306 characters", "a".repeat(306), 306, 2],
    ["307 characters", "a".repeat(307), 307, 3],
    ["459 characters", "a".repeat(459), 459, 3],
    ["460 characters", "a".repeat(460), 460, 4],
    ["80 characters of the extension table", "€".repeat(80), 160, 1],
    ["81 characters of the extension table", "€".repeat(81), 162, 2],
    ["a pair that just fits a single segment", `${"a".repeat(158)}€`, 160, 1],
    ["a pair that does not fit a single segment", `${"a".repeat(159)}€`, 161, 2],
    ["160 characters that cost two messages", "a€".repeat(80), 240, 2],
    // The pair does not fit after 152 septets, so it moves as a whole to the second segment, which then has 2 + 152.
    [
      "a pair that moves to the next segment as a whole",
      `${"a".repeat(152)}€${"a".repeat(151)}`,
      305,
      2,
    ],
    ["a pair whose move costs one segment more", `${"a".repeat(152)}€${"a".repeat(152)}`, 306, 3],
    [
      "the same number of septets without a pair at the edge",
      `${"a".repeat(151)}€${"a".repeat(153)}`,
      306,
      2,
    ],
    ["76 pairs in each segment", "€".repeat(152), 304, 2],
    ["one pair more than fits two segments", "€".repeat(153), 306, 3],
    ["line breaks", "\r\n".repeat(80), 160, 1],
  ])("the segments of a text are counted for %s", (_, text, septets, segments) => {
    expect(analyzeGsm7(text)).toMatchObject({ valid: true, septets, segments });
  });
});
