import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { rcsFileMessageSchema, rcsTextMessageSchema } from "../../../src/core/schemas/index.ts";
import { issuesOf, withField, wrongPaths } from "../../support/tables/field-table.ts";

const envelope = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks/messages",
  smsFailover: "Your table is ready",
};
const text = { ...envelope, rcsPayload: { text: "Your table is ready 🎉" } };
const file = { ...envelope, rcsPayload: { file: { url: "https://example.com/menu.pdf" } } };

const longUrl = `https://example.com/${"a".repeat(236)}`;

describe.each([
  ["rcsTextMessageSchema", rcsTextMessageSchema, text],
  ["rcsFileMessageSchema", rcsFileMessageSchema, file],
])("%s", (_, schema: z.ZodMiniType, message) => {
  test("the schema of a message accepts a valid message with undocumented fields", () => {
    for (const given of [message, { ...message, campaign: { id: 5 } }]) {
      expect(z.safeParse(schema, given)).toEqual({ success: true, data: given });
    }
  });

  test.each(["(206) 555-0123", "206.555.0123", " tel:+1-206-555-0123 "])(
    "the schema of a message converts the phone number %j to E.164 and does not change the caller's object",
    (phoneNumber) => {
      const given = { ...message, phoneNumber };
      expect(z.safeParse(schema, given).data).toEqual(message);
      expect(given.phoneNumber).toBe(phoneNumber);
    },
  );

  test.each([
    ["phoneNumber", "+12065550123\uD83C", "phoneNumber: custom"],
    ["webhookUrl", "https://example.com/\uD83C", "webhookUrl: custom"],
    ["smsFailover", "Sale \uD83C", "smsFailover: invalid_string"],
    ["campaign", "Sale \uD83C", "campaign: custom"],
    ["campaign", { names: ["Sale", "\uDF89"] }, "campaign.names.1: custom"],
    ["campaign", { "+12065550123": "\uDF89" }, "campaign.[number]: custom"],
    ["+12065550123", "\uDF89", "[number]: custom"],
  ])("the schema of a message refuses half of a surrogate pair in %s: %j", (path, value, wrong) => {
    expect(wrongPaths(schema, { ...message, [path]: value })).toEqual([wrong]);
  });

  test("the schema of a message accepts an undocumented field that refers to itself or is deep", () => {
    const circle: Record<string, unknown> = { name: "Sale 🎉" };
    Object.assign(circle, { a: circle, b: [circle, circle] });
    let deep: unknown = "🎉";
    for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
    expect(wrongPaths(schema, { ...message, circle, deep })).toEqual([]);
  });

  test.each<[path: string, value: unknown, wrong: string[]]>([
    ["phoneNumber", undefined, ["phoneNumber: invalid_type"]],
    ["phoneNumber", 2065550123, ["phoneNumber: invalid_type"]],
    ["phoneNumber", "", ["phoneNumber: custom"]],
    ["phoneNumber", "555 123 4567", ["phoneNumber: custom"]],
    ["phoneNumber", "+44 20 7946 0958", ["phoneNumber: custom"]],
    ["webhookUrl", undefined, ["webhookUrl: invalid_type"]],
    ["webhookUrl", new URL("https://example.com"), ["webhookUrl: invalid_type"]],
    ["webhookUrl", "http://example.com", ["webhookUrl: invalid_string"]],
    ["webhookUrl", "example.com", ["webhookUrl: invalid_string"]],
    ["webhookUrl", longUrl, ["webhookUrl: too_big"]],
    ["smsFailover", undefined, ["smsFailover: invalid_type"]],
    ["smsFailover", null, ["smsFailover: invalid_type"]],
    ["smsFailover", "", ["smsFailover: too_small"]],
    ["smsFailover", "a".repeat(161), ["smsFailover: too_big"]],
    ["smsFailover", "🎉", ["smsFailover: invalid_string"]],
    ["smsFailover", "🎉".repeat(161), ["smsFailover: too_big", "smsFailover: invalid_string"]],
    ["rcsPayload", undefined, ["rcsPayload: invalid_type"]],
    ["rcsPayload", null, ["rcsPayload: invalid_type"]],
    ["rcsPayload", "text", ["rcsPayload: invalid_type"]],
    ["rcsPayload", [], ["rcsPayload: invalid_type"]],
  ])("the schema of a message refuses an invalid %s: %j", (path, value, wrong) => {
    const given = { ...message, [path]: value };
    expect(wrongPaths(schema, given)).toEqual(wrong);
    if (value === undefined) expect(wrongPaths(schema, withField(message, path))).toEqual(wrong);
  });

  test("the schema of a message keeps texts verbatim", () => {
    const given = {
      ...message,
      smsFailover: "  two  \r\n",
      webhookUrl: "HTTPS://EXAMPLE.COM/a%20b",
    };
    expect(z.safeParse(schema, given).data).toEqual(given);
  });

  test('the schema of a message reports a phone number with validation "phone" and its reason', () => {
    expect(issuesOf(schema, { ...message, phoneNumber: "911" })).toEqual([
      {
        code: "custom",
        validation: "phone",
        reason: "short_code",
        path: ["phoneNumber"],
        message: expect.stringMatching(/short code/),
      },
    ]);
  });

  test.each([null, undefined, "message", 5, []])(
    "the schema of a message refuses %j because it is not an object",
    (value) => {
      expect(wrongPaths(schema, value)).toEqual([": invalid_type"]);
    },
  );
});

