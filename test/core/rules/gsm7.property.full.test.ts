import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { analyzeGsm7, toGsm7 } from "../../../src/core/rules/gsm7.ts";
import { BASIC_CHARACTERS, EXTENSION_CHARACTERS } from "./gsm7-tables.ts";

vi.setConfig({ testTimeout: 120_000 });

const SPECIAL = [..."“”‘’–—…•×½™éèñçąłœßΑΩαя日🎉\u00A0\u200D\uFE0F\u0301\u0327\uD83D\t\u001B"];
/** Arbitrary text, often with characters that these conversions treat specially. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom(...BASIC_CHARACTERS, ...EXTENSION_CHARACTERS),
    fc.constantFrom(...SPECIAL),
  ),
  maxLength: 60,
});
const gsm7Text = fc.string({
  unit: fc.oneof(
    { arbitrary: fc.constantFrom("a", "é", ...BASIC_CHARACTERS), weight: 3 },
    { arbitrary: fc.constantFrom(...EXTENSION_CHARACTERS), weight: 1 },
  ),
  maxLength: 700,
});

const nameOf = (point: number) => `U+${point.toString(16).toUpperCase()}`;

const RUNS = { numRuns: 3_000 };

describe("any text and GSM 7-bit", () => {
  test("toGsm7 leaves nothing to convert, and only unconvertible characters invalid", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const converted = toGsm7(text);
        for (const character of analyzeGsm7(converted).invalid) {
          expect(character).not.toHaveProperty("suggestion");
        }
        expect(toGsm7(converted)).toBe(converted);
      }),
      RUNS,
    );
  });

  test("toGsm7 drops no letter and no digit of Unicode", () => {
    const dropped: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (/[\p{L}\p{N}]/u.test(character) && toGsm7(character) === "") dropped.push(nameOf(point));
    }
    expect(dropped).toEqual([]);
  });

  test("toGsm7 keeps the number of letters and digits", () => {
    // A prime, which is a modifier letter, becomes an apostrophe, and ǃ an exclamation mark.
    const count = (text: string) =>
      text.normalize("NFKD").match(/(?!ǃ)[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/gu)?.length ?? 0;
    fc.assert(
      fc.property(anyText, (text) => {
        expect(count(toGsm7(text))).toBeGreaterThanOrEqual(count(text));
      }),
      { ...RUNS, examples: [["\u0374"], ["ǃ"]] },
    );
  });

  test("toGsm7 drops every emoji that shows no word, number or sign", () => {
    const signs: string[] = [];
    for (let point = 0xa0; point <= 0x1ffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (!/^\p{Emoji_Presentation}$/u.test(character)) continue;
      if (/[^\w!]/.test(toGsm7(character)) && !/\p{L}/u.test(character.normalize("NFKD"))) {
        signs.push(character + toGsm7(character));
      }
    }
    expect(signs).toEqual(["❓?", "❔?", "➕+", "➖-", "➗/", "⭐*", "🌟*", "💲$", "🔞18+", "🟰="]);
  });

  test("toGsm7 changes spacing only next to a picture", () => {
    const plain = fc.string({ unit: fc.constantFrom(..."aé1“— \n.!Я日"), maxLength: 40 });
    fc.assert(
      fc.property(plain, (text) => {
        const spacing = (written: string) => written.replace(/[^\s]+/g, "x");
        expect(spacing(toGsm7(text))).toBe(spacing(text));
      }),
      RUNS,
    );
  });

  test("toGsm7 leaves no double space, no space at an edge and no joined words where a picture was", () => {
    const words = fc.array(fc.constantFrom("Table", "7", "is", "ready", "🎉", "👨‍👩‍👧", "❤️"), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, fc.constantFrom(" ", ""), (all, space) => {
        const isWord = (part: string) => /^\w+$/.test(part);
        const written = toGsm7(all.join(" "));
        expect(written).toBe(all.filter(isWord).join(" "));
        const joined = toGsm7(all.map((part) => (isWord(part) ? `${part} ` : part)).join(space));
        expect(joined.split(/ +/).filter(Boolean)).toEqual(all.filter(isWord));
      }),
      RUNS,
    );
  });

  test("analyzeGsm7 reports a text as valid exactly if no character is invalid, and as unchanged exactly if none has a substitute", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { valid, invalid } = analyzeGsm7(text);
        expect(valid).toBe(invalid.length === 0);
        const isFinal = invalid.every(({ suggestion }) => suggestion === undefined);
        expect(toGsm7(text) === text).toBe(isFinal);
      }),
      RUNS,
    );
  });

  test("analyzeGsm7 returns indexes that lead to each invalid character, in order and without overlap", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0;
        for (const { character, index } of analyzeGsm7(text).invalid) {
          expect(text.slice(index, index + character.length)).toBe(character);
          expect(index).toBeGreaterThanOrEqual(end);
          end = index + character.length;
        }
      }),
      RUNS,
    );
  });

  test("replacing invalid characters with their suggestions gives the result of toGsm7, except for spaces next to pictures", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let mended = text;
        const { invalid } = analyzeGsm7(text);
        for (const { character, index, suggestion = character } of invalid.toReversed()) {
          mended = mended.slice(0, index) + suggestion + mended.slice(index + character.length);
        }
        const converted = toGsm7(text);
        expect(mended.replaceAll(" ", "")).toBe(converted.replaceAll(" ", ""));
        if (!/\p{Extended_Pictographic}|\p{So}|\p{RI}/u.test(text)) expect(mended).toBe(converted);
      }),
      RUNS,
    );
  });

  test("analyzeGsm7 counts characters as code points, and septets and segments after conversion", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { characters, septets, segments } = analyzeGsm7(text);
        expect(characters).toBe(Array.from(text).length);
        expect(analyzeGsm7(toGsm7(text))).toMatchObject({ septets, segments });
      }),
      RUNS,
    );
  });
});

/** Packs a text as a phone does: 160 septets if one segment is enough, otherwise 153 for each, without splitting characters. */
const pack = (text: string): string[] => {
  const weigh = (part: string) =>
    [...part].reduce((sum, one) => sum + (EXTENSION_CHARACTERS.includes(one) ? 2 : 1), 0);
  if (text === "") return [];
  if (weigh(text) <= 160) return [text];
  const segments: string[] = [];
  let current = "";
  for (const character of text) {
    if (weigh(current + character) > 153) {
      segments.push(current);
      current = "";
    }
    current += character;
  }
  return [...segments, current];
};

test("analyzeGsm7 counts as many segments as a phone would send", () => {
  fc.assert(
    fc.property(gsm7Text, (text) => {
      expect(analyzeGsm7(text).segments).toBe(pack(text).length);
    }),
    { numRuns: 500 },
  );
});
