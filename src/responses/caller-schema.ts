import type { ValidationIssue } from "../errors.ts";
import type { StandardSchema } from "../wire/standard-schema.ts";
import { Redactor } from "./redact.ts";

/** Output of a caller's schema, or the issues that it reports. */
export type Parsed<T> = { readonly data: T } | { readonly issues: readonly ValidationIssue[] };

const redactor = /* @__PURE__ */ new Redactor([]);

/** Parses a body with the caller's own schema. It never throws. */
export const parseWith = async <T>(
  schema: StandardSchema<T>,
  body: unknown,
): Promise<Parsed<T>> => {
  try {
    const result = await schema["~standard"].validate(body);
    if (!result.issues) return { data: result.value };
    const issues = result.issues.map(({ message, path = [] }) => ({
      code: "custom",
      message: redactor.quote(message),
      path: path.map((key) => {
        const plain = typeof key === "object" ? key.key : key;
        return typeof plain === "symbol" ? String(plain) : plain;
      }),
    }));
    return { issues };
  } catch {
    return { issues: [{ code: "custom", message: "the schema threw an error", path: [] }] };
  }
};