describe("the payload of a text message", () => {
  const wrong = (rcsPayload: unknown) => wrongPaths(rcsTextMessageSchema, { ...text, rcsPayload });

  test.each(["", " ", "*bold*\n_italic_ 🎉", "🎉".repeat(3000)])(
    "the payload of a text message accepts a text (case %#)",
    (content) => {
      expect(wrong({ text: content })).toEqual([]);
    },
  );

  test.each<[payload: unknown, expected: string[]]>([
    [{}, ["rcsPayload.text: invalid_type"]],
    [{ text: null }, ["rcsPayload.text: invalid_type"]],
    [{ text: 5 }, ["rcsPayload.text: invalid_type"]],
    [{ text: "Hi", file: { url: "https://example.com" } }, ["rcsPayload: unrecognized_keys"]],
    [{ text: "Hi", suggestions: [] }, ["rcsPayload: unrecognized_keys"]],
  ])("the payload of a text message is refused: %j", (payload, expected) => {
    expect(wrong(payload)).toEqual(expected);
  });

  test("the payload of a text message is refused if its text has 3001 characters", () => {
    expect(wrong({ text: "🎉".repeat(3001) })).toEqual(["rcsPayload.text: too_big"]);
  });

  test("the payload of a text message supports only `text`", () => {
    const payload = { text: "Hi", secret_key: "its value" };
    expect(issuesOf(rcsTextMessageSchema, { ...text, rcsPayload: payload })).toEqual([
      { code: "unrecognized_keys", path: ["rcsPayload"], message: "supports `text` only" },
    ]);
  });

  test("issues of the payload are reported together with every other issue of the message", () => {
    const message = { phoneNumber: "x", webhookUrl: 5, rcsPayload: { text: 5, card: 1 } };
    expect(wrongPaths(rcsTextMessageSchema, message).sort()).toEqual([
      "phoneNumber: custom",
      "rcsPayload.text: invalid_type",
      "rcsPayload: unrecognized_keys",
      "smsFailover: invalid_type",
      "webhookUrl: invalid_type",
    ]);
  });
});

describe("the payload of a file message", () => {
  const wrong = (rcsPayload: unknown) => wrongPaths(rcsFileMessageSchema, { ...file, rcsPayload });

  test("the payload of a file message keeps undocumented fields next to the file and in it", () => {
    const given = withField(withField(file, "rcsPayload.file.name", "Menu"), "rcsPayload.card", 1);
    expect(z.safeParse(rcsFileMessageSchema, given)).toEqual({ success: true, data: given });
  });

  test.each<[payload: unknown, expected: string[]]>([
    [{}, ["rcsPayload.file: invalid_type"]],
    [{ file: "https://example.com/menu.pdf" }, ["rcsPayload.file: invalid_type"]],
    [{ file: {} }, ["rcsPayload.file.url: invalid_type"]],
    [{ file: { url: null } }, ["rcsPayload.file.url: invalid_type"]],
    [{ file: { url: "" } }, ["rcsPayload.file.url: invalid_string"]],
    [{ file: { url: "menu.pdf" } }, ["rcsPayload.file.url: invalid_string"]],
    [{ file: { url: "http://example.com/menu.pdf" } }, ["rcsPayload.file.url: invalid_string"]],
    [{ file: { url: " https://example.com/menu.pdf" } }, ["rcsPayload.file.url: invalid_string"]],
    [{ file: { url: "HTTPS://example.com/menu.pdf" } }, ["rcsPayload.file.url: invalid_string"]],
    [{ file: { url: longUrl } }, ["rcsPayload.file.url: too_big"]],
    [{ file: { url: "https://example.com/menu.docx" } }, ["rcsPayload.file.url: custom"]],
    // These parse as https URLs but do not start with `https://`.
    [{ file: { url: "https:example.com/menu.pdf" } }, ["rcsPayload.file.url: invalid_string"]],
    [{ file: { url: "https:/example.com/menu.pdf" } }, ["rcsPayload.file.url: invalid_string"]],
    [{ file: { url: "https:\\\\example.com\\menu.pdf" } }, ["rcsPayload.file.url: invalid_string"]],
  ])("the payload of a file message is refused: %j", (payload, expected) => {
    expect(wrong(payload)).toEqual(expected);
  });
});

test.each([
  [rcsTextMessageSchema, text, { text: "Sale \uD83C" }, "rcsPayload.text: custom"],
  [rcsFileMessageSchema, file, { ...file.rcsPayload, alt: "\uD83C" }, "rcsPayload.alt: custom"],
  [
    rcsFileMessageSchema,
    file,
    { file: { ...file.rcsPayload.file, name: "\uD83C" } },
    "rcsPayload.file.name: custom",
  ],
  [
    rcsFileMessageSchema,
    file,
    { file: { url: "https://example.com/\uD83C" } },
    "rcsPayload.file.url: custom",
  ],
])(
  "the schemas of messages refuse half of a surrogate pair in the payload: case %#",
  (schema: z.ZodMiniType, message, rcsPayload, wrong) => {
    expect(wrongPaths(schema, { ...message, rcsPayload })).toEqual([wrong]);
  },
);
