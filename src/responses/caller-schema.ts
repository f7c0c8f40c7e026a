import type { ValidationIssue } from "../errors.ts";
import type { StandardSchema } from "../wire/standard-schema.ts";
import type { Redactor } from "./redact.ts";

/** Output of a caller's schema, or the issues that it reports. */
export type Parsed<T> = { readonly data: T } | { readonly issues: readonly ValidationIssue[] };

/** Number of issues that an error keeps. */
const MAX_ISSUES = 1000;

/** Parses a body with the caller's own schema, whose issues may quote the body. It never throws. */
export const parseWith = async <T>(
  schema: StandardSchema<T>,
  body: unknown,
  redactor: Redactor,
): Promise<Parsed<T>> => {
  const toKey = (key: PropertyKey): string | number =>
    typeof key === "number" ? key : redactor.quote(String(key));
  try {
    const result = await schema["~standard"].validate(body);
    if (!result.issues) return { data: result.value };
    const issues = result.issues.slice(0, MAX_ISSUES).map(({ message, path = [] }) => ({
      code: "custom",
      message: redactor.quote(String(message)),
      path: path.map((key) => toKey(typeof key === "object" ? key.key : key)),
    }));
    return { issues };
  } catch {
    return { issues: [{ code: "custom", message: "the schema threw an error", path: [] }] };
  }
};
