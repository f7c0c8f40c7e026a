import fc from "fast-check";
import { expect, test } from "vitest";
import {
  parseRcsMarkup,
  type RcsPart,
} from "../../../src/testing/inbox/conversations/rcs-markup.ts";

/** Returns a text with its formatted parts in brackets. */
const show = (parts: readonly RcsPart[]): string =>
  parts
    .map((part) => (typeof part === "string" ? part : `<${part.tag}>${show(part.parts)}</>`))
    .join("");

test.each([
  ["plain", "plain"],
  ["*bold*", "<strong>bold</>"],
  ["_italic_", "<em>italic</>"],
  ["__underline__", "<u>underline</>"],
  ["~gone~", "<s>gone</>"],
  ["a *b* _c_, (~d~)!", "a <strong>b</> <em>c</>, (<s>d</>)!"],
  ["*bold _both_*", "<strong>bold <em>both</></>"],
  ["__under *bold*__", "<u>under <strong>bold</></>"],
  ["*two words*\n_next line_", "<strong>two words</>\n<em>next line</>"],
  ["2*3*4", "2*3*4"],
  ["snake_case_name", "snake_case_name"],
  ["* a list*", "* a list*"],
  ["*open", "*open"],
  ["__a_", "__a_"],
  ["a * b * c", "a * b * c"],
  ["**", "**"],
  ["", ""],
  ["*é*", "<strong>é</>"],
  ["*🎉*", "<strong>🎉</>"],
  ["<b>*x*</b>", "<b><strong>x</></b>"],
])("the RCS text %j is shown as %j", (text, expected) => {
  expect(show(parseRcsMarkup(text))).toBe(expected);
});

const plainText = (parts: readonly RcsPart[]): string =>
  parts.map((part) => (typeof part === "string" ? part : plainText(part.parts))).join("");

test("RCS formatting removes only its marks", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "é", " ", "*", "_", "~", "\n", "<"),
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, (value) => {
      const shown = plainText(parseRcsMarkup(value));
      expect(shown.replace(/[*_~]/g, "")).toBe(value.replace(/[*_~]/g, ""));
    }),
  );
});

test("an RCS text of the maximum length is parsed in a short time", () => {
  const start = process.cpuUsage();
  for (const text of ["*a ".repeat(1000), "_".repeat(3000), "*_~".repeat(1000)])
    parseRcsMarkup(text);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
});
