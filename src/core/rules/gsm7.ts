import { assertString } from "../options.ts";
import { CHARACTERS, type Fix, fixFor, isGsm7, septetsOf } from "./gsm7-characters.ts";
import { countCharacters } from "./problem.ts";

/** Maximum number of septets of a text that is sent as one segment. */
export const SEPTETS_OF_A_SINGLE_SEGMENT = 160;
/** Maximum number of septets of each segment if there are several. A header takes the other seven septets. */
const SEPTETS_OF_ONE_OF_SEVERAL = 153;

/** Result of {@link analyzeGsm7}. */
export interface Gsm7Analysis {
  /** Whether every character is in the GSM 7-bit alphabet or its extension table. */
  readonly valid: boolean;
  /** Number of characters, counted as Unicode code points. */
  readonly characters: number;
  /**
   * Length in septets, the units of GSM 7-bit. Most characters take one septet; characters of the extension table, such as `€`,
   * take two. For an invalid text, this is the length of the result of {@link toGsm7}, without the characters that it cannot
   * replace.
   */
  readonly septets: number;
  /** Number of SMS segments of these septets; 0 for none. A single segment contains up to 160; each of several up to 153. */
  readonly segments: number;
  /** Every character that GSM 7-bit lacks, in order. */
  readonly invalid: readonly {
    /** Character together with its combining marks. */
    readonly character: string;
    /** Position in the text as a UTF-16 index, as for `slice`. */
    readonly index: number;
    /** Substitute that {@link toGsm7} writes; `""` if it leaves the character out; absent if the character stays. */
    readonly suggestion?: string;
  }[];
}

/**
 * Returns the separator between a number and a substitute, because "2½" must not become "21/2", "10²" must not become "102", and
 * "1②" must not become "12".
 */
