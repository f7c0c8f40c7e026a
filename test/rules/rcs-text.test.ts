import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countCharacters } from "../../src/rules/problem.ts";
import { rcsTextProblems } from "../../src/rules/texts.ts";

const problemsOf = (text: string) => [...rcsTextProblems(text)];

describe("accepted RCS texts", () => {
  test.each([
    ["nothing", ""],
    ["one character", "a"],
    ["styles and emojis", "*bold* _italic_ ~strikethrough~ 🎉"],
    ["white space", " \n\t "],
    ["3000 letters", "a".repeat(3000)],
    ["3000 emojis, which are 6000 UTF-16 units", "🎉".repeat(3000)],
    ["1500 letters with a combining mark", "e\u0301".repeat(1500)],
    ["3000 lone halves of a surrogate pair", "\uD83C".repeat(3000)],
  ])("an RCS text of %s is accepted", (_, text) => {
    expect(problemsOf(text)).toEqual([]);
  });
});

describe("refused RCS texts", () => {
  test.each([
    ["3001 letters", "a".repeat(3001), 3001],
    ["3001 emojis", "🎉".repeat(3001), 3001],
    ["1501 letters with a combining mark", "e\u0301".repeat(1501), 3002],
    ["a family of seven code points, 429 times", "👨‍👩‍👧‍👦".repeat(429), 3003],
  ])("an RCS text of %s is refused", (_, text, characters) => {
    expect(problemsOf(text)).toEqual([
      {
        code: "too_big",
        type: "string",
        maximum: 3000,
        inclusive: true,
        exact: false,
        message: `must have at most 3000 characters: this one has ${characters}`,
      },
    ]);
  });
});

test("countCharacters counts code points", () => {
  expect(countCharacters("")).toBe(0);
  expect(countCharacters("a🎉é")).toBe(3);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(countCharacters(text)).toBe(Array.from(text).length);
    }),
  );
});
