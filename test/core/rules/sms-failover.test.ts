import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toGsm7 } from "../../../src/core/rules/gsm7.ts";
import { smsFailoverProblems } from "../../../src/core/rules/texts.ts";

const problemsOf = (text: string) => [...smsFailoverProblems(text)];
const messageOf = (text: string) => problemsOf(text)[0]?.message;

describe("accepted fallbacks", () => {
  test.each([
    ["one character", "a"],
    ["a space", " "],
    ["160 characters", "a".repeat(160)],
    ["160 characters of the extension table, which are 320 septets", "€".repeat(160)],
    ["signs and letters of the alphabet", "¡Olé! Ñandu & Øre {5 €} [~^|\\]\n"],
  ])("a fallback of %s is accepted", (_, text) => {
    expect(problemsOf(text)).toEqual([]);
  });
});

describe("refused fallbacks", () => {
  const TOO_BIG = { code: "too_big", type: "string", maximum: 160, inclusive: true, exact: false };

  test("an empty fallback is refused", () => {
    expect(problemsOf("")).toEqual([
      {
        code: "too_small",
        type: "string",
        minimum: 1,
        inclusive: true,
        exact: false,
        message: "must have at least 1 character, but is empty",
      },
    ]);
  });

  test.each([
    [161, "a".repeat(161)],
    [161, "€".repeat(161)],
    [1000, "a\n".repeat(500)],
  ])("a fallback of %i characters is refused", (characters, text) => {
    const message = `must have at most 160 characters, but has ${characters}`;
    expect(problemsOf(text)).toEqual([{ ...TOO_BIG, message }]);
  });

  test("characters of a fallback are code points: 160 emojis are not too many, and 161 are", () => {
    expect(problemsOf("🎉".repeat(160)).map(({ code }) => code)).toEqual(["invalid_string"]);
    expect(problemsOf("🎉".repeat(161)).map(({ code }) => code)).toEqual([
      "too_big",
      "invalid_string",
    ]);
  });

  test("a fallback with a character that GSM 7-bit lacks is refused", () => {
    expect(problemsOf("Hi — €5")).toEqual([
      {
        code: "invalid_string",
        validation: "regex",
        message: "must have GSM 7-bit characters only: replace — (U+2014) at index 3 with -",
      },
    ]);
  });
});

describe("messages about refused characters", () => {
  test.each([
    ["a🎉", "leave out 🎉 (U+1F389) at index 1"],
    ["🎉…", "leave out 🎉 (U+1F389) at index 0, replace … (U+2026) at index 2 with ..."],
    ["ne\u0301e", "replace e\u0301 (U+0065) at index 1 with é"],
    // An invisible character is shown only as its code point.
    ["a\u200Bb", "leave out (U+200B) at index 1"],
    ["a\u001Bb", "leave out (U+001B) at index 1"],
    ["a\uD83Db", "leave out (U+D83D) at index 1"],
    ["a\u2028b", "replace (U+2028) at index 1 with a line break"],
  ])(
    "the message for the fallback %j names each refused character with its index and substitute: %s",
    (text, mends) => {
      expect(messageOf(text)).toBe(`must have GSM 7-bit characters only: ${mends}`);
    },
  );

  test("a substitute that is invisible is described in words", () => {
    // Advice that ends before its substitute would be useless.
    expect(messageOf("a\u00A0b")).not.toMatch(/with\s*$/);
  });

  test("the message advises writing an unconvertible letter in other characters", () => {
    expect(messageOf("Я")).toMatch(/: write Я \(U\+042F\) at index 0 in other characters$/);
  });

  test("the message stays short, however many marks a character has", () => {
    for (const text of [`e${"\u0301".repeat(300_000)}`, `Я${"\u0301".repeat(300_000)}`]) {
      const messages = problemsOf(text).map(({ message }) => message);
      expect(messages.join("").length).toBeLessThan(300);
    }
    expect(messageOf("é\u0327".repeat(100_000))?.length).toBeLessThan(300);
    const zalgo = `e${"\u0300\u0316\u0323".repeat(50)}`.repeat(1_000);
    expect(problemsOf(zalgo).every(({ message }) => message.length < 1_000)).toBe(true);
  });

  test("the message names at most three characters", () => {
    const message = messageOf("я".repeat(25)) ?? "";
    expect(message.match(/U\+044F/g)).toHaveLength(3);
    expect(message).toMatch(/, and 22 more$/);
    expect(messageOf("я".repeat(3))).not.toMatch(/more$/);
  });
});

test("a text that was converted is refused only for its length or unconvertible characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const { code, message } of problemsOf(toGsm7(text))) {
        if (code === "invalid_string") expect(message).not.toMatch(/replace|leave out/);
      }
    }),
    { numRuns: 500 },
  );
});
