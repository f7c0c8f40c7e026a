import { describe, expect, test } from "vitest";
import { optInTypeIssue } from "../../src/wire/checks.ts";

const single = { opt_in_type: "single", first_optin_message: "Hi", second_optin_message: null };
const double = { opt_in_type: "double", opt_in_requests: [] };

const mismatchOf = (result: object & { opt_in_type: string }, sent: unknown) =>
  optInTypeIssue(result, { body: sent });

describe("a response to opt-in settings", () => {
  test("a response to opt-in settings is accepted if it has the sent type and its fields", () => {
    expect(mismatchOf(single, { opt_in_type: "single" })).toBeUndefined();
    expect(mismatchOf(double, { opt_in_type: "double" })).toBeUndefined();
  });

  test.each([
    ["double", single],
    ["single", double],
    ["double", { ...double, opt_in_type: "triple" }],
    ["single", { ...single, opt_in_type: "Single" }],
  ])(
    "a response to opt-in settings of type %s is refused if its type differs: %j",
    (sent, result) => {
      expect(mismatchOf(result, { opt_in_type: sent })).toEqual({
        code: "custom",
        path: ["opt_in_type"],
        message: `must be ${sent}, the type sent`,
      });
    },
  );

  test.each([undefined, null, "", {}])(
    "a response to opt-in settings is refused if its steps are %j",
    (opt_in_requests) => {
      const result = { ...double, opt_in_requests };
      expect(mismatchOf(result, { opt_in_type: "double" })).toEqual({
        code: "invalid_type",
        type: "array",
        path: ["opt_in_requests"],
        message: "is required and must be an array",
      });
    },
  );

  test.each(["first_optin_message", "second_optin_message"])(
    "a response to single opt-in settings is refused without %s",
    (field) => {
      const { [field as never]: _, ...rest } = single;
      expect(mismatchOf(rest as never, { opt_in_type: "single" })).toEqual({
        code: "invalid_type",
        type: "string",
        path: [field],
        message: "is required and must be a string or null",
      });
    },
  );

  test.each([undefined, null, "x", {}, { opt_in_type: "triple" }, { opt_in_type: null }])(
    "a response to opt-in settings of unknown type, sent without validation, is accepted: %j",
    (sent) => {
      expect(mismatchOf(single, sent)).toBeUndefined();
      expect(mismatchOf({ opt_in_type: "triple" }, sent)).toBeUndefined();
    },
  );
});
