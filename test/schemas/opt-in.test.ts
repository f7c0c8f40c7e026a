import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { optInRequestSchema, optInSettingsResultSchema } from "../../src/schemas/index.ts";
import {
  issuesOf,
  testFields,
  testResponses,
  withField,
  wrongPaths,
} from "../support/tables/field-table.ts";
import {
  bareSingleResult,
  bareStep,
  doubleResult,
  singleResult,
  step,
} from "../support/tables/response-fixtures.ts";

describe("optInRequestSchema", () => {
  testResponses(optInRequestSchema, {
    "a step with every field set": step,
    "a step with every nullable field null": bareStep,
  });

  testFields(optInRequestSchema, step, {
    id: "integer",
    list_id: "integer",
    collected_data: "string",
    request_message: "string",
    retry_message: "string",
    follow_up: "boolean",
    follow_up_hour: "integer or null",
    no_response_message: "string or null",
    success_action: "string or null",
    opt_in_message: "string or null",
    second_opt_in_message: "string or null",
    bypass_opt_in_response: "boolean",
    created_at: "timestamp",
    updated_at: "timestamp",
  });

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
  describe("single", () => {
    testResponses(optInSettingsResultSchema, {
      "the result with both messages": singleResult,
      "the result with neither": bareSingleResult,
    });
    testFields(optInSettingsResultSchema, singleResult, {
      first_optin_message: "string or null",
      second_optin_message: "string or null",
    });
  });

  describe("double", () => {
    testResponses(optInSettingsResultSchema, {
      "the result with its steps": doubleResult,
      "the result without steps": { ...doubleResult, opt_in_requests: [] },
    });
    testFields(optInSettingsResultSchema, doubleResult, {
      status: "string",
      "opt_in_requests.0.id": "integer",
      "opt_in_requests.1.created_at": "timestamp",
    });
  });

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
