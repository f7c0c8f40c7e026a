import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { validationErrorSchema } from "../../src/schemas/index.ts";
import { testFields, testResponses, withField, wrongPaths } from "../support/tables/field-table.ts";
import { validationError } from "../support/tables/response-fixtures.ts";

describe("validationErrorSchema", () => {
  testResponses(validationErrorSchema, {
    "a body with items of every kind": validationError,
    "a body without items": { error: "Validation failed", errors: [] },
  });

  testFields(validationErrorSchema, validationError, {
    "errors.0.code": "string",
    "errors.0.message": "string",
  });

  test("validationErrorSchema does not require the summary", () => {
    const { errors } = validationError;
    expect(z.safeParse(validationErrorSchema, { errors })).toEqual({
      success: true,
      data: { errors },
    });
  });

  test("validationErrorSchema requires the summary to be a string", () => {
    const wrong = withField(validationError, "error", 5);
    expect(wrongPaths(validationErrorSchema, wrong)).toEqual(["error: invalid_type"]);
  });

  test("validationErrorSchema requires the items", () => {
    const wrong = withField(validationError, "errors");
    expect(wrongPaths(validationErrorSchema, wrong)).toEqual(["errors: invalid_type"]);
  });

  test.each([[[]], [["a"]], [["a", 0, "b"]], [[0]]])(
    "validationErrorSchema accepts the path %j",
    (path) => {
      const changed = withField(validationError, "errors.0.path", path);
      expect(wrongPaths(validationErrorSchema, changed)).toEqual([]);
    },
  );

  test.each<[path: unknown, wrong: string]>([
    [undefined, "errors.0.path: invalid_type"],
    ["phoneNumber", "errors.0.path: invalid_type"],
    [[null], "errors.0.path.0: invalid_union"],
    [["a", {}], "errors.0.path.1: invalid_union"],
  ])("validationErrorSchema refuses the path %j", (path, wrong) => {
    const changed = withField(validationError, "errors.0.path", path);
    expect(wrongPaths(validationErrorSchema, changed)).toEqual([wrong]);
  });

  test.each<[field: string, right: unknown, wrong: unknown]>([
    ["validation", "regex", 5],
    ["minimum", 0.5, "1"],
    ["maximum", 255, "255"],
    ["type", "string", ["string"]],
    ["inclusive", false, "false"],
    ["exact", true, 1],
  ])("the field %s of a validation error is optional and has one type", (field, right, wrong) => {
    const at = `errors.0.${field}`;
    const parse = (value: unknown) =>
      wrongPaths(validationErrorSchema, withField(validationError, at, value));
    expect(parse(right)).toEqual([]);
    expect(parse(undefined)).toEqual([]);
    expect(parse(wrong)).toEqual([`${at}: invalid_type`]);
  });
});
