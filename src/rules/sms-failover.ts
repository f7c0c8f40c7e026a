import { analyzeGsm7, type Gsm7InvalidCharacter } from "./gsm7.ts";
import { type Problem, tooLong } from "./problem.ts";

/** The most characters that an SMS fallback may have (specification: "Limits"). */
export const MAX_SMS_LENGTH = 160;

/** An error names the first of these; more would repeat the text itself. */
const NAMED_CHARACTERS = 10;

/** How a substitute that cannot be seen is called. */
const NAMES: Readonly<Record<string, string>> = { " ": "a space", "\n": "a line break" };

const mend = ({ character, index, suggestion }: Gsm7InvalidCharacter): string => {
  const codePoint = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const shown = /[\p{C}\p{Z}]/u.test(character) ? "" : `${character} `;
  const where = `${shown}(U+${codePoint}) at index ${index}`;
  return suggestion
    ? `replace ${where} by ${NAMES[suggestion] ?? suggestion}`
    : `leave out ${where}`;
};

/** What is wrong with the text of an SMS fallback. */
export function* smsFailoverProblems(text: string): Generator<Problem> {
  const { characters, invalid } = analyzeGsm7(text);
  if (characters > MAX_SMS_LENGTH) yield tooLong(MAX_SMS_LENGTH, characters);
  if (characters === 0) {
    yield {
      code: "too_small",
      type: "string",
      minimum: 1,
      inclusive: true,
      exact: false,
      message: "must have at least 1 character: this one is empty",
    };
  }
  if (invalid.length === 0) return;
  const mends = invalid.slice(0, NAMED_CHARACTERS).map(mend);
  if (invalid.length > mends.length) mends.push(`and ${invalid.length - mends.length} more`);
  yield {
    code: "invalid_string",
    validation: "regex",
    message: `must have GSM 7-bit characters only: ${mends.join(", ")}`,
  };
}
