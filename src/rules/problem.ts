import type { ValidationIssue } from "../errors/validation-issue.ts";

/** What a rule found wrong with a value: a validation issue whose path, if any, begins at that value. */
export type Problem = Omit<ValidationIssue, "path"> & Partial<Pick<ValidationIssue, "path">>;

/** A text of more characters than the service takes. */
export const tooLong = (maximum: number, characters: number): Problem => ({
  code: "too_big",
  type: "string",
  maximum,
  inclusive: true,
  exact: false,
  message: `must have at most ${maximum} characters: this one has ${characters}`,
});
