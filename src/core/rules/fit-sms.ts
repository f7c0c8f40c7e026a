import {
  assertBoolean,
  assertPositiveInteger,
  assertString,
  invalidOption,
  or,
  readOptions,
} from "../options.ts";
import { convert, measure, SEPTETS_OF_A_SINGLE_SEGMENT } from "./gsm7.ts";
import { CHARACTERS, isGsm7, septetsOf } from "./gsm7-characters.ts";
import { countCharacters, isLonger } from "./problem.ts";
import { isSmsFailover, maxSmsLength } from "./texts.ts";

/** Options of {@link fitSms}. */
export interface FitSmsOptions {
  /** Maximum length in characters (Unicode code points), 1 or more. Default: 160, the maximum for `smsFailover`. */
  readonly limit?: number | undefined;
  /**
   * Maximum number of SMS segments: 1, which is 160 septets. A character such as `€` or `[` takes two septets. Without this
   * option, 160 characters may take up to three segments. Default: no maximum.
   */
  readonly segments?: 1 | undefined;
  /**
   * Whether to remove the marks of RCS formatting around words: `*bold*`, `_italic_`, `__underline__` and
   * `~strikethrough~`. Marks inside a word or a number, and marks in a link or a handle, stay. Default: `false`.
   */
  readonly removeFormatting?: boolean | undefined;
  /**
   * Replacement for each character that GSM 7-bit lacks and `toGsm7` keeps: a string of GSM 7-bit characters, such as
   * `"?"`; `""` removes them. Without this option, such a character stays, and a text with it is invalid. Default: none.
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
   * Whether a reader could miss something: words that were cut off, a strikethrough whose marks were removed, letters that
   * `unwritable` replaced, pictures such as emoji, or a `*`, `v` or `x` that stands for different signs, such as ★ and ☆.
   */
  readonly lossy: boolean;
  /** Whether the text was cut because it exceeded `limit` or `segments`. */
  readonly shortened: boolean;
}

const ELLIPSIS = "...";
/**
 * Matches the marks that strike a character through, as text generators use them. The long solidus is not among them, because it
 * negates a sign, and stays.
 */
const STROKES = /[\u0335-\u0337]/;

const assertSegments = (name: string, value: 1): 1 => {
  if (value === 1) return value;
  throw invalidOption(name, "1");
};

const assertWritable = (name: string, value: string): string => {
  if (typeof value === "string" && isGsm7(value)) return value;
  throw invalidOption(name, "a string of GSM 7-bit characters");
};

/** Matches a link from its scheme, host or `@` on, or a handle or a hashtag, with the punctuation after it. */
const LINK =
  "\\p{L}:[\\p{L}\\p{N}/+]\\S*|[\\p{L}\\p{N}]\\.\\p{L}[\\p{L}\\p{N}-]*(?::\\d+)?[/?#]\\S*|[@#]\\S*";
const MARKS = ["*", "_", "~"];

/**
 * Replaces the marks in links and handles with letters. A mark at the end of a link may close words that began before the link.
 */
const withoutLinkMarks = (text: string): string =>
  text.replace(new RegExp(LINK, "gu"), (match) => {
    const [link = ""] = /^.*[\p{L}\p{N}/]/u.exec(match) ?? [];
    const rest = match.slice(link.length);
    const isPart = MARKS.some((mark) => link.includes(mark) && rest.includes(mark));
    const body = isPart ? match : link;
    return body.replace(/[*_~]/g, "x") + match.slice(body.length);
  });

/**
 * Matches a link, which stays, or words on one line between two marks, each repeated up to three times. A mark beside a letter or
 * a digit formats nothing; the digit of an emoji such as 1️⃣ does not count.
 */
const formatting = (mark: string): RegExp => {
  const open = `(?<![\\p{L}\\p{N}][^\\P{M}\\u20E3]*|[\\\\${mark}])([${mark}]{1,3})`;
  const words = `(?=[^\\n${mark}]*[\\p{L}\\p{N}\\p{So}])(?!\\s)([^\\n${mark}]*[^\\s${mark}])`;
  const close = `\\1(?![${mark}\\p{L}]|\\p{N}(?!\\uFE0F?\\u20E3)|[./@][\\p{L}\\p{N}])`;
  return new RegExp(`${LINK}|${open}${words}${close}`, "gu");
};

/** Removes the marks of formatting. Words that were struck through then read as if they were valid. */
const removeMarks = (text: string) => {
  let plain = text;
  let isStruck = false;
  for (const mark of MARKS) {
    const parts: string[] = [];
    let end = 0;
    for (const { 1: marks, 2: words = "", index } of withoutLinkMarks(plain).matchAll(
      formatting(mark),
    )) {
      if (marks === undefined) continue;
      const start = index + marks.length;
      const stop = start + words.length;
      parts.push(plain.slice(end, index), plain.slice(start, stop));
      end = stop + marks.length;
      if (mark === "~") isStruck = true;
    }
    plain = parts.join("") + plain.slice(end);
  }
  return { plain, isStruck };
};

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
 * Converts a text into an SMS fallback. Replaces characters as {@link toGsm7} does. A text that exceeds the limit is cut after a
 * word, or within the first word if not even that fits, and ends with `...`.
 *
 * A letter that GSM 7-bit lacks and that has no substitute stays, and a text with it is not valid. The option `unwritable`
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
  const { plain, isStruck } = removeFormatting
    ? removeMarks(text)
    : { plain: text, isStruck: false };
  const { converted, isLossy } = convert(plain, unwritable);
  const isTooLong = isLonger(converted, limit) || measure(converted).septets > maxSeptets;
  const fitted = isTooLong ? shorten(converted, limit, maxSeptets) : converted;
  return {
    text: fitted,
    valid: isSmsFailover(fitted),
    lossy: isLossy || isStruck || isTooLong || STROKES.test(text),
    shortened: isTooLong,
  };
}
