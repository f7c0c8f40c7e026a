import type { ValidationIssue } from "../errors.ts";
import type { RequiredFields } from "../wire/endpoint.ts";
import { isJsonObject } from "./json.ts";

const IS: Readonly<Record<RequiredFields[string], (value: unknown) => boolean>> = {
  object: isJsonObject,
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === "string" && value !== "",
  integer: (value) => Number.isSafeInteger(value),
};

/** Returns an issue for each required field that a body lacks. */
export const missingFields = (body: unknown, required: RequiredFields): ValidationIssue[] => {
  const fields = isJsonObject(body) ? body : {};
  const issues: ValidationIssue[] = [];
  for (const key in required) {
    const type = required[key] as RequiredFields[string];
    if (IS[type](fields[key])) continue;
    const message = `is required and must be ${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
    issues.push({ code: "invalid_type", type, path: [key], message });
  }
  return issues;
};
