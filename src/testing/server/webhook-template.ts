import { readFileSync } from "node:fs";
import type { DeliveryEvent } from "../phones/phone-message.ts";
import type { AcceptedSend } from "../state/fake-store.ts";
import type { WebhookBody } from "../webhooks/webhooks.ts";

/** Returns the values that a template can contain. */
const valuesOf = (send: AcceptedSend, event: DeliveryEvent) => ({
  event,
  transactionId: send.transactionId,
  at: send.at,
  phoneNumber: send.phoneNumber,
  webhookUrl: send.webhookUrl,
  text: send.text ?? null,
  file: send.file ?? null,
  smsFailover: send.smsFailover,
});

type Name = keyof ReturnType<typeof valuesOf>;

const NAMES: readonly Name[] = [
  "event",
  "transactionId",
  "at",
  "phoneNumber",
  "webhookUrl",
  "text",
  "file",
  "smsFailover",
];

const PLACEHOLDER = /\{\{(\w*)\}\}/g;

/** Replaces the placeholders in every string of a template; a string that is one placeholder becomes its value. */
const fill = (template: unknown, values: Readonly<Record<string, string | null>>): unknown => {
  if (typeof template === "string") {
    const [whole, name] = /^\{\{(\w+)\}\}$/.exec(template) ?? [];
    if (whole !== undefined) return values[name ?? ""] ?? null;
    return template.replace(PLACEHOLDER, (_, key: string) => values[key] ?? "");
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, values));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, item]) => [key, fill(item, values)]),
  );
};

/**
 * Parses the JSON template of a webhook, in which `{{event}}`, `{{transactionId}}` and so on stand for values.
 *
 * @throws TypeError when it is not JSON, or contains an unknown placeholder.
 */
export const parseWebhookTemplate = (json: string): WebhookBody => {
  let template: unknown;
  try {
    template = JSON.parse(json);
  } catch {
    throw new TypeError("The template of webhooks must be JSON");
  }
  for (const [placeholder, name = ""] of json.matchAll(PLACEHOLDER)) {
    if (NAMES.some((known) => known === name)) continue;
    const known = NAMES.map((value) => `{{${value}}}`).join(", ");
    throw new TypeError(`The template of webhooks names ${placeholder}; it can name ${known}`);
  }
  return (send, event) => fill(template, valuesOf(send, event));
};

/** Reads the template of webhooks from a file. */
export const readWebhookTemplate = (path: string): WebhookBody =>
  parseWebhookTemplate(readFileSync(path, "utf8"));
