import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  parseWebhookTemplate,
  readWebhookTemplate,
} from "../../../src/testing/node/webhook-template.ts";
import { NEW_YEAR } from "../../support/fakes/fake-service.ts";
import { newFolder } from "../../support/run-example.ts";

const send = {
  transactionId: "t-1",
  at: NEW_YEAR,
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/hooks",
  text: 'Say "hi" \n{{event}}',
  smsFailover: "Hi",
};

describe("the template of webhooks", () => {
  test("a template of webhooks replaces placeholders at any depth, and keeps everything else", () => {
    const template = {
      type: "message.{{event}}",
      data: [{ id: "{{transactionId}}", to: "{{phoneNumber}}", n: 1, ok: true, none: null }],
      text: "{{text}}",
      file: "{{file}}",
      note: "[{{file}}] {{smsFailover}} at {{at}} for {{webhookUrl}}",
    };
    const body = parseWebhookTemplate(JSON.stringify(template));
    expect(body(send, "fell_back")).toEqual({
      type: "message.fell_back",
      data: [{ id: "t-1", to: "+12065550123", n: 1, ok: true, none: null }],
      // The value is not searched for placeholders and not parsed as JSON.
      text: send.text,
      file: null,
      note: `[] Hi at ${NEW_YEAR} for https://example.com/hooks`,
    });
  });

  test("a template of webhooks with an unknown placeholder is refused, with a list of the known ones", () => {
    for (const name of ["{{transaction_id}}", "{{ event }}", "{{event-x}}"]) {
      const expected = `has the unknown placeholder ${name}; the known ones are {{event}}, {{transactionId}}`;
      expect(() => parseWebhookTemplate(`{ "a": "${name}" }`)).toThrow(expected);
    }
  });

  test("a template of webhooks that is not JSON is refused", () => {
    expect(() => parseWebhookTemplate("id={{transactionId}}")).toThrow(/must be JSON/);
  });

  test("the file of a template may start with a byte order mark", () => {
    const file = join(newFolder(), "template.json");
    writeFileSync(file, '\u{FEFF}{ "id": "{{transactionId}}" }');
    expect(readWebhookTemplate(file)(send, "delivered")).toEqual({ id: "t-1" });
  });
});
