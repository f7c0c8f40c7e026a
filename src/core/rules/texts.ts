import { analyzeGsm7, type Gsm7Analysis } from "./gsm7.ts";
import { isGsm7 } from "./gsm7-characters.ts";
import { halfPairProblems, type Problem, tooLong } from "./problem.ts";

/** Maximum number of characters of an RCS text; each code point counts as one. */
export const maxRcsTextLength = 3000;

/** Character that a decoder writes for invalid bytes, and an encoder for half of a surrogate pair. */
const REPLACEMENT = "\uFFFD";
const WRONG_ENCODING = "it replaces a lost character; a file may be windows-1252";

export function* rcsTextProblems(text: string): Generator<Problem> {
  const problem = tooLong(text, maxRcsTextLength);
  if (problem) yield problem;
  const index = text.indexOf(REPLACEMENT);
  if (index >= 0) {
    const where = `there is one at index ${index}`;
    yield { code: "custom", message: `must not contain U+FFFD: ${where}; ${WRONG_ENCODING}` };
  }
  yield* halfPairProblems(text);
}

/** Maximum number of characters of an SMS fallback; each code point counts as one. */
export const maxSmsLength = 160;

/** Maximum number of characters that an error names. More characters could repeat a word, such as a name. */
const NAMED_CHARACTERS = 3;

/** Maximum length of a character, with its marks, that an error shows, in UTF-16 units. */
const SHOWN_LENGTH = 8;

const INVISIBLE_NAMES: Readonly<Record<string, string>> = { " ": "a space", "\n": "a line break" };

const describeFix = ({ character, index, suggestion }: Gsm7Analysis["invalid"][number]): string => {
  const codePoint = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const isShown = character.length <= SHOWN_LENGTH && !/[\p{C}\p{Z}]/u.test(character);
  const where = `${isShown ? `${character} ` : ""}(U+${codePoint}) at index ${index}`;
  if (character.includes(REPLACEMENT))
    return `there is U+FFFD at index ${index}; ${WRONG_ENCODING}`;
  if (suggestion === undefined) return `write ${where} in other characters`;
  if (suggestion === "") return `leave out ${where}`;
  return `replace ${where} with ${INVISIBLE_NAMES[suggestion] ?? suggestion}`;
};

/** Returns whether a text is a valid SMS fallback: 1 to 160 characters of GSM 7-bit. */
export const isSmsFailover = (text: string): boolean =>
  // Each of these characters is one UTF-16 unit.
  text !== "" && text.length <= maxSmsLength && isGsm7(text);

/** Yields the problems of an SMS fallback. If it is too long, only its first 160 characters are analyzed. */
export function* smsFailoverProblems(text: string): Generator<Problem> {
  if (isSmsFailover(text)) return;
  if (text === "") {
    yield {
      code: "too_small",
      type: "string",
      minimum: 1,
      inclusive: true,
      exact: false,
      message: "must have at least 1 character, but is empty",
    };
  }
  const problem = tooLong(text, maxSmsLength);
  if (problem) yield problem;
  // A character has at most two UTF-16 units.
  const start = Array.from(text.slice(0, 2 * maxSmsLength))
    .slice(0, maxSmsLength)
    .join("");
  const { invalid } = analyzeGsm7(start);
  if (invalid.length === 0) return;
  const fixes = invalid.slice(0, NAMED_CHARACTERS).map(describeFix);
  const others = invalid.length - fixes.length;
  if (others > 0) fixes.push(problem ? "and more" : `and ${others} more`);
  yield {
    code: "invalid_string",
    validation: "regex",
    message: `must have GSM 7-bit characters only: ${fixes.join(", ")}`,
  };
}
