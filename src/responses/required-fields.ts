import type { ValidationIssue } from "../errors/validation-issue.ts";
import type { Endpoint, EndpointInput, RequiredFields } from "../wire/endpoint.ts";

/** What the body of a 2xx says: that it was done, or why that is not proved. */
export type Reading =
  | { readonly proved: true; readonly body: unknown }
  | { readonly proved: false; readonly what: string; readonly issues: readonly ValidationIssue[] };

const unproved = (what: string, issues: readonly ValidationIssue[] = []): Reading => ({
  proved: false,
  what,
  issues,
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const IS: Readonly<Record<RequiredFields[string], (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string" && value !== "",
  integer: Number.isSafeInteger,
};

/** What a body lacks of what the SDK relies on. */
const missingFrom = (body: unknown, proof: RequiredFields): ValidationIssue[] => {
  const fields = isObject(body) ? body : {};
  const issues: ValidationIssue[] = [];
  for (const key in proof) {
    const type = proof[key] as RequiredFields[string];
    if (IS[type](fields[key])) continue;
    const message = `is required and must be ${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
    issues.push({ code: "invalid_type", type, path: [key], message });
  }
  return issues;
};

/** Reads the body of a 2xx, which must prove itself whatever its status says. */
export const proveBody = (endpoint: Endpoint, input: EndpointInput, text: string): Reading => {
  if (text === "") {
    return endpoint.requiredFields
      ? unproved("its body is empty")
      : { proved: true, body: undefined };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return unproved(/^\s*</.test(text) ? "its body is HTML, not JSON" : "its body is not JSON");
  }
  if (isObject(body) && body.status === "error") return unproved("its body reports an error");
  const issues = missingFrom(body, endpoint.requiredFields ?? {});
  if (issues.length > 0) {
    const missing = issues.map(({ path, type }) => `\`${path[0]}\` (${type})`);
    return unproved(`its body lacks ${missing.join(", ")}`, issues);
  }
  const mismatch = endpoint.mismatch?.(body as never, input);
  if (mismatch) return unproved(`its \`${mismatch.path[0]}\` ${mismatch.message}`, [mismatch]);
  return { proved: true, body };
};
