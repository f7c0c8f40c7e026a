import type { ValidationIssue } from "../errors.ts";
import type { EndpointInput } from "./endpoint.ts";

/** Returns the digits of an id: all of them, or the ten that a phone number has in every format. */
const digitsOf = (id: unknown): string =>
  typeof id === "string" || typeof id === "number" ? String(id).replace(/\D/g, "").slice(-10) : "";

/** Returns the issue of an id that is not the requested one. An id of another type, or without a digit, is drift. */
const anotherId = (
  path: ValidationIssue["path"],
  returned: unknown,
  requested: unknown,
): ValidationIssue | undefined => {
  if (typeof returned !== typeof requested) return undefined;
  const [one, other] = [digitsOf(returned), digitsOf(requested)];
  if (one === "" || other === "" || one === other) return undefined;
  // The message quotes neither id, because one may be a phone number.
  return { code: "custom", path, message: "must be the requested one" };
};

const fieldOf = (record: unknown, name: string): unknown => Object(record)[name];

/**
 * Returns a check that a response holds the record that the path of the request names.
 *
 * @param name Field of the response that holds the record.
 * @param id Field of the record that holds its id.
 * @param param Parameter of the path.
 */
// @__NO_SIDE_EFFECTS__
export const anotherRecord =
  (name: string, id: string, param: string) =>
  (body: object, { params }: EndpointInput): ValidationIssue | undefined =>
    anotherId([name, id], fieldOf(fieldOf(body, name), id), fieldOf(params, param));

/** Returns the issue of a double opt-in step that belongs to another list than the requested one. */
export const stepOfAnotherList = (
  result: object,
  { params }: EndpointInput,
): ValidationIssue | undefined => {
  const steps = fieldOf(result, "opt_in_requests");
  if (!Array.isArray(steps)) return undefined;
  const listId = fieldOf(params, "ID");
  return steps
    .map((step, index) =>
      anotherId(["opt_in_requests", index, "list_id"], fieldOf(step, "list_id"), listId),
    )
    .find((issue) => issue !== undefined);
};
