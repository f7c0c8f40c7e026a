import { type Problem, tooLong } from "./problem.ts";

/** Maximum number of characters of an RCS text (specification: "Limits"). */
export const MAX_RCS_TEXT_LENGTH = 3000;

/** Returns the number of characters of a text, counted as Unicode code points. */
export const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** Yields the problem of an RCS text that is too long. */
export function* rcsTextProblems(text: string): Generator<Problem> {
  // No text has more code points than UTF-16 units, so most texts need not be counted.
  if (text.length <= MAX_RCS_TEXT_LENGTH) return;
  const characters = countCharacters(text);
  if (characters > MAX_RCS_TEXT_LENGTH) yield tooLong(MAX_RCS_TEXT_LENGTH, characters);
}
