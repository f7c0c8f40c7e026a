import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzeGsm7, toGsm7 } from "../../src/rules/gsm7.ts";
import { BASIC_CHARACTERS, EXTENSION_CHARACTERS } from "./gsm7-tables.ts";

const SPECIAL = [..."“”‘’–—…•×½™éèñçąłœßΑΩαя日🎉\u00A0\u200D\uFE0F\u0301\u0327\uD83D\t\u001B"];
/** Any text at all, often of the characters that matter here. */
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

const RUNS = { numRuns: 3_000 };

describe("of any text", () => {
  test("toGsm7 makes one that analyzeGsm7 calls valid", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const converted = toGsm7(text);
        expect(analyzeGsm7(converted)).toMatchObject({ valid: true, invalid: [] });
        expect(toGsm7(converted)).toBe(converted);
      }),
      RUNS,
    );
  });

  test("every single character can be converted", () => {
    const broken: string[] = [];
    for (let point = 0; point <= 0xffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (!analyzeGsm7(toGsm7(character)).valid) broken.push(point.toString(16));
    }
    expect(broken).toEqual([]);
  });

  test("it is valid exactly when nothing in it is invalid, and when toGsm7 leaves it alone", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { valid, invalid } = analyzeGsm7(text);
        expect(valid).toBe(invalid.length === 0);
        expect(valid).toBe(toGsm7(text) === text);
      }),
      RUNS,
    );
  });

  test("an index leads to its character, in order and without overlap", () => {
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

  test("putting the suggestions in place gives what toGsm7 gives", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let mended = text;
        for (const { character, index, suggestion = "" } of analyzeGsm7(
          text,
        ).invalid.toReversed()) {
          mended = mended.slice(0, index) + suggestion + mended.slice(index + character.length);
        }
        expect(mended).toBe(toGsm7(text));
      }),
      RUNS,
    );
  });

  test("characters are its code points; septets and segments those of its conversion", () => {
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

/** Packs a text as a phone would: whole characters, 153 septets to a segment unless 160 hold all. */
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

test("of a GSM 7-bit text, segments are as many as a phone would pack", () => {
  fc.assert(
    fc.property(gsm7Text, (text) => {
      expect(analyzeGsm7(text).segments).toBe(pack(text).length);
    }),
    { numRuns: 500 },
  );
});
