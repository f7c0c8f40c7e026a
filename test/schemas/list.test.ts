import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { listSchema } from "../../src/schemas/index.ts";
import { testFields, testResponses, withField, wrongPaths } from "../support/tables/field-table.ts";
import { bareList, list } from "../support/tables/response-fixtures.ts";

describe("listSchema", () => {
  testResponses(listSchema, {
    "a list with every field set": list,
    "a list with every nullable field null, and no keyword, subscriber or step": bareList,
  });

  testFields(listSchema, list, {
    id: "integer",
    name: "string",
    email_digest: "string or null",
    email_subscribe: "boolean or null",
    email_unsubscribe: "boolean or null",
    first_optin_message: "string or null",
    second_optin_message: "string or null",
    message_help: "string or null",
    message_stop: "string or null",
    message_reply: "string or null",
    message_already_subscribed: "string or null",
    message_yes: "string or null",
    keyword_names: "array of string",
    "counts.subscribers": "integer",
    "counts.unsubscribed": "integer",
    "counts.cleaned": "integer",
    opt_in_type: "string",
  });

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
