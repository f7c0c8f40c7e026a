import * as z from "zod/mini";
import type { OptionNames } from "../../options.ts";
import { parsePhone } from "../../rules/phone.ts";
import { toValidationIssues } from "../../schemas/validation-issues.ts";

export { given } from "../../options.ts";

/** Name of the function whose options several files check. */
export const CREATE = "createFakeService";

/** Builds the error for a misused method or option of the fake. */
export const usageError = (call: string, problem: string): TypeError =>
  new TypeError(`${call}: ${problem}`);

/** @throws TypeError that states `expected`, unless the condition holds. */
export const assertUsage: (call: string, holds: boolean, expected: string) => asserts holds = (
  call,
  holds,
  expected,
) => {
  if (!holds) throw usageError(call, expected);
};

/** Returns the names of a schema's fields, for `assertOptions`. */
export const namesOf = <T extends z.ZodMiniObject>({ shape }: T) =>
  shape as unknown as OptionNames<z.input<T>>;

/** @throws TypeError unless the fields are an object, or are not given. */
export const assertFields = (call: string, fields: unknown): void => {
  const isObject = fields === undefined || Object(fields) === fields;
  assertUsage(call, isObject, "fields must be in an object, such as { id: 17 }");
};

/** @throws TypeError that names every field whose value the service could not return. */
export const assertResource = (call: string, schema: z.ZodMiniType, resource: unknown): void => {
  const { error } = z.safeParse(schema, resource);
  if (!error) return;
  const fields = toValidationIssues(error.issues).map(
    ({ path, message }) => `${path.join(".")}: ${message}`,
  );
  throw usageError(call, fields.join("; "));
};

/**
 * Converts a phone number to E.164.
 *
 * @throws TypeError that says why it is not a phone number.
 */
export const toPhoneNumber = (call: string, phoneNumber: unknown): string => {
  const parsed = parsePhone(phoneNumber);
  if ("e164" in parsed) return parsed.e164;
  throw usageError(call, `the phone number ${parsed.message}`);
};

/** Returns the message of whatever was thrown. */
export const thrownMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
