import * as z from "zod/mini";
import { parsePhone } from "../rules/phone.ts";
import { toValidationIssues } from "../schemas/validation-issues.ts";

/**
 * A resource that was put into the fake, once it is what the service could return.
 *
 * @throws TypeError that names the fields which are not.
 */
export const checkResource = <T>(call: string, schema: z.ZodMiniType, resource: T): T => {
  const { error } = z.safeParse(schema, resource);
  if (!error) return resource;
  const fields = toValidationIssues(error.issues).map(
    ({ path, message }) => `${path.join(".")}: ${message}`,
  );
  throw misuse(call, fields.join("; "));
};

/**
 * A phone number that was given to the fake, as E.164.
 *
 * @throws TypeError that says why it is none.
 */
export const checkPhone = (call: string, phoneNumber: unknown): string => {
  const parsed = parsePhone(phoneNumber);
  if ("e164" in parsed) return parsed.e164;
  throw misuse(call, `the phone number ${parsed.message}`);
};

/** That the fake's own API was misused. */
export const misuse = (call: string, what: string): TypeError => new TypeError(`${call}: ${what}`);

/**
 * The fields of something that is put into the fake.
 *
 * @throws TypeError when they are not in an object.
 */
export const checkFields = <T>(call: string, fields: T | undefined): T | undefined => {
  const isObject = fields === undefined || Object(fields) === fields;
  if (!isObject) throw misuse(call, "fields must be in an object, such as { id: 17 }");
  return fields;
};

/** @throws TypeError with what is expected, unless it holds. */
export const checkThat = (call: string, holds: boolean, expected: string): void => {
  if (!holds) throw misuse(call, expected);
};
