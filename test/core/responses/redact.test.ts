import { describe, expect, test } from "vitest";
import { Redactor, stringsWithin } from "../../../src/core/responses/redact.ts";

const redact = (text: string, secrets: readonly string[]) => new Redactor(secrets).quote(text);

describe("Redactor", () => {
  test.each([
    ["a key-1234 b", ["key-1234"], "a [redacted] b"],
    ["key-1234key-1234", ["key-1234"], "[redacted][redacted]"],
    ["abcdef abc", ["abcd", "abcdef"], "[redacted] abc"],
    ["$& $1 .*", ["$& $1", ".*"], "[redacted] .*"],
    ["line one\nline two", ["line one\nline two"], "[redacted]"],
    ["on: line one line two.", [" line one\n line two\n"], "on: [redacted]."],
    ["on: line\u200d one\n line two.", [" line\u200d one\r\n line two\n"], "on: [redacted]."],
    ["a secret", [], "a secret"],
    ["a secret", [""], "a secret"],
    ["the end", ["the"], "the end"],
  ])("redact(%j) with the secrets %j returns %j", (quote, secrets, expected) => {
    expect(redact(quote, secrets)).toBe(expected);
  });

  test.each([
    ...["+12065550123", "12065550123", "2065550123", "(206) 555-0123", "(206)555-0123"],
    ...["+1 (206) 555-0123", "1-206-555-0123", "206.555.0123", "206·555·0123", "206  555  0123"],
    ...["+44 20 7946 0958"],
  ])("a Redactor hides the number %s", (number) => {
    expect(redact(`<${number}>`, [])).toBe("<[number]>");
  });

  test("a Redactor hides all of a very long run of digits", () => {
    expect(redact(`id ${"1234567890".repeat(3)} end`, [])).not.toMatch(/\d{10}/);
  });

  test.each(["HTTP 404 in 1234 ms", "2026-01-01", "at index 12, 13 and 14", "list 123456789"])(
    "a Redactor keeps %j",
    (quote) => {
      expect(redact(quote, [])).toBe(quote);
    },
  );

  test.each([
    ["as it was sent", 'a "key" & more'],
    ["in JSON", 'a \\"key\\" & more'],
    ["in a URL-encoded form", "a+%22key%22+%26+more"],
    ["in a URL", "a%20%22key%22%20%26%20more"],
  ])("a Redactor hides a text %s", (_, written) => {
    expect(redact(`you sent <${written}>`, ['a "key" & more'])).toBe("you sent <[redacted]>");
  });

  test("a Redactor hides a text of four characters and keeps one of three", () => {
    expect(redact("abcd abc", ["abcd", "abc"])).toBe("[redacted] abc");
    expect(redact("caf%C3%A9", ["é"])).toBe("caf%C3%A9");
  });

  test("a Redactor hides a number whose parts are separated by escapes", () => {
    expect(redact("from %2B1%20206%20555%200123.", [])).toBe("from %2B[number].");
  });

  test("a Redactor normalizes white space and truncates long strings", () => {
    expect(redact("  a\n\n\tb  ", [])).toBe("a b");
    expect(redact("c".repeat(300), [])).toBe("c".repeat(300));
    expect(redact("c".repeat(301), [])).toBe(`${"c".repeat(300)}…`);
  });

  test("a Redactor hides secrets before it truncates, and leaves no part of a secret", () => {
    const quote = `${"d".repeat(296)}key-1234567890`;
    expect(redact(quote, ["key-1234567890"])).toBe(`${"d".repeat(296)}[red…`);
  });
});

describe("invisible characters", () => {
  test("a Redactor removes control and format characters", () => {
    expect(redact("a\u0000b\u001b[2J c\u202ed\u061ce", [])).toBe("ab[2J cde");
  });

  test.each(["\u0000", "\u200b", "\u00ad"])(
    "a Redactor hides a secret and a number that are interrupted by %j",
    (mark) => {
      expect(redact(`key-${mark}1234 206${mark}5550123`, ["key-1234"])).toBe("[redacted] [number]");
    },
  );
});

describe("the token of a Redactor", () => {
  const token = (text: string, sent: string) => new Redactor([sent]).token(text);

  test.each([
    "206-555-0123",
    "2065550123",
    "+1.206.555.0123",
    "id:(206)/555_0123:7",
    "req-12065550123-2026",
    "%2B12065550123",
    "2.0.6.5.5.5.0.1.2.3",
  ])("a number that was sent is hidden in any format: %s", (text) => {
    const written = ["+12065550123", "(206) 555-0123", "206/555/0123", "206%20555%2D0123"];
    for (const sent of [...written, "Call (206) 555-0123!"]) {
      expect(token(text, sent)).toBe("[redacted]");
    }
  });

  test("a long token is cut off", () => {
    expect(token("t".repeat(301), "a text")).toBe("t".repeat(300));
  });

  test.each(["1700000000000-42", "206-555-0199", "0af7651916cd43dd8448eb211c80319c", "5550123"])(
    "digits that were not sent are kept: %s",
    (text) => {
      expect(token(text, "+12065550123")).toBe(text);
    },
  );
});

describe("stringsWithin", () => {
  test("stringsWithin finds every string at any depth", () => {
    const value = { a: "one", b: [null, 2, { c: "two" }, ["three"]], d: undefined, e: true };
    expect([...stringsWithin(value)]).toEqual(["one", "two", "three"]);
  });

  test.each([undefined, null, 5, true, Symbol("s"), () => {}])(
    "stringsWithin finds no string in %s",
    (value) => {
      expect([...stringsWithin(value)]).toEqual([]);
    },
  );

  test("stringsWithin terminates for a value that contains itself", () => {
    const value = { text: "one", toJSON: () => "sent", self: {} };
    value.self = value;
    expect([...stringsWithin(value)]).toContain("one");
  });
});
