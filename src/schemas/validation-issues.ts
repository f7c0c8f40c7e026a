import type * as z from "zod/mini";
import type { ValidationIssue } from "../errors.ts";

/** Returns the fields of an issue in the documented shape, the shape of zod 3. All limits and formats are rules of this package. */
const detailsOf = (issue: z.core.$ZodIssue): Omit<ValidationIssue, "message" | "path"> => {
  if (issue.code === "custom") return issue.params?.problem ?? { code: issue.code };
  return issue.code === "invalid_type"
    ? { code: issue.code, type: issue.expected }
    : { code: issue.code };
};

/** Converts zod's issues to the documented shape, with paths that begin with `prefix`. */
export const toValidationIssues = (
  issues: readonly z.core.$ZodIssue[],
  prefix: readonly (string | number)[] = [],
): ValidationIssue[] =>
  issues.map((issue) => {
    const { code, ...details } = detailsOf(issue);
    const path = issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
    return { code, ...details, message: issue.message, path: [...prefix, ...path] };
  });
