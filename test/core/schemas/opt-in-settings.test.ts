import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { optInSettingsSchema } from "../../../src/core/schemas/index.ts";
import { issuesOf, wrongPaths } from "../../support/tables/field-table.ts";
import { bareStep, step } from "../../support/tables/specification.ts";

const ask = {
  collected_data: "zip_code",
  request_message: "Reply with your ZIP code to join.",
  retry_message: "That is no ZIP code.",
  follow_up: false,
  success_action: "nextrequest",
};
const last = { ...ask, collected_data: "yes", success_action: "optinsubscriber" };

const double = (...steps: unknown[]) => ({ opt_in_type: "double", opt_in_requests: steps });
const sent = (settings: unknown) => z.safeParse(optInSettingsSchema, settings).data;
const wrong = (settings: unknown) => wrongPaths(optInSettingsSchema, settings);

describe("optInSettingsSchema with valid settings", () => {
  test.each<[what: string, settings: object]>([
    ["single, nothing else", { opt_in_type: "single" }],
    [
      "single, every field",
      {
        opt_in_type: "single",
        bypass_opt_in_response: true,
        first_optin_message: "Welcome!",
        second_optin_message: "Welcome back!",
      },
    ],
    [
      "single, without messages",
      { opt_in_type: "single", first_optin_message: null, second_optin_message: null },
    ],
    ["double without `opt_in_requests`", { opt_in_type: "double" }],
    ["double, no steps", double()],
    ["double, one step", double(last)],
    ["double, three steps", double(ask, { ...ask, collected_data: "first_name" }, last)],
    ["double, confirmation off", { ...double(last), bypass_opt_in_response: true }],
    ["a reminder", double({ ...last, follow_up: true, follow_up_hour: 0 })],
    ["no reminder", double({ ...last, follow_up: false, follow_up_hour: null })],
    [
      "a step with every message null",
      double({
        ...last,
        request_message: null,
        retry_message: null,
        no_response_message: null,
        opt_in_message: null,
        second_opt_in_message: null,
        bypass_opt_in_response: false,
      }),
    ],
    ["steps with only the fields of the order rule", double({ success_action: "optinsubscriber" })],
    [
      "fields that are documented for the other type",
      { opt_in_type: "single", opt_in_requests: [ask] },
    ],
    ["undocumented fields", { ...double({ ...last, tag: 1 }), welcome_delay: 5 }],
    ["fields that are undefined", { opt_in_type: "double", bypass_opt_in_response: undefined }],
  ])("optInSettingsSchema leaves valid settings unchanged: %s", (_, settings) => {
    expect(wrong(settings)).toEqual([]);
    expect(sent(settings)).toEqual(settings);
  });
});

describe("optInSettingsSchema with steps from a response", () => {
  const returned = double(step, { ...bareStep, success_action: "optinsubscriber", tag: "kept" });

  test("optInSettingsSchema removes the response-only fields of a step, and keeps all others", () => {
    const { id: _, list_id: __, created_at: ___, updated_at: ____, ...first } = step;
    expect(sent(returned)).toEqual(
      double(first, {
        collected_data: "yes",
        request_message: bareStep.request_message,
        retry_message: bareStep.retry_message,
        follow_up: false,
        follow_up_hour: null,
        no_response_message: null,
        success_action: "optinsubscriber",
        opt_in_message: null,
        second_opt_in_message: null,
        bypass_opt_in_response: true,
        tag: "kept",
      }),
    );
  });

  test("optInSettingsSchema does not change the caller's steps", () => {
    const before = structuredClone(returned);
    sent(returned);
    expect(returned).toEqual(before);
  });

  test("optInSettingsSchema removes the response-only fields of a step, whatever their values", () => {
    const odd = { ...last, id: "x", list_id: null, created_at: 5, updated_at: {} };
    expect(sent(double(odd))).toEqual(double(last));
  });

  test("optInSettingsSchema keeps fields with the names of response-only fields outside a step", () => {
    const settings = { ...double(last), id: 5 };
    expect(sent(settings)).toEqual(settings);
  });
});

