import type { ValidationIssue } from "messaging-service-client";
import { rcsFile, rcsText } from "../../support/fakes/fake-service.ts";
import { tooBig, tooSmall } from "../../support/issues.ts";

/** A message that breaks rules, and its issues. */
export interface BadMessage {
  readonly name: string;
  readonly message: unknown;
  /** Issues without their messages. */
  readonly issues: readonly Omit<ValidationIssue, "message">[];
}

const text = (fields: object) => ({ ...rcsText, ...fields });
const payload = (rcsPayload: unknown) => ({ ...rcsText, rcsPayload });
const file = (url: unknown) => ({ ...rcsFile, rcsPayload: { file: { url } } });
const without = (field: keyof typeof rcsText) => {
  const { [field]: _, ...rest } = rcsText;
  return rest;
};

const phone = { code: "custom", validation: "phone", path: ["phoneNumber"] };
const url = (...path: string[]) => ({ code: "invalid_string", validation: "url", path });
const string = (...path: string[]) => ({ code: "invalid_type", type: "string", path });
const object = (...path: string[]) => ({ code: "invalid_type", type: "object", path });
const empty = tooSmall(1, "smsFailover");
const gsm7 = { code: "invalid_string", validation: "regex", path: ["smsFailover"] };
const FILE_URL = ["rcsPayload", "file", "url"];
const urlOf = (characters: number) => "https://example.com/".padEnd(characters, "x");

/** Messages that both sends refuse. */
const envelope: readonly BadMessage[] = [
  { name: "no phone", message: without("phoneNumber"), issues: [string("phoneNumber")] },
  {
    name: "a phone of digits",
    message: text({ phoneNumber: 2065550123 }),
    issues: [string("phoneNumber")],
  },
  { name: "a foreign phone", message: text({ phoneNumber: "+44 20 7946 0958" }), issues: [phone] },
  {
    name: "an http webhook URL",
    message: text({ webhookUrl: "http://example.com" }),
    issues: [url("webhookUrl")],
  },
  {
    name: "a webhook URL of 256 characters",
    message: text({ webhookUrl: urlOf(256) }),
    issues: [tooBig(255, "webhookUrl")],
  },
  { name: "an empty fallback", message: text({ smsFailover: "" }), issues: [empty] },
  {
    name: "a fallback of 161 characters",
    message: text({ smsFailover: "x".repeat(161) }),
    issues: [tooBig(160, "smsFailover")],
  },
  {
    name: "a fallback with a smart quote",
    message: text({ smsFailover: "It’s ready" }),
    issues: [gsm7],
  },
  {
    name: "a fallback of 161 characters with twelve emojis",
    message: text({ smsFailover: `${"🎉".repeat(12)}${"x".repeat(149)}` }),
    issues: [tooBig(160, "smsFailover"), gsm7],
  },
  { name: "no payload", message: without("rcsPayload"), issues: [object("rcsPayload")] },
];

export const badTexts: readonly BadMessage[] = [
  ...envelope,
  { name: "an array", message: [rcsText], issues: [object()] },
  { name: "a payload without text", message: payload({}), issues: [string("rcsPayload", "text")] },
  {
    name: "a text of 3001 characters",
    message: payload({ text: "🎉".repeat(3001) }),
    issues: [tooBig(3000, "rcsPayload", "text")],
  },
  {
    name: "a payload with more than text",
    message: payload({ text: "Hi", buttons: [] }),
    issues: [{ code: "unrecognized_keys", path: ["rcsPayload"] }],
  },
  {
    name: "everything wrong at once",
    message: {
      phoneNumber: "1",
      webhookUrl: "ftp://example.com",
      rcsPayload: { text: 5 },
      smsFailover: "",
    },
    issues: [phone, url("webhookUrl"), empty, string("rcsPayload", "text")],
  },
];

export const badFiles: readonly BadMessage[] = [
  ...envelope.map((bad) => ({
    ...bad,
    message:
      "rcsPayload" in (bad.message as object)
        ? { ...(bad.message as object), rcsPayload: rcsFile.rcsPayload }
        : bad.message,
  })),
  { name: "a file without URL", message: payload({ file: {} }), issues: [string(...FILE_URL)] },
  {
    name: "an http file",
    message: file("http://example.com/menu.pdf"),
    issues: [url(...FILE_URL)],
  },
];
