// Checks that a response belongs to its request.

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

/** Returns the last ten digits of an id: formats of one phone number differ in everything else. */
const digitsOf = (id: unknown): string =>
  typeof id === "string" || typeof id === "number" ? String(id).replace(/\D/g, "").slice(-10) : "";

/** Returns the issue of an id that differs from the requested one. An id of the wrong type, or without digits, is drift. */
const idIssue = (
  path: ValidationIssue["path"],
  returned: unknown,
  requested: unknown,
): ValidationIssue | undefined => {
  if (typeof returned !== typeof requested) return undefined;
  const [one, other] = [digitsOf(returned), digitsOf(requested)];
  if (one === "" || other === "" || one === other) return undefined;
  // The message quotes neither id, because one may be a phone number.
  return customIssue("must match the request", path);
};

const getField = (record: unknown, name: string): unknown => Object(record)[name];

/**
 * Returns a check that a response holds the record that the path of the request names.
 *
 * @param name Field of the response that holds the record.
 * @param id Field of the record that holds its id.
 * @param param Parameter of the path.
 */
// @__NO_SIDE_EFFECTS__
export const recordIssue =
  (name: string, id: string, param: string) =>
  (body: object, { params }: EndpointInput): ValidationIssue | undefined =>
    idIssue([name, id], getField(getField(body, name), id), getField(params, param));

/** Returns the issue of the first step of a double opt-in that belongs to a different list than requested. */
export const stepIssue = (
  result: object,
  { params }: EndpointInput,
): ValidationIssue | undefined => {
  const steps = getField(result, "opt_in_requests");
  if (!Array.isArray(steps)) return undefined;
  const listId = getField(params, "ID");
  return steps
    .map((step, index) =>
      idIssue(["opt_in_requests", index, "list_id"], getField(step, "list_id"), listId),
    )
    .find((issue) => issue !== undefined);
};

const SINGLE_FIELDS = ["first_optin_message", "second_optin_message"];

/**
 * Returns the issue of a response that does not belong to the opt-in settings that were sent: it has the other type, or lacks
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
