import { type Problem, tooLong } from "./problem.ts";

/** Maximum number of characters of an RCS text; each code point counts as one (specification: "Limits"). */
export const maxRcsTextLength = 3000;

/** Returns the number of characters of a string, counted as Unicode code points. */
export const countCharacters = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

/** Yields the problem of an RCS text that is too long. */
export function* rcsTextProblems(text: string): Generator<Problem> {
  // No text has more code points than UTF-16 units, so most texts need not be counted.
  if (text.length <= maxRcsTextLength) return;
  const characters = countCharacters(text);
  if (characters > maxRcsTextLength) yield tooLong(maxRcsTextLength, characters);
}
