import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { toValidationIssues } from "../../../src/core/schemas/validation-issues.ts";

/** Returns the issues of a value in the documented shape. */
export const issuesOf = (schema: z.ZodMiniType, value: unknown) =>
  toValidationIssues(z.safeParse(schema, value).error?.issues ?? []);

/** Returns the issues of a value as `path: code`. */
export const wrongPaths = (schema: z.ZodMiniType, value: unknown) =>
  issuesOf(schema, value).map(({ path, code }) => `${path.join(".")}: ${code}`);

const STRINGS = ["", "any string"];
const TIMESTAMPS = ["2026-12-31T23:59:59Z", "2026-01-01T00:00:00.000-08:00"];
const INTEGERS = [0, 7, -1, Number.MAX_SAFE_INTEGER];
const NUMBERS = [...INTEGERS, 12.5, -0.01];

/** Types in the specification's tables, with values of each type. */
const OF_TYPE = {
  string: STRINGS,
  "string or null": [...STRINGS, null],
  timestamp: TIMESTAMPS,
  "timestamp or null": [...TIMESTAMPS, null],
  integer: INTEGERS,
  "integer or null": [...INTEGERS, null],
  number: NUMBERS,
  "number or null": [...NUMBERS, null],
  boolean: [true, false],
  "boolean or null": [true, false, null],
  "array of string": [[], ["one"], ["one", "two"]],
} satisfies Record<string, unknown[]>;

/** Values of all types. */
const ANY = [null, true, false, "", "any string", "7", 0, 7, 12.5, Number.NaN, 2 ** 53, [], {}];

export type DocumentedType = keyof typeof OF_TYPE;

/** Returns the values that do not have a type. */
const notOfType = (type: DocumentedType): unknown[] => {
  if (type === "array of string") return ANY.filter((value) => !Array.isArray(value));
  const [, name = type] = /^(\w+)( or null)?$/.exec(type) ?? [];
  return ANY.filter((value) => {
    if (value === null) return !type.endsWith("or null");
    if (name === "timestamp") return true;
    if (name === "integer") return !Number.isSafeInteger(value);
    if (name === "number") return !Number.isFinite(value);
    return typeof value !== name;
  });
};

/** Returns a copy of a response with one field (a path such as `counts.cleaned`) set, or removed if no value is given. */
export const withField = (response: object, path: string, ...values: unknown[]): object => {
  const copy = structuredClone(response);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const parent = keys.reduce((value, key) => value[key] as never, copy as Record<string, unknown>);
  if (values.length > 0) parent[last] = values[0];
  else delete parent[last];
  return copy;
};

/** Declares tests that each field is required and accepts only values of its documented type. */
export const testFields = (
  schema: z.ZodMiniType,
  response: object,
  fields: Readonly<Record<string, DocumentedType>>,
): void => {
  describe.each(Object.entries(fields))("the field %s of type %s", (path, type) => {
    test(`${path} accepts every value of type ${type} unchanged`, () => {
      for (const value of OF_TYPE[type]) {
        const changed = withField(response, path, value);
        expect(z.safeParse(schema, changed)).toEqual({ success: true, data: changed });
      }
    });

    test(`${path} refuses every value not of type ${type}, with its path and type`, () => {
      for (const value of notOfType(type)) {
        const [issue, ...others] = issuesOf(schema, withField(response, path, value));
        expect(issue?.path.join("."), `${value}`).toBe(path);
        expect(issue?.message).toMatch(/^must be (an? |true or false)/);
        expect(others).toEqual([]);
      }
    });

    test(`${path} is required`, () => {
      for (const changed of [withField(response, path), withField(response, path, undefined)]) {
        const [issue, ...others] = issuesOf(schema, changed);
        expect(issue?.path.join(".")).toBe(path);
        expect(issue).toMatchObject({ code: "invalid_type", type: expect.any(String) });
        expect(issue?.message).toMatch(/^is required and must be (an? |true or false)/);
        expect(others).toEqual([]);
      }
    });
  });
};

/** Declares tests that responses are accepted unchanged, undocumented fields included. */
export const testResponses = (schema: z.ZodMiniType, responses: readonly object[]): void => {
  test.each(responses)("the schema accepts the response %#", (response) => {
    expect(z.safeParse(schema, response)).toEqual({ success: true, data: response });
  });

  test("the schema keeps undocumented fields", () => {
    for (const response of responses) {
      const grown = { ...response, a_new_field: { of: ["any", null, "type"] }, another: null };
      expect(z.safeParse(schema, grown)).toEqual({ success: true, data: grown });
    }
  });

  test.each([null, undefined, "text", 5, true, []])(
    "the schema refuses %j because it is not an object",
    (value) => {
      expect(wrongPaths(schema, value)).toEqual([": invalid_type"]);
    },
  );
};
