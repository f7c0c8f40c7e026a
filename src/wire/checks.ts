// Checks that a response fits its request.

import { customIssue, type ValidationIssue } from "../errors.ts";
import type { EndpointInput } from "./endpoint.ts";

/** Returns the issue of a page with a different number than requested, unless the list ends before the requested page. */
export const pageIssue = (
  { page, pages_count }: { readonly page: number; readonly pages_count: number },
  { query }: EndpointInput,
): ValidationIssue | undefined => {
  const requested = Number((query as { page?: unknown } | undefined)?.page ?? 1);
  if (page === requested || pages_count < requested) return undefined;
  return customIssue(`must be ${requested}, the requested page`, ["page"]);
};

const SINGLE_FIELDS = ["first_optin_message", "second_optin_message"];

/**
 * Returns the issue of a response that does not fit the opt-in settings that were sent: it has the other type, or lacks
 * the fields of its type (specification: "Configure opt-in type").
 */
export const optInTypeIssue = (
  result: object & { readonly opt_in_type: string },
  { body }: EndpointInput,
): ValidationIssue | undefined => {
  const sent: unknown = Object(body).opt_in_type;
  // With the rules turned off, the caller may send an undocumented type. The response to it is not documented either.
  if (sent !== "single" && sent !== "double") return undefined;
  if (result.opt_in_type !== sent) {
    return customIssue(`must be ${sent}, the type sent`, ["opt_in_type"]);
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
