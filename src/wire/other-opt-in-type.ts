import type { ValidationIssue } from "../errors.ts";
import type { EndpointInput } from "./endpoint.ts";

const SINGLE_FIELDS = ["first_optin_message", "second_optin_message"];

/**
 * Returns the issue of a body that is not the response to the opt-in settings that were sent: it is of the other type, or
 * lacks the fields of its type (specification: "Configure opt-in type").
 */
export const otherOptInType = (
  result: object & { readonly opt_in_type: string },
  { body }: EndpointInput,
): ValidationIssue | undefined => {
  const sent: unknown = Object(body).opt_in_type;
  // With the rules turned off, the caller may send a type whose response is not documented.
  if (sent !== "single" && sent !== "double") return undefined;
  if (result.opt_in_type !== sent) {
    return { code: "custom", path: ["opt_in_type"], message: `must be ${sent}, the type sent` };
  }
  const fields = result as Readonly<Record<string, unknown>>;
  if (sent === "double") {
    if (Array.isArray(fields.opt_in_requests)) return undefined;
    const message = "is required and must be an array";
    return { code: "invalid_type", type: "array", path: ["opt_in_requests"], message };
  }
  const missing = SINGLE_FIELDS.find((field) => fields[field] === undefined);
  if (missing === undefined) return undefined;
  const message = "is required and must be a string or null";
  return { code: "invalid_type", type: "string", path: [missing], message };
};
