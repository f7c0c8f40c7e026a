// Compares `toGsm7` with a published map of substitutes for SMS texts. A table gives the reason for each difference.
import { beforeAll, expect, test } from "vitest";
import { toGsm7 } from "../../../src/core/rules/gsm7.ts";
import { isGsm7 } from "../../../src/core/rules/gsm7-characters.ts";
import { requireFixture } from "../../support/fixture.ts";

/** Substitutes by character, from the package sms-segments-calculator. */
let published: ReadonlyMap<string, string>;
beforeAll(() => {
  const map = "sms-segments-calculator/dist/libs/SmartEncodingMap.js";
  published = new Map(Object.entries(requireFixture("second-ring", map).default));
});

/** Characters for which `toGsm7` has a different substitute or none, with the reason. */
const DIFFERENCES: readonly (readonly [reason: string, characters: string, written: string])[] = [
  ["a mark belongs to the letter before it", "\u0302\u0303\u0313\u0314\u0326\u0330\u0332", ""],
  ["a mark belongs to the letter before it", "\u0334\u0337\u0347\u1DCD\u20D2\u20D3\u20E5", ""],
  ["a stroke may negate a sign, so it stays", "\u0338", "\u0338"],
  ["a control character is invisible", "\u0080\u008D\u0090\u009B\u009F", ""],
  ["a quotation mark stays a quotation mark", "\u201A\u2039\u203A", "'"],
  ["Unicode says that it is a comma", "\uFE10\uFE11", ","],
  ["a line break stays a line break", "\u2028\u2029", "\n"],
  ["a bullet differs from a dash", "\u2022", "*"],
];

test("toGsm7 converts every character of a published map as the map does, unless a reason is given for a difference", () => {
  expect(published.size).toBeGreaterThan(250);
  const expected = new Map([...published].map(([from, to]) => [from, to.replace(/ +/, " ")]));
  for (const [, characters, written] of DIFFERENCES) {
    for (const character of characters) {
      expect(expected.get(character), character).not.toBe(written);
      expected.set(character, written);
    }
  }
  const written = [...expected.keys()].map((from) => [from, toGsm7(`a${from}b`).slice(1, -1)]);
  expect(written).toEqual([...expected]);
  expect([...expected.values()].filter((to) => !isGsm7(to))).toEqual(["\u0338"]);
});
