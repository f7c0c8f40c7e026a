import {
  assertBoolean,
  assertPositiveInteger,
  assertString,
  invalidOption,
  or,
  readOptions,
} from "../options.ts";
import { Conversion, measure, SEPTETS_OF_A_SINGLE_SEGMENT } from "./gsm7.ts";
import { CHARACTERS, isGsm7, septetsOf } from "./gsm7-characters.ts";
import { countCharacters, isLonger } from "./problem.ts";
import { isSmsFailover, maxSmsLength } from "./texts.ts";

/** Options of {@link fitSms}. */
export interface FitSmsOptions {
  /** Maximum length in characters (Unicode code points), 1 or more. Default: 160, the maximum for `smsFailover`. */
  readonly limit?: number | undefined;
  /**
   * Maximum number of SMS segments, each of which is billed as one message: 1, which is 160 septets. A character such as `€` or
   * `[` takes two septets. Without this option, 160 characters may take two segments. Default: no maximum.
   */
  readonly segments?: 1 | undefined;
  /**
   * Whether to remove the marks of RCS formatting around words: `*bold*`, `_italic_`, `__underline__` and
   * `~strikethrough~`. Marks beside a letter or a digit, and marks in a URL, stay. Default: `false`.
   */
  readonly removeFormatting?: boolean | undefined;
  /**
   * Replacement for each letter, digit or sign that GSM 7-bit lacks and that has no substitute: a string of GSM 7-bit
   * characters, such as `"?"`; `""` leaves them out. Without this option, such a character stays, and the result is invalid.
   * Default: none.
   */
  readonly unwritable?: string | undefined;
}

/** Result of {@link fitSms}. */
export interface FittedSms {
  /** Text of the SMS fallback. */
  readonly text: string;
  /** Whether the text is a valid `smsFailover`: 1 to 160 characters of GSM 7-bit. */
  readonly valid: boolean;
  /**
   * Whether a reader could miss something: words that were cut off, letters that `unwritable` replaced, pictures such as
   * emoji, or a sign that became the same as a different one (★ and ☆ both become `*`).
   */
  readonly lossy: boolean;
  /** Whether the text was cut because it exceeded `limit` or `segments`. */
  readonly shortened: boolean;
}

const ELLIPSIS = "...";

const assertSegments = (name: string, value: 1): 1 => {
  if (value === 1) return value;
  throw invalidOption(name, "1");
};

const assertWritable = (name: string, value: string): string => {
  if (typeof value === "string" && isGsm7(value)) return value;
  throw invalidOption(name, "a string of GSM 7-bit characters");
};

/**
 * Matches the rest of a URL, which stays, or words of one line between two marks, each up to three times. A mark beside a
 * letter or a digit formats nothing; the digit of an emoji such as 1️⃣ does not count.
 */
const formatting = (mark: string): RegExp => {
  const url = "[\\p{L}\\p{N}:]/\\S+";
  const open = `(?<![\\p{L}\\p{N}][^\\P{M}\\u20E3]*|[\\\\${mark}])([${mark}]{1,3})`;
  const words = `(?=[^\\n${mark}]*[\\p{L}\\p{N}\\p{So}])(?!\\s)([^\\n${mark}]*[^\\s${mark}])`;
  const close = `\\1(?![${mark}\\p{L}]|\\p{N}(?!\\uFE0F?\\u20E3)|[./@][\\p{L}\\p{N}])`;
  return new RegExp(`${url}|${open}${words}${close}`, "gu");
};

const withoutFormatting = (text: string): string =>
  ["*", "_", "~"].reduce(
    (plain, mark) => plain.replace(formatting(mark), (match, _, words = match) => words),
    text,
  );

const shorten = (text: string, limit: number, maxSeptets: number): string => {
  if (limit < ELLIPSIS.length) return ELLIPSIS.slice(0, limit);
  let kept = "";
  let room = limit - ELLIPSIS.length;
  let septets = maxSeptets - ELLIPSIS.length;
  for (const [character] of text.matchAll(CHARACTERS)) {
    room -= countCharacters(character);
    septets -= septetsOf(character);
    if (room < 0 || septets < 0) break;
    kept += character;
  }
  const endsAWord = /\s/.test(text.charAt(kept.length));
  const words = endsAWord ? kept : kept.replace(/(\S)\s+\S*$/, "$1");
  return words.replace(/[\s.,;:-]+$/, "") + ELLIPSIS;
};

/**
 * Converts a text into an SMS fallback: replaces characters as {@link toGsm7} does, and cuts a text that exceeds the limit
 * after a word, with `...` at its end.
 *
 * A letter that GSM 7-bit lacks and that has no substitute stays, and `valid` is then `false`. The option `unwritable`
 * replaces such letters.
 *
 * @param text Text of any length.
 * @returns Text of the fallback, whether it is valid, and what was lost.
 *
 * @throws TypeError that names an invalid argument, or an invalid or unknown option.
 * @example
 * fitSms("*Ready* — come in", { removeFormatting: true }).text; // "Ready - come in"
 * fitSms("Your table is ready 🎉", { limit: 15 }); // { text: "Your table...", valid: true, lossy: true, shortened: true }
 * fitSms("€".repeat(160), { segments: 1 }).text.length; // 81: 78 euro signs and "..."
 * fitSms("Hi Иван", { unwritable: "?" }); // { text: "Hi ????", valid: true, lossy: true, shortened: false }
 */
export function fitSms(text: string, options: FitSmsOptions = {}): FittedSms {
  assertString("text", text);
  const { limit, segments, unwritable, removeFormatting } = readOptions("options", options, {
    limit: or(assertPositiveInteger, maxSmsLength),
    segments: or(assertSegments),
    unwritable: or(assertWritable),
    removeFormatting: or(assertBoolean, false),
  });
  const maxSeptets = segments === undefined ? Infinity : SEPTETS_OF_A_SINGLE_SEGMENT;
  const plain = removeFormatting ? withoutFormatting(text) : text;
  const { converted, isLossy } = new Conversion(plain, unwritable);
  const isTooLong = isLonger(converted, limit) || measure(converted).septets > maxSeptets;
  const fitted = isTooLong ? shorten(converted, limit, maxSeptets) : converted;
  return {
    text: fitted,
    valid: isSmsFailover(fitted),
    lossy: isLossy || isTooLong,
    shortened: isTooLong,
  };
}
