import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { listCreateSchema } from "../../../src/core/schemas/index.ts";
import { issuesOf, wrongPaths } from "../../support/tables/field-table.ts";
import { list } from "../../support/tables/specification.ts";

const STRINGS = [
  "message_yes",
  "message_help",
  "message_stop",
  "message_reply",
  "message_already_subscribed",
  "first_optin_message",
  "second_optin_message",
  "email_digest",
];
const BOOLEANS = ["email_subscribe", "email_unsubscribe"];
const NULLABLE = [...STRINGS, ...BOOLEANS];

const full = {
  name: "VIP",
  ...Object.fromEntries(STRINGS.map((field) => [field, `the ${field}`])),
  ...Object.fromEntries(BOOLEANS.map((field) => [field, true])),
};

describe("listCreateSchema", () => {
  test.each<[what: string, list: object]>([
    ["every field", full],
    ["only a name", { name: "VIP" }],
    ["an empty list, because no field is documented as required", {}],
    ["undefined fields", Object.fromEntries(Object.keys(full).map((key) => [key, undefined]))],
    [
      "null in the fields that may be null in a list",
      Object.fromEntries(NULLABLE.map((field) => [field, null])),
    ],
    ["undocumented fields", { name: "VIP", tags: ["VIP"], nested: { a: null } }],
  ])("listCreateSchema accepts %s", (_, value) => {
    expect(z.safeParse(listCreateSchema, value)).toEqual({ success: true, data: value });
  });

  test("listCreateSchema copies a list from a response without its response-only fields", () => {
    const returned = { ...list, plan: "gold" };
    const before = structuredClone(returned);
    const { id, keyword_names, counts, opt_in_type, opt_in_requests, ...settings } = returned;
    expect(z.safeParse(listCreateSchema, returned)).toEqual({ success: true, data: settings });
    expect(Object.keys(settings).toSorted()).toEqual([...Object.keys(full), "plan"].toSorted());
    expect(returned).toEqual(before);
  });

  test("listCreateSchema removes response-only fields with any value", () => {
    const wrong = { name: "VIP", id: "x", counts: 5, keyword_names: null, opt_in_type: [] };
    expect(z.safeParse(listCreateSchema, wrong).data).toEqual({ name: "VIP" });
  });

  test.each(["name", ...STRINGS])("listCreateSchema requires %s to be a string", (field) => {
    for (const value of [5, true, {}, ["text"], ...(field === "name" ? [null] : [])]) {
      expect(issuesOf(listCreateSchema, { ...full, [field]: value })).toEqual([
        { code: "invalid_type", type: "string", message: "must be a string", path: [field] },
      ]);
    }
  });

  test.each(BOOLEANS)("listCreateSchema requires %s to be a boolean", (field) => {
    for (const value of [0, "true", {}, [true]]) {
      expect(issuesOf(listCreateSchema, { ...full, [field]: value })).toEqual([
        { code: "invalid_type", type: "boolean", message: "must be true or false", path: [field] },
      ]);
    }
  });

  test("listCreateSchema reports all issues together", () => {
    const wrong = Object.fromEntries(Object.keys(full).map((field) => [field, 5]));
    expect(wrongPaths(listCreateSchema, wrong).toSorted()).toEqual(
      Object.keys(full)
        .map((field) => `${field}: invalid_type`)
        .toSorted(),
    );
  });

  test.each([null, undefined, "VIP", 5, ["VIP"]])(
    "listCreateSchema refuses %j because it is not an object",
    (value) => {
      expect(wrongPaths(listCreateSchema, value)).toEqual([": invalid_type"]);
    },
  );
});
