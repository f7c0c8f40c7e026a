// Nobody sends texts of a megabyte on purpose. They come from a broken form or an attacker, and must not block a server.
import { describe, expect, test, vi } from "vitest";
import {
  analyzeGsm7,
  checkPhone,
  fitSms,
  isAllowedContentType,
  isFileUrl,
  isUsOrCanadianNumber,
  isWebhookUrl,
  toGsm7,
} from "../../src/index.ts";
import { contentTypeProblems, fileTypeProblems } from "../../src/rules/content-type.ts";
import { dayProblems, timestampProblems } from "../../src/rules/dates.ts";
import { fileUrlProblems, httpsUrlProblems } from "../../src/rules/https-url.ts";
import { parsePhone } from "../../src/rules/phone.ts";
import { rcsTextProblems, smsFailoverProblems } from "../../src/rules/texts.ts";

vi.setConfig({ testTimeout: 120_000 });

const LENGTH = 300_000;

const fill = (pattern: string): string => pattern.repeat(Math.ceil(LENGTH / pattern.length));
const different = (first: number, count: number): string =>
  Array.from({ length: LENGTH }, (_, index) => String.fromCodePoint(first + (index % count))).join(
    "",
  );

/** Long strings of characters that are slow to look up, decompose or match. */
const TEXTS: Readonly<Record<string, string>> = {
  letters: fill("a"),
  digits: fill("5"),
  spaces: fill(" "),
  "line breaks": fill("\n"),
  "spaces before a letter": `${fill(" ")}a`,
  "a ligature of eighteen letters": fill("ﷺ"),
  "one ideograph": fill("日"),
  "many ideographs": different(0x4e00, 20_000),
  "rare ideographs": different(0x20000, 40_000),
  emoji: fill("🎉"),
  families: fill("👨‍👩‍👧"),
  "spaces and emoji": fill("  🎉"),
  "one letter with many marks": `e${fill("\u0301")}`,
  "letters with marks": fill("ж\u0301"),
  "joiners without letters": fill("\u200D"),
  "variation selectors": fill("\uFE0F"),
  "halves of surrogate pairs": fill("\uD83D"),
  "full-width letters": fill("Ａ"),
  "formatted words": fill("*a* _b_ ~c~ "),
  "marks without formatting": fill("*_~"),
  "an opening mark": `*a${fill(" ")}`,
  signs: fill(".,;:-"),
  "signs before a letter": `${fill(".,;:- ")}a`,
  "plus ones": fill("+1"),
  brackets: fill("("),
  dashes: `206555${fill("-")}0123`,
  links: fill("tel:"),
  "an extension": `206-555-0123 x${fill("5")}`,
  "a URL": `https://example.com/${fill("a")}`,
  "a URL with many dots": `https://example.com/${fill(".a")}`,
  "a URL with many steps up": `https://example.com/${fill("../")}`,
  "a URL with a long host": `https://${fill("ж.")}`,
  "a URL with spaces": `https://example.com/${fill(" ")}a`,
  "a URL in capitals": `HTTPS://example.com/${fill("a")}.docx`,
  "a content type": `image/${fill("x")}`,
  "a content type with spaces": `image/png ${fill(" ")}x`,
  "a content type with parameters": `text/html${fill(";a=b")}`,
  "a timestamp with a long fraction": `2026-12-31T23:59:59.${fill("9")}`,
};

const RULES: Readonly<Record<string, (text: string) => Iterable<{ readonly message: string }>>> = {
  smsFailover: smsFailoverProblems,
  "rcsPayload.text": rcsTextProblems,
  webhookUrl: httpsUrlProblems,
  "file.url": fileUrlProblems,
  contentType: contentTypeProblems,
  "the extension of a file": (url) =>
    fileTypeProblems({ rcsPayload: { file: { url } } }, undefined),
  timestamp: timestampProblems,
  date: dayProblems,
  phoneNumber: (text) => {
    const parsed = parsePhone(text);
    return "message" in parsed ? [parsed] : [];
  },
};

/** Maximum processor time of a check in milliseconds. A check without bounds took 4 s and more. */
const RULE_MS = 400;

/** Maximum processor time of a conversion in milliseconds, which grows with the text, because it reads every character. */
const CONVERSION_MS = 4_000;

/** Returns processor time in milliseconds. Other work on the machine does not prolong it. */
const timeOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
};

describe.each(Object.entries(RULES))("the rule of %s", (_, problemsOf) => {
  test.each(Object.entries(TEXTS))(
    "a rule checks a long string in bounded time, with short messages: %s",
    (_name, text) => {
      let problems: readonly { readonly message: string }[] = [];
      const check = () => {
        problems = [...problemsOf(text)];
      };
      expect(timeOf(check)).toBeLessThan(RULE_MS);
      for (const { message } of problems) expect(message.length).toBeLessThan(1_000);
    },
  );
});

describe.each(
  Object.entries({
    isWebhookUrl,
    isFileUrl,
    isAllowedContentType,
    isUsOrCanadianNumber,
    checkPhone,
  }),
)("%s", (_, check) => {
  test.each(Object.entries(TEXTS))(
    "a predicate checks a long string in bounded time: %s",
    (_name, text) => {
      expect(timeOf(() => check(text))).toBeLessThan(RULE_MS);
    },
  );
});

describe("conversions", () => {
  const fit = (text: string) => fitSms(text, { removeFormatting: true, unwritable: "?" });
  const fitLong = (text: string) => fitSms(text, { limit: LENGTH - 1, removeFormatting: true });
  test.each(Object.entries(TEXTS))(
    "a conversion of a long string takes bounded time: %s",
    (_, text) => {
      for (const convert of [analyzeGsm7, toGsm7, fit, fitLong]) {
        expect(timeOf(() => convert(text))).toBeLessThan(CONVERSION_MS);
      }
    },
  );

  test("fitSms converts little more of a text than it keeps", () => {
    const text = different(0x4e00, 20_000);
    const normalize = vi.spyOn(String.prototype, "normalize");
    fitSms(text, { unwritable: "?" });
    const looked = normalize.mock.calls.length;
    normalize.mockRestore();
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(2_000);
  });

  test("analyzeGsm7 looks a character up once, however often a text contains it", () => {
    const normalize = vi.spyOn(String.prototype, "normalize");
    analyzeGsm7(fill("ﷺЯ日"));
    const looked = normalize.mock.calls.length;
    normalize.mockRestore();
    expect(looked).toBeLessThan(20);
  });

  test("the rule of an SMS fallback looks up only the beginning of a text that is too long", () => {
    const normalize = vi.spyOn(String.prototype, "normalize");
    const problems = [...smsFailoverProblems(different(0x4e00, 20_000))];
    const looked = normalize.mock.calls.length;
    normalize.mockRestore();
    expect(looked).toBeLessThan(2_000);
    expect(problems.map(({ message }) => message)).toEqual([
      "must have at most 160 characters: this one has 300000",
      expect.stringMatching(/at index 9 in other characters, and more$/),
    ]);
  });
});
