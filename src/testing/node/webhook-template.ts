import { readFileSync } from "node:fs";
import { parseJson } from "../../core/wire/encodings.ts";
import { acceptedSendSchema } from "../fake/messages.ts";
import type { WebhookBody } from "../fake/webhooks.ts";

const VALUE_NAMES = ["event", ...Object.keys(acceptedSendSchema.shape)];

const PLACEHOLDERS = /\{\{([^{}]*)\}\}/g;

/** Replaces the placeholders in a string of a template; a string that is one placeholder becomes its value. */
const fill = (text: string, values: Readonly<Record<string, string>>): string | null => {
  const name = /^\{\{(\w+)\}\}$/.exec(text)?.[1];
  if (name !== undefined) return values[name] ?? null;
  return text.replace(PLACEHOLDERS, (_, key: string) => values[key] ?? "");
};

/** @throws TypeError when the template is not JSON, or contains an unknown placeholder. */
export const parseWebhookTemplate = (json: string): WebhookBody => {
  if (parseJson(json) === undefined) throw new TypeError("The template of webhooks must be JSON");
  for (const [placeholder, name = ""] of json.matchAll(PLACEHOLDERS)) {
    if (VALUE_NAMES.some((known) => known === name)) continue;
    const known = VALUE_NAMES.map((value) => `{{${value}}}`).join(", ");
    throw new TypeError(
      `The template of webhooks has the unknown placeholder ${placeholder}; the known ones are ${known}`,
    );
  }
  return (send, event) =>
    JSON.parse(json, (_, value: unknown) =>
      typeof value === "string" ? fill(value, { event, ...send }) : value,
    );
};

export const readWebhookTemplate = (path: string): WebhookBody =>
  // It removes a byte order mark.
  parseWebhookTemplate(new TextDecoder().decode(readFileSync(path)));
