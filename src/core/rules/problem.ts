import type { ValidationIssue } from "../errors.ts";

/** Validation issue of a value that breaks a rule. Its path, if any, is relative to the value. */
export type Problem = Omit<ValidationIssue, "path"> & Partial<Pick<ValidationIssue, "path">>;

/** Returns the number of characters of a string, counted as Unicode code points. */
export const countCharacters = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

/**
 * Returns whether a string has more characters than a maximum. A string never has more characters than UTF-16 units, so most
 * strings need not be counted.
 */
export const isLonger = (value: string, maximum: number): boolean =>
  value.length > maximum && countCharacters(value) > maximum;

/** Returns the problem of a string with more characters than the service accepts; `undefined` for any other string. */
export const tooLong = (value: string, maximum: number): Problem | undefined => {
  if (!isLonger(value, maximum)) return undefined;
  return {
    code: "too_big",
    type: "string",
    maximum,
    inclusive: true,
    exact: false,
    message: `must have at most ${maximum} characters, but has ${countCharacters(value)}`,
  };
};

/**
 * Yields the problem of a string with half of a surrogate pair, such as a text that was cut inside an emoji. UTF-8 cannot encode
 * such a half.
 */
export function* halfPairProblems(text: string): Generator<Problem> {
  const index = text.search(/\p{Cs}/u);
  if (index < 0) return;
  yield {
    code: "custom",
    message: `must not contain half of a surrogate pair (a cut emoji): there is one at index ${index}`,
  };
}
