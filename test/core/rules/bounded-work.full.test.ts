// Texts of a megabyte come from a broken form or an attacker. They must not block a server.
import { describe, expect, test, vi } from "vitest";
import { contentTypeProblems, fileTypeProblems } from "../../../src/core/rules/content-type.ts";
import { dayProblems, timestampProblems } from "../../../src/core/rules/dates.ts";
import { fileUrlProblems, httpsUrlProblems } from "../../../src/core/rules/https-url.ts";
import { parsePhone } from "../../../src/core/rules/phone.ts";
import { rcsTextProblems, smsFailoverProblems } from "../../../src/core/rules/texts.ts";
import {
  analyzeGsm7,
  checkPhone,
  fitSms,
  isAllowedContentType,
  isFileUrl,
  isUsOrCanadianNumber,
  isWebhookUrl,
  toGsm7,
} from "../../../src/index.ts";
import { expectLinear } from "../../support/growth.ts";

vi.setConfig({ testTimeout: 120_000 });

const LENGTH = 50_000;

const fill = (pattern: string, length = LENGTH): string =>
  pattern.repeat(Math.ceil(length / pattern.length));
const different = (first: number, count: number, length = LENGTH): string =>
  Array.from({ length }, (_, index) => String.fromCodePoint(first + (index % count))).join("");

/** Functions that create a string of a given length from characters that are slow to look up, decompose or match. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  letters: (length) => fill("a", length),
  digits: (length) => fill("5", length),
  spaces: (length) => fill(" ", length),
  "line breaks": (length) => fill("\n", length),
  "spaces before a letter": (length) => `${fill(" ", length)}a`,
  "a ligature of eighteen letters": (length) => fill("ﷺ", length),
  "one ideograph": (length) => fill("日", length),
  "many ideographs": (length) => different(0x4e00, 20_000, length),
  "rare ideographs": (length) => different(0x20000, 40_000, length),
  emoji: (length) => fill("🎉", length),
  families: (length) => fill("👨‍👩‍👧", length),
  "spaces and emoji": (length) => fill("  🎉", length),
  "one letter with many marks": (length) => `e${fill("\u0301", length)}`,
  "letters with marks": (length) => fill("ж\u0301", length),
  "joiners without letters": (length) => fill("\u200D", length),
  "variation selectors": (length) => fill("\uFE0F", length),
  "halves of surrogate pairs": (length) => fill("\uD83D", length),
  "full-width letters": (length) => fill("Ａ", length),
  "formatted words": (length) => fill("*a* _b_ ~c~ ", length),
  "marks without formatting": (length) => fill("*_~", length),
  "an opening mark": (length) => `*a${fill(" ", length)}`,
  "a handle with many signs": (length) => `@${fill("._", length)}`,
  "handles with signs before a letter": (length) => `@a${fill("*.", length)}a`,
  "links with formatting": (length) => fill("a.b/*c* ~d~", length),
  signs: (length) => fill(".,;:-", length),
  "signs before a letter": (length) => `${fill(".,;:- ", length)}a`,
  "plus ones": (length) => fill("+1", length),
  brackets: (length) => fill("(", length),
  dashes: (length) => `206555${fill("-", length)}0123`,
  links: (length) => fill("tel:", length),
  "an extension": (length) => `206-555-0123 x${fill("5", length)}`,
  "a URL": (length) => `https://example.com/${fill("a", length)}`,
  "a URL with many dots": (length) => `https://example.com/${fill(".a", length)}`,
  "a URL with many steps up": (length) => `https://example.com/${fill("../../", length)}`,
  "a URL with a long host": (length) => `https://${fill("ж.", length)}`,
  "a URL with spaces": (length) => `https://example.com/${fill(" ", length)}a`,
  "a URL in capitals": (length) => `HTTPS://example.com/${fill("a", length)}.docx`,
  "a content type": (length) => `image/${fill("x", length)}`,
  "a content type with spaces": (length) => `image/png ${fill(" ", length)}x`,
  "a content type with parameters": (length) => `text/html${fill(";a=b", length)}`,
  "a timestamp with a long fraction": (length) => `2026-12-31T23:59:59.${fill("9", length)}`,
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

const PREDICATES = {
  isWebhookUrl,
  isFileUrl,
  isAllowedContentType,
  isUsOrCanadianNumber,
  checkPhone,
};
const CONVERSIONS = {
  analyzeGsm7,
  toGsm7,
  fitSms: (text: string) => fitSms(text, { removeFormatting: true, unwritable: "?" }),
  "fitSms with a high limit": (text: string) =>
    fitSms(text, { limit: LENGTH - 1, removeFormatting: true }),
};

describe.each(Object.entries(RULES))("the rule of %s", (_, problemsOf) => {
  test.each(Object.entries(TEXTS))(
    "a rule checks a long string in at most linear time, with short messages: %s",
    (_name, textOf) => {
      let problems: readonly { readonly message: string }[] = [];
      expectLinear(
        (text) => {
          problems = [...problemsOf(text)];
        },
        textOf,
        LENGTH,
      );
      for (const { message } of problems) expect(message.length).toBeLessThan(1_000);
    },
  );
});

describe.each(Object.entries({ ...PREDICATES, ...CONVERSIONS }))("%s", (_, work) => {
  test.each(Object.entries(TEXTS))("a long string takes at most linear time: %s", (_name, textOf) =>
    expectLinear(work, textOf, LENGTH),
  );
});

describe("conversions", () => {
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
      "must have at most 160 characters, but has 50000",
      expect.stringMatching(/at index 2 in other characters, and more$/),
    ]);
  });
});
