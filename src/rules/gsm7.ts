import { isGsm7, septetsOf } from "./gsm7-alphabet.ts";
import { substituteFor } from "./gsm7-substitutes.ts";
import { countCharacters } from "./rcs-text.ts";

const SEPTETS_OF_A_SINGLE_SEGMENT = 160;
/** Each segment of several also carries a header. */
const SEPTETS_OF_ONE_OF_SEVERAL = 153;

/** A character that GSM 7-bit does not have. */
export interface Gsm7InvalidCharacter {
  /** The character, with the marks that combine with it. */
  readonly character: string;
  /** Where it begins: a UTF-16 index, as `slice` takes it. */
  readonly index: number;
  /** What {@link toGsm7} writes instead (`""`: it is invisible and left out); absent where nothing can stand for it. */
  readonly suggestion?: string;
}

/** What {@link analyzeGsm7} tells of a text. */
export interface Gsm7Analysis {
  /** Whether every character is in the GSM 7-bit alphabet or its extension table. */
  readonly valid: boolean;
  /** Unicode code points, as the service counts them. */
  readonly characters: number;
  /** Septets on the air, where a character of the extension table (such as `€`) takes two. Of an invalid text: those of what {@link toGsm7} makes of it. */
  readonly septets: number;
  /** SMS messages that these septets take: 160 fit into a single one, 153 into each of several; 0 when empty. */
  readonly segments: number;
  /** Every character that GSM 7-bit does not have, in order. */
  readonly invalid: readonly Gsm7InvalidCharacter[];
}

/** A text with its invalid characters found and replaced. */
const convert = (text: string) => {
  const invalid: Gsm7InvalidCharacter[] = [];
  if (isGsm7(text)) return { converted: text, invalid };
  const converted = text.replace(/\P{M}\p{M}*|\p{M}+/gu, (character, index: number) => {
    if (isGsm7(character)) return character;
    const substitute = substituteFor(character);
    // "2½" is not "21/2".
    const joins = /^\d/.test(substitute ?? "") && /\d/.test(text[index - 1] ?? "");
    const suggestion = joins ? ` ${substitute}` : substitute;
    invalid.push({ character, index, ...(suggestion === undefined ? {} : { suggestion }) });
    return suggestion ?? "";
  });
  return { converted, invalid };
};

/** Septets and segments of a GSM 7-bit text; the two septets of one character stay in one segment. */
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
 * What a text is as an SMS: whether GSM 7-bit can hold it, how long it is, and what stands in the way.
 *
 * @example
 * analyzeGsm7("Hi — €5").invalid; // [{ character: "—", index: 3, suggestion: "-" }]
 */
export function analyzeGsm7(text: string): Gsm7Analysis {
  const { converted, invalid } = convert(text);
  return {
    valid: invalid.length === 0,
    characters: countCharacters(text),
    ...measure(converted),
    invalid,
  };
}

/**
 * A text as GSM 7-bit can hold it: typographic quotes, dashes and spaces become plain ones, letters lose
 * accents that the alphabet lacks, and what nothing can stand for (such as an emoji) is left out.
 *
 * @example
 * toGsm7("“Hi” — it’s 5 €…"); // "\"Hi\" - it's 5 €..."
 */
export function toGsm7(text: string): string {
  return convert(text).converted;
}
