import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { listCreateSchema } from "../../src/schemas/list.ts";
import { issuesOf, wrongPaths } from "../support/field-table.ts";

const TEXTS = [
  "name",
  "message_yes",
  "message_help",
  "message_stop",
  "message_reply",
  "message_already_subscribed",
  "first_optin_message",
  "second_optin_message",
  "email_digest",
];
const FLAGS = ["email_subscribe", "email_unsubscribe"];

const full = {
  ...Object.fromEntries(TEXTS.map((field) => [field, `the ${field}`])),
  ...Object.fromEntries(FLAGS.map((field) => [field, true])),
};

describe("listCreateSchema", () => {
  test.each<[what: string, list: object]>([
    ["every field", full],
    ["a name alone", { name: "VIP" }],
    ["nothing, as no field is documented to be required", {}],
    ["what is not given", Object.fromEntries([...TEXTS, ...FLAGS].map((key) => [key, undefined]))],
    ["what the service may add", { name: "VIP", keyword_names: ["VIP"], nested: { a: null } }],
  ])("takes %s", (_, list) => {
    expect(z.safeParse(listCreateSchema, list)).toEqual({ success: true, data: list });
  });

  test.each(TEXTS)("%s is a text", (field) => {
    for (const value of [5, null, true, {}, ["text"]]) {
      expect(issuesOf(listCreateSchema, { ...full, [field]: value })).toEqual([
        { code: "invalid_type", type: "string", message: "must be a string", path: [field] },
      ]);
    }
  });

  test.each(FLAGS)("%s is true or false", (field) => {
    for (const value of [0, null, "true", {}, [true]]) {
      expect(issuesOf(listCreateSchema, { ...full, [field]: value })).toEqual([
        { code: "invalid_type", type: "boolean", message: "must be true or false", path: [field] },
      ]);
    }
  });

  test("tells everything that is wrong, at once", () => {
    const wrong = Object.fromEntries([...TEXTS, ...FLAGS].map((field) => [field, 5]));
    expect(wrongPaths(listCreateSchema, wrong)).toEqual(
      [...TEXTS, ...FLAGS].map((field) => `${field}: invalid_type`),
    );
  });

  test.each([null, undefined, "VIP", 5, ["VIP"]])("%j is no list", (value) => {
    expect(wrongPaths(listCreateSchema, value)).toEqual([": invalid_type"]);
  });
});
