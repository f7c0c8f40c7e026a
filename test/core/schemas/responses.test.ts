import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as exported from "../../../src/core/schemas/index.ts";
import {
  issuesOf,
  testFields,
  testResponses,
  withField,
  wrongPaths,
} from "../../support/tables/field-table.ts";
import {
  bareList,
  list,
  RESOURCES,
  report,
  singleResult,
  step,
  validationError,
} from "../../support/tables/specification.ts";

const schemas = { ...exported };
const {
  listSchema,
  momtReportSchema,
  optInRequestSchema,
  optInSettingsResultSchema,
  validationErrorSchema,
} = schemas;

describe.each(RESOURCES)("%s", (name, responses, fields) => {
  testResponses(schemas[name], responses);
  testFields(schemas[name], responses[0], fields);
});

describe("momtReportSchema", () => {
  test.each([
    "campaign",
    "carrier",
    "phone_number",
    "direction",
    "status_array",
    "type",
    "message_type",
    "run_errors",
    "cancelled",
  ])(
    "momtReportSchema accepts any value of %s, whose type is not documented, and its absence",
    (field) => {
      for (const value of [null, "text", 5, 1.5, true, ["a"], { a: 1 }]) {
        const changed = withField(report, field, value);
        expect(z.safeParse(momtReportSchema, changed)).toEqual({ success: true, data: changed });
      }
      expect(z.safeParse(momtReportSchema, withField(report, field)).success).toBe(true);
    },
  );
});

describe("listSchema", () => {
  test("listSchema keeps undocumented fields, even in counts and steps", () => {
    const grown = withField(withField(list, "counts.bounced", 3), "opt_in_requests.0.order", 1);
    expect(z.safeParse(listSchema, grown)).toEqual({ success: true, data: grown });
  });

  test.each<[path: string, value: unknown, wrong: string]>([
    ["counts", null, "counts: invalid_type"],
    ["counts", [], "counts: invalid_type"],
    ["opt_in_requests", null, "opt_in_requests: invalid_type"],
    ["opt_in_requests", {}, "opt_in_requests: invalid_type"],
    ["opt_in_requests", [null], "opt_in_requests.0: invalid_type"],
    ["opt_in_requests.1.follow_up", null, "opt_in_requests.1.follow_up: invalid_type"],
    ["keyword_names", ["VIP", null], "keyword_names.1: invalid_type"],
  ])("listSchema refuses %s: %j", (path, value, wrong) => {
    expect(wrongPaths(listSchema, withField(list, path, value))).toEqual([wrong]);
  });

  test.each(["counts", "opt_in_requests"])("listSchema requires %s", (path) => {
    expect(wrongPaths(listSchema, withField(list, path))).toEqual([`${path}: invalid_type`]);
  });

  test("listSchema reports all issues together", () => {
    expect(
      wrongPaths(listSchema, { ...bareList, id: "18", counts: {}, keyword_names: [1] }),
    ).toEqual([
      "id: invalid_type",
      "keyword_names.0: invalid_type",
      "counts.subscribers: invalid_type",
      "counts.unsubscribed: invalid_type",
      "counts.cleaned: invalid_type",
    ]);
  });
});

describe("optInRequestSchema", () => {
  test.each([
    ["collected_data", ["zip_code", "email_address", "first_name", "yes", "birthday"]],
    ["success_action", ["nextrequest", "optinsubscriber", "notify"]],
  ])("optInRequestSchema accepts documented and undocumented values of %s", (field, values) => {
    for (const value of values) {
      expect(wrongPaths(optInRequestSchema, { ...step, [field]: value })).toEqual([]);
    }
  });

  test("optInRequestSchema applies no rule of requests to responses", () => {
    const odd = { ...step, follow_up: true, follow_up_hour: null };
    expect(z.safeParse(optInRequestSchema, odd)).toEqual({ success: true, data: odd });
  });
});

describe("optInSettingsResultSchema", () => {
  test.each(["triple", "", null, 1, undefined])(
    "optInSettingsResultSchema refuses the type %j",
    (type) => {
      const wrong = withField(singleResult, "opt_in_type", type);
      expect(issuesOf(optInSettingsResultSchema, wrong).map(({ path }) => path)).toEqual([
        ["opt_in_type"],
      ]);
    },
  );
});

describe("validationErrorSchema", () => {
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
