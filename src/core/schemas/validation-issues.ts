import type * as z from "zod/mini";
import type { ValidationIssue } from "../errors.ts";
import { quoteName } from "../quote.ts";
import type { Problem } from "../rules/problem.ts";

type Details = Omit<ValidationIssue, "message" | "path">;

/**
 * Returns the fields of an issue in the documented shape, which is that of zod 3. The rules of this package already use this
 * shape.
 */
const detailsOf = (issue: z.core.$ZodIssue): Details => {
  const { code } = issue;
  switch (code) {
    case "invalid_type":
      return { code, type: issue.expected };
    case "invalid_value":
      return { code: "invalid_enum_value" };
    case "custom": {
      const { message: _, path: __, ...details }: Problem = issue.params?.problem ?? { code };
      return details;
    }
    default:
      return { code };
  }
};

/** Converts zod's issues to the documented shape, with paths that begin with `prefix`. */
export const toValidationIssues = (
  issues: readonly z.core.$ZodIssue[],
  prefix: readonly (string | number)[] = [],
): ValidationIssue[] =>
  issues.map((issue) => {
    const { code, ...details } = detailsOf(issue);
    // The name of an undocumented field may be a phone number.
    const path = issue.path.map((key) => (typeof key === "number" ? key : quoteName(String(key))));
    return { code, message: issue.message, path: [...prefix, ...path], ...details };
  });
