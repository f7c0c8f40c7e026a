import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { toValidationIssues } from "../../src/schemas/validation-issues.ts";

/** What a schema finds wrong, in the documented shape. */
export const issuesOf = (schema: z.ZodMiniType, value: unknown) =>
  toValidationIssues(z.safeParse(schema, value).error?.issues ?? []);

/** The same, as `path: code`. */
export const wrongPaths = (schema: z.ZodMiniType, value: unknown) =>
  issuesOf(schema, value).map(({ path, code }) => `${path.join(".")}: ${code}`);

const TEXTS = ["", "any text"];
const INTEGERS = [0, 7, -1, Number.MAX_SAFE_INTEGER];
const NUMBERS = [...INTEGERS, 12.5, -0.01];

/** The types of the specification's tables, each with values that are of it. */
const OF_TYPE = {
  string: TEXTS,
  "string or null": [...TEXTS, null],
  integer: INTEGERS,
  "integer or null": [...INTEGERS, null],
  number: NUMBERS,
  "number or null": [...NUMBERS, null],
  boolean: [true, false],
  "boolean or null": [true, false, null],
  "array of string": [[], ["one"], ["one", "two"]],
} satisfies Record<string, unknown[]>;

/** Values that are of some type or other. */
const ANY = [null, true, false, "", "any text", "7", 0, 7, 12.5, Number.NaN, 2 ** 53, [], {}];

export type DocumentedType = keyof typeof OF_TYPE;

/** Values that are not of a type. */
const notOfType = (type: DocumentedType): unknown[] => {
  if (type === "array of string") return ANY.filter((value) => !Array.isArray(value));
  const [, name = type] = /^(\w+)( or null)?$/.exec(type) ?? [];
  return ANY.filter((value) => {
    if (value === null) return !type.endsWith("or null");
    if (name === "integer") return !Number.isSafeInteger(value);
    if (name === "number") return !Number.isFinite(value);
    return typeof value !== name;
  });
};

/** A copy of an answer with one field of it (a path such as `counts.cleaned`) set, or removed where no value is given. */
export const withField = (answer: object, path: string, ...values: unknown[]): object => {
  const copy = structuredClone(answer);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const parent = keys.reduce((value, key) => value[key] as never, copy as Record<string, unknown>);
  if (values.length > 0) parent[last] = values[0];
  else delete parent[last];
  return copy;
};

/** Tests that each field is required, takes the values of its documented type, and no others. */
export const testFields = (
  schema: z.ZodMiniType,
  answer: object,
  fields: Readonly<Record<string, DocumentedType>>,
): void => {
  describe.each(Object.entries(fields))("%s is of type %s", (path, type) => {
    test("takes every value of it, and leaves it as it is", () => {
      for (const value of OF_TYPE[type]) {
        const changed = withField(answer, path, value);
        expect(z.safeParse(schema, changed)).toEqual({ success: true, data: changed });
      }
    });

    test("refuses every other, and says where and what would be right", () => {
      for (const value of notOfType(type)) {
        const [issue, ...others] = issuesOf(schema, withField(answer, path, value));
        expect(issue?.path.join("."), `${value}`).toBe(path);
        expect(issue?.message).toMatch(/^must be (an? |true or false)/);
        expect(others).toEqual([]);
      }
    });

    test("is required", () => {
      for (const changed of [withField(answer, path), withField(answer, path, undefined)]) {
        const [issue, ...others] = issuesOf(schema, changed);
        expect(issue?.path.join(".")).toBe(path);
        expect(issue).toMatchObject({ code: "invalid_type", type: expect.any(String) });
        expect(issue?.message).toMatch(/^is required and must be (an? |true or false)/);
        expect(others).toEqual([]);
      }
    });
  });
};

/** Tests that answers are taken as they are, with every field that the specification does not know. */
export const testAnswers = (
  schema: z.ZodMiniType,
  answers: Readonly<Record<string, object>>,
): void => {
  test.each(Object.entries(answers))("takes %s", (_, answer) => {
    expect(z.safeParse(schema, answer)).toEqual({ success: true, data: answer });
  });

  test("keeps fields that the specification does not know", () => {
    for (const answer of Object.values(answers)) {
      const grown = { ...answer, a_new_field: { of: ["any", null, "type"] }, another: null };
      expect(z.safeParse(schema, grown)).toEqual({ success: true, data: grown });
    }
  });

  test.each([null, undefined, "text", 5, true, []])("refuses %j, which is no object", (value) => {
    expect(wrongPaths(schema, value)).toEqual([": invalid_type"]);
  });
};
