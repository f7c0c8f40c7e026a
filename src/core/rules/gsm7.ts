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
  /** Number of SMS segments; 0 for an empty text. A single segment contains up to 160 septets; each of several up to 153. */
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

/** Conversion of a text for {@link toGsm7}. */
export class Conversion {
  readonly invalid: Gsm7Analysis["invalid"][number][] = [];
  /**
   * Whether something visible was lost: a picture was left out, a letter was replaced, or two different signs became the same.
   */
  isLossy = false;
  readonly #unwritable: string | undefined;
  readonly #parts: string[] = [];
  /** Cache of fixes, because a long text repeats the same few characters. */
  readonly #fixes = new Map<string, Fix>();
  /** Last sign for which each ambiguous substitute was written. */
  readonly #signs = new Map<string, string>();
  /** Separator that the previous character needs after a number; `""` if it needs none. */
  #separator = "";
  /** Whether something visible was left out just before the next character. */
  #afterOmission = false;

  /** @param unwritable Replacement for a character without a substitute. Without it, such a character stays. */
  constructor(text: string, unwritable?: string) {
    this.#unwritable = unwritable;
    if (isGsm7(text)) {
      this.#parts.push(text);
      return;
    }
    for (const { 0: character, index } of text.matchAll(CHARACTERS)) {
      this.#convert(character, index);
    }
    if (this.#afterOmission) this.#trimSpaces();
  }

  get converted(): string {
    return this.#parts.join("");
  }

  get #last(): string {
    return this.#parts.at(-1) ?? "";
  }

  #convert(character: string, index: number): void {
    if (isGsm7(character)) {
      this.#separator = "";
      this.#write(character);
      return;
    }
    const fix = this.#fixes.get(character) ?? fixFor(character);
    this.#fixes.set(character, fix);
    const { suggestion, isLossy } = fix;
    if (isLossy) this.isLossy = true;
    if (suggestion) {
      if (/^[*vx]$/.test(suggestion)) {
        if ((this.#signs.get(suggestion) ?? character) !== character) this.isLossy = true;
        this.#signs.set(suggestion, character);
      }
      const written = this.#separate(character, suggestion);
      this.invalid.push({ character, index, suggestion: written });
      this.#write(written);
    } else if (suggestion === "") {
      this.invalid.push({ character, index, suggestion });
      // Removing an invisible character leaves no gap.
      if (isLossy) this.#afterOmission = true;
    } else {
      this.invalid.push({ character, index });
      this.isLossy ||= this.#unwritable !== undefined;
      if (this.#unwritable === "") this.#afterOmission = true;
      else this.#write(this.#unwritable ?? character);
    }
  }

  /**
   * Returns a substitute, after a separator if a number precedes it. A raised or lowered number of several digits needs only one.
   */
  #separate(character: string, substitute: string): string {
    const separator = separatorOf(character, substitute);
    const isNeeded = separator === " " || separator !== this.#separator;
    this.#separator = separator;
    return isNeeded && /\d$/.test(this.#last) ? separator + substitute : substitute;
  }

  /** Appends a character and closes the gap that an omission left. Drops one of two spaces, and keeps two words apart. */
  #write(character: string): void {
    if (this.#afterOmission) {
      if (character === " " && /(^|[\s(])$/.test(this.#last)) return;
      this.#afterOmission = false;
      if (/^[\n\r!?,;:)]/.test(character)) this.#trimSpaces();
      else if (/^[\p{L}\p{N}]/u.test(character) && /[\p{L}\p{N}]\p{M}*$/u.test(this.#last)) {
        this.#parts.push(" ");
      }
    }
    this.#parts.push(character);
  }

  #trimSpaces(): void {
    while (this.#last === " ") this.#parts.pop();
  }
}

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
  const { converted, invalid } = new Conversion(text);
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
 * Typographic quotes, dashes and spaces become plain ones, and so do styled letters and digits. Letters lose the accents that
 * the alphabet lacks. A sign, such as ➕ or ★, becomes the plain sign that it shows. Decoration (other emoji, pictographs,
 * invisible characters, marks without a letter) is left out, together with the space that would remain. A letter, digit or
 * sign without a substitute stays; the client then rejects the message and names the character.
 *
 * @throws TypeError unless the text is a string.
 * @example
 * toGsm7("“Hi” — it’s 5 €…"); // "\"Hi\" - it's 5 €..."
 * toGsm7("Ready 🎉 come in"); // "Ready come in"
 * toGsm7("𝟓𝟎% 𝐎𝐅𝐅, buy 1 ➕ 1"); // "50% OFF, buy 1 + 1"
 * toGsm7("Привет"); // "Привет"
 */
export function toGsm7(text: string): string {
  return new Conversion(assertString("text", text)).converted;
}