const separatorOf = (character: string, substitute: string): string => {
  if (/^\d+\//.test(substitute) || /[①-⑳㉑-㊿]/.test(character)) return " ";
  if (/[²³¹⁰⁴-⁹⁻]/.test(character)) return "^";
  return /[₀-₉]/.test(character) ? "_" : "";
};

/**
 * Converts a text for {@link toGsm7}.
 *
 * @param unwritable Replacement for a character without a substitute. Without it, such a character stays.
 * @returns Converted text, its characters that GSM 7-bit lacks, and whether something visible was lost: a picture was left out, a
 * letter was replaced, or two different signs became the same.
 */
export const convert = (text: string, unwritable?: string) => {
  const invalid: Gsm7Analysis["invalid"][number][] = [];
  if (isGsm7(text)) return { converted: text, invalid, isLossy: false };
  const parts: string[] = [];
  /** Cache of fixes, because a long text repeats the same few characters. */
  const fixes = new Map<string, Fix>();
  /** Last sign for which each ambiguous substitute was written. */
  const signs = new Map<string, string>();
  let isLossy = false;
  /** Separator that the previous character needs after a number; `""` if it needs none. */
  let lastSeparator = "";
  /** Whether something visible was left out just before the next character. */
  let isAfterOmission = false;

  const lastPart = () => parts.at(-1) ?? "";

  const trimSpaces = () => {
    while (lastPart() === " ") parts.pop();
  };

  /**
   * Appends a character and closes the gap that an omission left. Drops one of two spaces, and keeps two words apart.
   *
   * @param original Character that this one replaces, because a letter stays apart from the word before it, even as `?`.
   */
  const write = (character: string, original = character) => {
    if (isAfterOmission) {
      if (character === " " && /(^|[\s(])$/.test(lastPart())) return;
      isAfterOmission = false;
      if (/^[\n\r!?,;:)]/.test(original)) trimSpaces();
      else if (/^[\p{L}\p{N}]/u.test(original) && /[\p{L}\p{N}]\p{M}*$/u.test(lastPart())) {
        parts.push(" ");
      }
    }
    parts.push(character);
  };

  /**
   * Returns a substitute, after a separator if a number precedes it. A raised or lowered number of several digits needs only one.
   */
  const separate = (character: string, substitute: string) => {
    const separator = separatorOf(character, substitute);
    const isNeeded = separator === " " || separator !== lastSeparator;
    lastSeparator = separator;
    return isNeeded && /\d$/.test(lastPart()) ? separator + substitute : substitute;
  };

  for (const { 0: character, index } of text.matchAll(CHARACTERS)) {
    if (isGsm7(character)) {
      lastSeparator = "";
      write(character);
      continue;
    }
    const fix = fixes.get(character) ?? fixFor(character);
    fixes.set(character, fix);
    const { suggestion } = fix;
    if (fix.isLossy) isLossy = true;
    if (suggestion) {
      if (/^[*vx]$/.test(suggestion)) {
        isLossy ||= (signs.get(suggestion) ?? character) !== character;
        signs.set(suggestion, character);
      }
      const written = separate(character, suggestion);
      invalid.push({ character, index, suggestion: written });
      write(written);
    } else if (suggestion === "") {
      invalid.push({ character, index, suggestion });
      // Removing an invisible character leaves no gap.
      if (fix.isLossy) isAfterOmission = true;
    } else {
      invalid.push({ character, index });
      isLossy ||= unwritable !== undefined;
      if (unwritable === "") isAfterOmission = true;
      else write(unwritable ?? character, character);
    }
  }
  if (isAfterOmission) trimSpaces();
  // "★ vegan, * spicy" must not become two asterisks silently.
  isLossy ||= signs.has("*") && text.includes("*");
  return { converted: parts.join(""), invalid, isLossy };
};

/**
 * Returns the numbers of septets and segments of a text of GSM 7-bit characters. The two septets of one character are never split
 * between two segments.
 */
export const measure = (text: string) => {
  let septets = 0;
  let several = 1;
  let filled = 0;
  for (const character of text) {
    const size = septetsOf(character);
    septets += size;
    filled += size;
    if (filled > SEPTETS_OF_ONE_OF_SEVERAL) {
      several += 1;
      filled = size;
    }
  }
  if (septets === 0) return { septets, segments: 0 };
  return { septets, segments: septets <= SEPTETS_OF_A_SINGLE_SEGMENT ? 1 : several };
};

/**
 * Analyzes a text as an SMS: whether GSM 7-bit can represent it, its length and segments, and every invalid character.
 *
 * @throws TypeError unless the text is a string.
 * @example
 * analyzeGsm7("Hi — €5").invalid; // [{ character: "—", index: 3, suggestion: "-" }]
 */
export function analyzeGsm7(text: string): Gsm7Analysis {
  assertString("text", text);
  const { converted, invalid } = convert(text);
  return {
    valid: invalid.length === 0,
    characters: countCharacters(text),
    ...measure(converted),
    invalid,
  };
}

/**
 * Converts a text to GSM 7-bit as far as possible.
 *
 * Typographic quotes, dashes and spaces become plain ones, and so do styled letters and digits. Latin letters lose the accents
 * that the alphabet lacks. A sign, such as ➕ or ★, becomes the plain sign that it shows. Decoration (most other emoji, pictographs,
 * invisible characters, marks without a letter) is left out, together with the space that would remain. Any other character
 * without a substitute stays; the client then rejects the message.
 *
 * @throws TypeError unless the text is a string.
 * @example
 * toGsm7("“Hi” — it’s 5 €…"); // "\"Hi\" - it's 5 €..."
 * toGsm7("Ready 🎉 come in"); // "Ready come in"
 * toGsm7("𝟓𝟎% 𝐎𝐅𝐅, buy 1 ➕ 1"); // "50% OFF, buy 1 + 1"
 * toGsm7("Привет"); // "Привет"
 */
export function toGsm7(text: string): string {
  return convert(assertString("text", text)).converted;
}
