import type { ValidationIssue } from "../../errors.ts";

/** Returns the service's message for an issue; the specification shows codes and fields, not the wording. */
const messageOf = ({ code, validation, type, minimum, maximum, message }: ValidationIssue) => {
  switch (code) {
    case "invalid_type":
      return `Expected ${type}`;
    case "too_big":
      return type === "string"
        ? `String must contain at most ${maximum} character(s)`
        : `Number must be at most ${maximum}`;
    case "too_small":
      return type === "string"
        ? `String must contain at least ${minimum} character(s)`
        : `Number must be at least ${minimum}`;
    case "invalid_string":
      return validation === "url" ? "Invalid url" : "Invalid";
    case "unrecognized_keys":
      return "Unrecognized key(s) in object";
    default:
      return validation === "phone" ? "Invalid phone number" : message;
  }
};

/** Converts an issue that a shared schema found to the one that the service reports, with the documented keys and its own
 * wording. */
export const toServiceIssue = (issue: ValidationIssue): ValidationIssue => {
  const { code, path, validation, minimum, maximum, type, inclusive, exact } = issue;
  return {
    code,
    message: messageOf(issue),
    path,
    ...(validation !== undefined && { validation }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(type !== undefined && { type }),
    ...(inclusive !== undefined && { inclusive }),
    ...(exact !== undefined && { exact }),
  };
};
