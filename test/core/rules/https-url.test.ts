import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fileUrlProblems,
  httpsUrlProblems,
  isFileUrl,
  isWebhookUrl,
  maxWebhookUrlLength,
} from "../../../src/core/rules/https-url.ts";

const problemsOf = (url: string) => [...httpsUrlProblems(url)];

describe("an https URL", () => {
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
    `https://example.com/${"a".repeat(maxWebhookUrlLength - 20)}`,
  ])("the https URL %s is accepted", (url) => {
    expect(problemsOf(url)).toEqual([]);
    expect(isWebhookUrl(url)).toBe(true);
    expect(isFileUrl(url)).toBe(true);
  });
});

describe("a URL whose scheme is in capitals", () => {
  test.each(["HTTPS://example.com/menu.pdf", "Https://EXAMPLE.COM/", "httpS://example.com"])(
    "the URL %s is a valid webhookUrl and not a valid file URL",
    (url) => {
      expect(isWebhookUrl(url)).toBe(true);
      expect(problemsOf(url)).toEqual([]);
      expect(isFileUrl(url)).toBe(false);
      expect([...fileUrlProblems(url)]).toEqual([
        {
          code: "invalid_string",
          validation: "url",
          message:
            "must be an absolute https URL, such as https://example.com/path: this one does not begin with https://",
        },
      ]);
    },
  );
});

describe("URLs that no message accepts", () => {
  test.each([
    ["", /does not begin with https/],
    ["example.com/hook", /does not begin with https/],
    ["//example.com/hook", /does not begin with https/],
    ["x:https://example.com/", /does not begin with https/],
    ["a https://example.com", /does not begin with https/],
    ["https://", /cannot be parsed/],
    ["https://exa mple.com/", /cannot be parsed/],
    ["https://example.com:99999/", /cannot be parsed/],
    ["http://example.com/hook", /does not begin with https/],
    ["ftp://example.com/hook", /does not begin with https/],
    ["httpsx://example.com/hook", /does not begin with https/],
    [" https://example.com/hook", /white space around/],
    ["https://example.com/hook\n", /white space around/],
    ["\thttp://example.com/hook ", /white space around/],
    ["\u00A0https://example.com/hook", /white space around/],
    // The URL parser drops these characters, which would result in a different URL.
    ["https://example.com/ho\nok", /contains a control character/],
    ["https://exa\r\nmple.com/hook", /contains a control character/],
    ["https://example.com/hook?a=1\t&b=2", /contains a control character/],
    ["https://example.com/hook\u0000", /contains a control character/],
    ["https://example.com/\u007Fhook", /contains a control character/],
    ["https://example.com/\u0085hook", /contains a control character/],
  ])("the URL %j is refused with its reason: %s", (url, why) => {
    expect(problemsOf(url)).toEqual([
      { code: "invalid_string", validation: "url", message: expect.stringMatching(why) },
    ]);
    expect(isWebhookUrl(url)).toBe(false);
    expect(isFileUrl(url)).toBe(false);
  });

  test.each(["https://example.com/\uD83C", "https://example.com/\uDF89/hook"])(
    "the URL %j is refused because of half of a surrogate pair",
    (url) => {
      expect(problemsOf(url)).toMatchObject([{ message: expect.stringContaining("at index 20") }]);
      expect(isWebhookUrl(url)).toBe(false);
      expect(isFileUrl(url)).toBe(false);
    },
  );

  test("a URL of 256 characters is refused", () => {
    const url = `https://example.com/${"a".repeat(236)}`;
    expect(url).toHaveLength(256);
    expect(problemsOf(url)).toEqual([
      {
        code: "too_big",
        type: "string",
        maximum: 255,
        inclusive: true,
        exact: false,
        message: "must have at most 255 characters, but has 256",
      },
    ]);
  });

  test("all problems of a URL are reported together", () => {
    const codes = problemsOf(`http://example.com/${"a".repeat(300)}`).map(({ code }) => code);
    expect(codes).toEqual(["too_big", "invalid_string"]);
  });
});

test("the length of a URL is counted as given, not percent-encoded", () => {
  expect(problemsOf(`https://example.com/${"é".repeat(235)}`)).toEqual([]);
  expect(problemsOf(`https://example.com/${"é".repeat(236)}`)).toMatchObject([{ maximum: 255 }]);
});

test("the length of a URL is counted in code points", () => {
  const base = "https://example.com/";
  expect(problemsOf(base + "🎉".repeat(235))).toEqual([]);
  expect(problemsOf(base + "🎉".repeat(236))).toMatchObject([{ code: "too_big", maximum: 255 }]);
});

test("no message about a URL quotes it, because it may contain a secret", () => {
  fc.assert(
    fc.property(fc.constantFrom("http", "ftp", " https", ""), fc.uuid(), (scheme, secret) => {
      for (const { message } of problemsOf(`${scheme}://example.com/?key=${secret}`)) {
        expect(message).not.toContain(secret);
      }
    }),
  );
});

describe("checks of an application's own configuration", () => {
  test.each([undefined, null, 5, {}, new URL("https://example.com/")])(
    "isWebhookUrl and isFileUrl return false for %s, which is not a string",
    (value) => {
      expect(isWebhookUrl(value)).toBe(false);
      expect(isFileUrl(value)).toBe(false);
    },
  );

  test("isFileUrl refuses an extension that isWebhookUrl accepts", () => {
    const url = "https://example.com/hook.docx";
    expect([isWebhookUrl(url), isFileUrl(url)]).toEqual([true, false]);
  });
});
