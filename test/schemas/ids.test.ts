import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as fields from "../../src/schemas/fields.ts";
import { issuesOf } from "../support/tables/field-table.ts";

const idSchema = fields.idSchema();
const subscriberIdSchema = fields.subscriberIdSchema();
const pathParamSchema = fields.pathParamSchema();

describe("idSchema", () => {
  test.each([1, 17, Number.MAX_SAFE_INTEGER])(
    "idSchema accepts %d, a positive safe integer",
    (id) => {
      expect(z.safeParse(idSchema, id)).toEqual({ success: true, data: id });
    },
  );

  test.each([
    0,
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "017",
    17n,
    null,
    undefined,
    {},
  ])("idSchema refuses %s", (id) => {
    const [issue] = issuesOf(idSchema, id);
    expect(issue).toMatchObject({ path: [], message: "must be a positive integer" });
  });

  test("idSchema refuses an id in a string, and says so", () => {
    expect(issuesOf(idSchema, "17")).toMatchObject([
      { path: [], message: 'must be a number, not the string "17"' },
    ]);
  });
});

describe("subscriberIdSchema", () => {
  test.each(["+12065550123", "(206) 555-0123", "12065550123", " x ", "a/b"])(
    "subscriberIdSchema returns %j unchanged",
    (id) => {
      expect(z.safeParse(subscriberIdSchema, id)).toEqual({ success: true, data: id });
    },
  );

  test.each([
    [2065550123, "invalid_type", /must be a string/],
    [null, "invalid_type", /must be a string/],
    [undefined, "invalid_type", /must be a string/],
  ])("subscriberIdSchema refuses %j", (id, code, message) => {
    expect(issuesOf(subscriberIdSchema, id)).toMatchObject([
      { code, path: [], message: expect.stringMatching(message) },
    ]);
  });
});

describe("pathParamSchema", () => {
  test.each(["VIP", "", 17, -1.5])("pathParamSchema accepts %j, a string or a number", (param) => {
    expect(z.safeParse(pathParamSchema, param)).toEqual({ success: true, data: param });
  });

  test.each([null, undefined, true, {}, [17], 17n, Number.NaN, Number.POSITIVE_INFINITY])(
    "pathParamSchema refuses %s",
    (param) => {
      expect(issuesOf(pathParamSchema, param)).toEqual([
        {
          code: "invalid_type",
          type: "string",
          path: [],
          message: "must be a string or a number",
        },
      ]);
    },
  );
});
