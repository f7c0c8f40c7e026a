import { assertBoolean, invalidOption, optionOr } from "../../options.ts";
import { countCharacters } from "../rcs-text.ts";
import { convertToGsm7 } from "./gsm7.ts";
import { maxSmsLength } from "./sms-failover.ts";

/** Options of {@link fitSms}. */
export interface FitSmsOptions {
  /**
   * Maximum length of the result in characters (Unicode code points), 1 or more. Default: 160, the longest SMS
   * fallback.
   */
  readonly limit?: number | undefined;
  /**
   * Whether the marks of RCS formatting around words are removed: `*bold*`, `_italic_` or `__underline__`,
   * `~strikethrough~`. Default: `false`.
   */
  readonly removeFormatting?: boolean | undefined;
}

/** Result of {@link fitSms}. */
export interface FittedSms {
  /** Text of the SMS fallback. */
  readonly text: string;
  /** Whether anything visible was lost: words, or pictures such as emoji. */
  readonly lost: boolean;
  /** Whether words were lost because the text was longer than the limit. */
  readonly shortened: boolean;
}

const ELLIPSIS = "...";

const assertLimit = (name: string, value: number): number => {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw invalidOption(name, "an integer, 1 or more");
};

/** Matches a mark, single or double, around words of one line; not within a word, a number or a URL. */
const formatting = (mark: string): RegExp =>
  new RegExp(
    `(?<=^|[\\s(["'*_~])(?<![${mark}])([${mark}]{1,2})(?=[^\\s${mark}])([^\\n${mark}]*[^\\s${mark}])\\1(?![${mark}])(?=$|[\\s)\\]"'*_~]|[.,!?;:]+(?:$|[\\s)\\]"'*_~]))`,
    "gmu",
  );

const withoutFormatting = (text: string): string =>
  ["*", "_", "~"].reduce((plain, mark) => plain.replace(formatting(mark), "$2"), text);

/** Shortens a text, between two words if possible, and never inside a character. */
const shorten = (text: string, limit: number): string => {
  if (limit <= ELLIPSIS.length) return ELLIPSIS.slice(0, limit);
  let kept = "";
  let room = limit - ELLIPSIS.length;
  for (const [character] of text.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    room -= countCharacters(character);
    if (room < 0) break;
    kept += character;
  }
  const endsAWord = /^\s/.test(text.slice(kept.length));
  const words = endsAWord ? kept : kept.replace(/(?<=\S)\s+\S*$/, "");
  return words.replace(/[\s.,;:-]+$/, "") + ELLIPSIS;
};

/**
 * Converts a text into an SMS fallback: converts its characters as {@link toGsm7} does, and shortens it at a word, with
 * `...`, if it is longer than the limit.
 *
 * A letter that GSM 7-bit lacks stays, so that the rule of `smsFailover` refuses it by name.
 *
 * @throws TypeError that names an invalid option.
 * @example
 * fitSms("*Ready* — come in 🎉", { removeFormatting: true }); // { text: "Ready - come in", lost: true, shortened: false }
 * fitSms("Your table is ready", { limit: 15 }); // { text: "Your table...", lost: true, shortened: true }
 */
export function fitSms(text: string, options: FitSmsOptions = {}): FittedSms {
  const limit = optionOr("limit", options.limit, maxSmsLength, assertLimit);
  const plain = optionOr("removeFormatting", options.removeFormatting, false, assertBoolean);
  const { converted, hasLost } = convertToGsm7(plain ? withoutFormatting(text) : text);
  const shortened = countCharacters(converted) > limit;
  return {
    text: shortened ? shorten(converted, limit) : converted,
    lost: hasLost || shortened,
    shortened,
  };
}
