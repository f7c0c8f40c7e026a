import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { httpsUrlProblems, MAX_URL_LENGTH } from "../../src/rules/https-url.ts";

const problemsOf = (url: string) => [...httpsUrlProblems(url)];

describe("accepted", () => {
  test.each([
    "https://example.com",
    "https://example.com/",
    "https://example.com/webhooks/messages",
    "https://example.com:8443/hook?key=value#part",
    "https://hooks.example.com/ä/日本",
    "https://münchen.example/hook",
    "https://192.0.2.1/hook",
    "https://[2001:db8::1]/hook",
    "https://localhost/hook",
    "HTTPS://EXAMPLE.COM/HOOK",
    `https://example.com/${"a".repeat(MAX_URL_LENGTH - 20)}`,
  ])("%s", (url) => {
    expect(problemsOf(url)).toEqual([]);
  });
});

describe("refused", () => {
  test.each([
    ["", /does not begin with https/],
    ["example.com/hook", /does not begin with https/],
    ["//example.com/hook", /does not begin with https/],
    ["/hook", /does not begin with https/],
    ["https://", /cannot be parsed/],
    ["https://exa mple.com/", /cannot be parsed/],
    ["https://example.com:99999/", /cannot be parsed/],
    ["http://example.com/hook", /does not begin with https/],
    ["ftp://example.com/hook", /does not begin with https/],
    ["httpsx://example.com/hook", /does not begin with https/],
    ["mailto:owner@example.com", /does not begin with https/],
    [" https://example.com/hook", /white space around/],
    ["https://example.com/hook\n", /white space around/],
    ["\thttp://example.com/hook ", /white space around/],
    ["\u00A0https://example.com/hook", /white space around/],
  ])("%j: %s", (url, why) => {
    expect(problemsOf(url)).toEqual([
      { code: "invalid_string", validation: "url", message: expect.stringMatching(why) },
    ]);
  });

  test("256 characters", () => {
    const url = `https://example.com/${"a".repeat(236)}`;
    expect(url).toHaveLength(256);
    expect(problemsOf(url)).toEqual([
      {
        code: "too_big",
        type: "string",
        maximum: 255,
        inclusive: true,
        exact: false,
        message: "must have at most 255 characters: this one has 256",
      },
    ]);
  });

  test("everything that is wrong, at once", () => {
    const codes = problemsOf(`http://example.com/${"a".repeat(300)}`).map(({ code }) => code);
    expect(codes).toEqual(["too_big", "invalid_string"]);
  });
});

test("characters are counted as given, not percent-encoded", () => {
  expect(problemsOf(`https://example.com/${"é".repeat(235)}`)).toEqual([]);
  expect(problemsOf(`https://example.com/${"é".repeat(236)}`)).toMatchObject([{ maximum: 255 }]);
});

test("characters are code points, as in the texts: the most generous of the usual counts", () => {
  const base = "https://example.com/";
  expect(problemsOf(base + "🎉".repeat(235))).toEqual([]);
  expect(problemsOf(base + "🎉".repeat(236))).toMatchObject([{ code: "too_big", maximum: 255 }]);
});

test("no message holds the URL, which may carry a secret", () => {
  fc.assert(
    fc.property(fc.constantFrom("http", "ftp", " https", ""), fc.uuid(), (scheme, secret) => {
      for (const { message } of problemsOf(`${scheme}://example.com/?key=${secret}`)) {
        expect(message).not.toContain(secret);
      }
    }),
  );
});
