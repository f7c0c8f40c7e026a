import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countCharacters } from "../../../src/core/rules/problem.ts";
import { rcsTextProblems, smsFailoverProblems } from "../../../src/core/rules/texts.ts";

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
        message: `must have at most 3000 characters, but has ${characters}`,
      },
    ]);
  });
});

test.each([
  ["RCS text", rcsTextProblems],
  ["SMS fallback", smsFailoverProblems],
])("the message for an %s with U+FFFD says that a character was lost", (_, check) => {
  const decoded = new TextDecoder().decode(Uint8Array.from([0x43, 0x61, 0x66, 0xe9])); // Café in windows-1252
  const [problem, ...others] = check(decoded);
  expect(problem?.message).toContain("U+FFFD");
  expect(problem?.message).toContain(
    "at index 3; it replaces a lost character; a file may be windows-1252",
  );
  expect(others).toEqual([]);
});

describe("RCS texts with half of a surrogate pair", () => {
  test.each([
    ["cut inside an emoji", "Sale 🎉".slice(0, -1), 5],
    ["that begin inside an emoji", "🎉 Sale".slice(1), 0],
    ["with two halves in the wrong order", "🎉\uDF89\uD83C", 2],
    ["of halves only", "\uD83C".repeat(3000), 0],
  ])("an RCS text %s is refused with the index of the half", (_, text, index) => {
    const message = `must not contain half of a surrogate pair (a cut emoji): there is one at index ${index}`;
    expect(problemsOf(text)).toEqual([{ code: "custom", message }]);
  });

  test("an RCS text that is too long and cut inside an emoji has both problems", () => {
    const codes = problemsOf(`${"a".repeat(3000)}\uD83C`).map(({ code }) => code);
    expect(codes).toEqual(["too_big", "custom"]);
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
