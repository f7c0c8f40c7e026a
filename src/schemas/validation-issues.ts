import type * as z from "zod/mini";
import type { ValidationIssue } from "../errors.ts";
import type { Problem } from "../rules/problem.ts";

/** Returns the fields of an issue in the documented shape, the shape of zod 3, without message and path. */
const detailsOf = (issue: z.core.$ZodIssue): Omit<ValidationIssue, "message" | "path"> => {
  switch (issue.code) {
    case "custom": {
      const { path: _, message: __, ...details } = (issue.params?.problem ?? issue) as Problem;
      return details.code === issue.code && !issue.params ? { code: "custom" } : details;
    }
    case "invalid_type":
      return { code: issue.code, type: issue.expected === "int" ? "integer" : issue.expected };
    case "too_big":
    case "too_small": {
      const { code, origin, inclusive = false, exact = false } = issue;
      return {
        code,
        type: origin === "int" ? "number" : origin,
        ...(code === "too_big"
          ? { maximum: Number(issue.maximum) }
          : { minimum: Number(issue.minimum) }),
        inclusive,
        exact,
      };
    }
    case "invalid_format":
      return { code: "invalid_string", validation: issue.format };
    case "invalid_value":
      return { code: "invalid_enum_value" };
    default:
      return { code: issue.code };
  }
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
