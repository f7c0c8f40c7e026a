import type * as z from "zod/mini";
import type { ValidationIssue } from "../errors.ts";
import type { Problem } from "../rules/problem.ts";

/** Returns the fields of an issue in the documented shape, the shape of zod 3. All limits and formats are rules of this package. */
const detailsOf = (issue: z.core.$ZodIssue): Omit<ValidationIssue, "message" | "path"> => {
  const { code } = issue;
  if (code === "invalid_type") return { code, type: issue.expected };
  const problem: Problem | undefined = code === "custom" ? issue.params?.problem : undefined;
  const { message: _, path: __, ...details } = problem ?? { code };
  return details;
};

/** Converts zod's issues to the documented shape, with paths that begin with `prefix`. */
export const toValidationIssues = (
  issues: readonly z.core.$ZodIssue[],
  prefix: readonly (string | number)[] = [],
): ValidationIssue[] =>
  issues.map((issue) => {
    const { code, ...details } = detailsOf(issue);
    const path = issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
    return { code, message: issue.message, path: [...prefix, ...path], ...details };
  });
