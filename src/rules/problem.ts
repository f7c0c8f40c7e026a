import type { ValidationIssue } from "../errors.ts";

/** Problem of a value that breaks a rule: a validation issue whose path, if any, begins at that value. */
export type Problem = Omit<ValidationIssue, "path"> & Partial<Pick<ValidationIssue, "path">>;

/** Returns the number of characters of a string, counted as Unicode code points. */
export const countCharacters = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

/** Returns the problem of a string with more characters than the service accepts. */
export const tooLong = (maximum: number, characters: number): Problem => ({
  code: "too_big",
  type: "string",
  maximum,
  inclusive: true,
  exact: false,
  message: `must have at most ${maximum} characters: this one has ${characters}`,
});
