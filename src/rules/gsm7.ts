import { CHARACTERS, type Fix, fixFor, isGsm7, septetsOf } from "./gsm7-characters.ts";
import { countCharacters } from "./problem.ts";

const SEPTETS_OF_A_SINGLE_SEGMENT = 160;
/** Septets of each segment if there are several: a header takes the other seven. */
const SEPTETS_OF_ONE_OF_SEVERAL = 153;

/** A character that GSM 7-bit lacks. */
export interface Gsm7InvalidCharacter {
  /** Character together with its combining marks. */
  readonly character: string;
  /** Position in the text as a UTF-16 index, as for `slice`. */
  readonly index: number;
  /**
   * Substitute that {@link toGsm7} writes; `""` for decoration, which it leaves out. Absent if there is no substitute: the
   * character then stays.
   */
  readonly suggestion?: string;
}

/** Result of {@link analyzeGsm7}. */
export interface Gsm7Analysis {
  /** Whether every character is in the GSM 7-bit alphabet or its extension table. */
  readonly valid: boolean;
  /** Number of Unicode code points, as the service counts characters. */
  readonly characters: number;
  /**
   * Length in septets, the units of GSM 7-bit. Most characters take one; those of the extension table, such as `€`, take two.
   * For an invalid text, this is the length of what {@link toGsm7} returns, without the characters that it cannot write.
   */
  readonly septets: number;
  /**
   * Number of SMS segments, each of which is billed as one message. One segment holds 160 septets; several hold 153 each. 0
   * for an empty text.
   */
  readonly segments: number;
  /** Every character that GSM 7-bit lacks, in order. */
  readonly invalid: readonly Gsm7InvalidCharacter[];
}

/** Conversion of one text to GSM 7-bit. */
class Conversion {
  readonly invalid: Gsm7InvalidCharacter[] = [];
  /** Whether a picture was left out. */
  isLossy = false;
  readonly #parts: string[] = [];
  /** Cache of fixes: a long text repeats the same few characters. */
  readonly #fixes = new Map<string, Fix>();
  /** Whether a picture was left out just before the next character. */
  #afterOmission = false;

  constructor(text: string) {
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
      this.#write(character);
      return;
    }
    const fix = this.#fixes.get(character) ?? fixFor(character);
    this.#fixes.set(character, fix);
    const { suggestion, isPicture } = fix;
    if (suggestion) {
      // "2½" must not become "21/2".
      const joins = /^\d/.test(suggestion) && /\d$/.test(this.#last);
      const written = joins ? ` ${suggestion}` : suggestion;
      this.invalid.push({ character, index, suggestion: written });
      this.#write(written);
    } else if (suggestion === "") {
      this.invalid.push({ character, index, suggestion });
      if (isPicture) {
        this.#afterOmission = true;
        this.isLossy = true;
      }
    } else {
      this.invalid.push({ character, index });
      this.#write(character);
    }
  }

  /** Appends a character and closes the gap that a picture left: drops one of two spaces, and keeps two words apart. */
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

/** Returns the septets and segments of a text. The two septets of one character are never split between two segments. */
const measure = (text: string) => {
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
 * @example
 * analyzeGsm7("Hi — €5").invalid; // [{ character: "—", index: 3, suggestion: "-" }]
 */
export function analyzeGsm7(text: string): Gsm7Analysis {
  const { converted, invalid } = new Conversion(text);
  return {
    valid: invalid.length === 0,
    characters: countCharacters(text),
    ...measure(converted),
    invalid,
  };
}

/** Converts a text as {@link toGsm7} does, and also returns whether a picture was lost. */
export const convertToGsm7 = (text: string): Pick<Conversion, "converted" | "isLossy"> =>
  new Conversion(text);

/**
 * Converts a text to GSM 7-bit as far as possible.
 *
 * Typographic quotes, dashes and spaces become plain ones, and letters lose the accents that the alphabet lacks. Decoration
 * (emoji, pictographs, invisible characters, marks without a letter) is left out, together with the space that would remain.
 * A letter, digit or sign without a substitute stays; the client then rejects the message and names the character.
 *
 * @example
 * toGsm7("“Hi” — it’s 5 €…"); // "\"Hi\" - it's 5 €..."
 * toGsm7("Ready 🎉 come in"); // "Ready come in"
 * toGsm7("Привет"); // "Привет"
 */
export function toGsm7(text: string): string {
  return convertToGsm7(text).converted;
}