describe("optInSettingsSchema with invalid settings", () => {
  test.each<[settings: unknown, expected: string[]]>([
    // The type
    [undefined, [": invalid_type"]],
    ["single", [": invalid_type"]],
    [[], [": invalid_type"]],
    // Fields of the other type
    [
      { opt_in_type: "single", bypass_opt_in_response: "no" },
      ["bypass_opt_in_response: invalid_type"],
    ],
    [{ opt_in_type: "single", first_optin_message: 5 }, ["first_optin_message: invalid_type"]],
    [{ opt_in_type: "single", second_optin_message: {} }, ["second_optin_message: invalid_type"]],
    [{ opt_in_type: "double", opt_in_requests: null }, ["opt_in_requests: invalid_type"]],
    [{ opt_in_type: "double", opt_in_requests: last }, ["opt_in_requests: invalid_type"]],
    [double(null, last), ["opt_in_requests.0: invalid_type"]],
    [double(ask, "last"), ["opt_in_requests.1: invalid_type"]],
    [double({ ...last, request_message: 5 }), ["opt_in_requests.0.request_message: invalid_type"]],
    [double({ ...last, follow_up: null }), ["opt_in_requests.0.follow_up: invalid_type"]],
    [double({ ...last, follow_up_hour: 1.5 }), ["opt_in_requests.0.follow_up_hour: invalid_type"]],
    [double({ ...last, follow_up_hour: "2" }), ["opt_in_requests.0.follow_up_hour: invalid_type"]],
    [double({ ...last, opt_in_message: 5 }), ["opt_in_requests.0.opt_in_message: invalid_type"]],
    // Closed sets
    [
      double({ ...last, collected_data: "age" }),
      ["opt_in_requests.0.collected_data: invalid_enum_value"],
    ],
    [
      double({ ...last, collected_data: null }),
      ["opt_in_requests.0.collected_data: invalid_enum_value"],
    ],
    [
      double({ ...last, success_action: "stop" }),
      ["opt_in_requests.0.success_action: invalid_enum_value"],
    ],
    // The reminder
    [double({ ...last, follow_up: true }), ["opt_in_requests.0.follow_up_hour: invalid_type"]],
    [
      double({ ...last, follow_up: true, follow_up_hour: null }),
      ["opt_in_requests.0.follow_up_hour: invalid_type"],
    ],
    // The order
    [double(ask), ["opt_in_requests.0.success_action: custom"]],
    [double(last, last), ["opt_in_requests.0.success_action: custom"]],
    [double(ask, ask), ["opt_in_requests.1.success_action: custom"]],
    [
      double(null, 5, last, last),
      [
        "opt_in_requests.0: invalid_type",
        "opt_in_requests.1: invalid_type",
        "opt_in_requests.2.success_action: custom",
      ],
    ],
    [
      double({ ...ask, success_action: undefined }, last),
      ["opt_in_requests.0.success_action: custom"],
    ],
    [double({ ...last, success_action: null }), ["opt_in_requests.0.success_action: custom"]],
    [double({ collected_data: "yes" }), ["opt_in_requests.0.success_action: custom"]],
  ])("optInSettingsSchema refuses the settings %j", (settings, expected) => {
    expect(wrong(settings)).toEqual(expected);
  });

  test.each([undefined, null, "", "triple", "Single", 1])(
    "optInSettingsSchema refuses the type %j",
    (opt_in_type) => {
      const [issue, ...others] = issuesOf(optInSettingsSchema, { opt_in_type });
      expect(issue?.path).toEqual(["opt_in_type"]);
      expect(issue?.message).toMatch(/single or double/);
      expect(others).toEqual([]);
    },
  );

  test("optInSettingsSchema reports all issues together, each with its own path", () => {
    const settings = {
      ...double(
        { ...last, collected_data: "age", request_message: 5, follow_up: true },
        { ...ask, follow_up: "no", success_action: "stop" },
        { ...ask, follow_up_hour: "2" },
      ),
      bypass_opt_in_response: 1,
    };
    expect(wrong(settings).sort()).toEqual([
      "bypass_opt_in_response: invalid_type",
      "opt_in_requests.0.collected_data: invalid_enum_value",
      "opt_in_requests.0.follow_up_hour: invalid_type",
      "opt_in_requests.0.request_message: invalid_type",
      "opt_in_requests.0.success_action: custom",
      "opt_in_requests.1.follow_up: invalid_type",
      "opt_in_requests.1.success_action: invalid_enum_value",
      "opt_in_requests.2.follow_up_hour: invalid_type",
      "opt_in_requests.2.success_action: custom",
    ]);
  });

  test("optInSettingsSchema reports all issues even if an hour is not an integer", () => {
    expect(wrong(double(last, { ...ask, follow_up_hour: 0.5 })).sort()).toEqual([
      "opt_in_requests.0.success_action: custom",
      "opt_in_requests.1.follow_up_hour: invalid_type",
      "opt_in_requests.1.success_action: custom",
    ]);
  });

  test.each<[what: string, step: unknown]>([
    ["no object", 5],
    ["in the wrong order", last],
  ])(
    "optInSettingsSchema refuses 50 000 steps, each %s, with the first 20 000 issues",
    (_, wrongStep) => {
      const settings = { opt_in_type: "double", opt_in_requests: Array(50_000).fill(wrongStep) };
      const steps = issuesOf(optInSettingsSchema, settings).map(({ path }) => path[1]);
      expect(steps).toEqual(Array.from({ length: 20_000 }, (_, index) => index));
    },
    60_000,
  );
});
