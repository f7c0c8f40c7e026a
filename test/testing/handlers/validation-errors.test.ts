import { ValidationError, type ValidationIssue } from "messaging-service-client";
import { validationErrorSchema } from "messaging-service-client/schemas";
import { describe, expect, test } from "vitest";
import { createFake, rcsFile, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { type BadMessage, badFiles, badTexts } from "./bad-messages.ts";

/** Returns the refusal of a message by the client, or by the service if the client does not validate. */
const refusal = async (kind: "text" | "file", message: unknown, validateRequests: boolean) => {
  const service = createFake();
  const rcs = rcsOf(service, { validateRequests });
  const call =
    kind === "text" ? rcs.sendRcsText(message as never) : rcs.sendRcsFile(message as never);
  const error = await call.catch((thrown) => thrown);
  if (!ValidationError.is(error)) throw error;
  return { error, service };
};

const cases = [
  ...badTexts.map((bad) => ({ kind: "text" as const, ...bad })),
  ...badFiles.map((bad) => ({ kind: "file" as const, ...bad })),
];

/** Sends a body to the API without a client. */
const respondTo = async (kind: "text" | "file", body: unknown) => {
  const service = createFake();
  const { transactionalBaseUrl, account } = service;
  return service.fetch(`${transactionalBaseUrl}/transactional_messages/send_rcs_${kind}`, {
    method: "POST",
    headers: { "x-api-key": account.apiKey },
    body: JSON.stringify(body),
  });
};

describe.each(cases)(
  "a $kind with $name",
  ({ kind, message, issues }: BadMessage & { kind: "text" | "file" }) => {
    test("the service refuses a message that breaks a rule with a 400 in the documented shape", async () => {
      const response = await respondTo(kind, message);
      expect(response.status).toBe(400);
      const body = await response.json();
      expect(validationErrorSchema.parse(body)).toEqual(body);
      expect(Object.keys(body)).toEqual(["error", "errors"]);
      expect(body.error).not.toBe("");
      expect(body.errors).toHaveLength(issues.length);
      for (const issue of issues) {
        expect(body.errors).toContainEqual({ ...issue, message: expect.stringMatching(/\S/) });
      }
    });

    test("the client and the service refuse a message that breaks a rule for the same reasons", async () => {
      const here = await refusal(kind, message, true);
      const there = await refusal(kind, message, false);
      expect([here.error.source, there.error.source]).toEqual(["client", "service"]);
      expect([here.error.outcome, there.error.outcome]).toEqual(["not_sent", "rejected"]);
      const withoutWords = (errors: readonly ValidationIssue[]) =>
        errors.map(({ code, path }) => ({ code, path }));
      expect(withoutWords(there.error.errors)).toEqual(withoutWords(here.error.errors));
      expect([here.service.requests.length, there.service.requests.length]).toEqual([0, 1]);
      expect([there.service.sends, there.service.outbox]).toEqual([[], []]);
    });
  },
);

describe("messages at the limit of a rule", () => {
  const url255 = "https://example.com/".padEnd(255, "x");
  const accepted: readonly (readonly [string, "text" | "file", object])[] = [
    ["a webhook URL of 255 characters", "text", { ...rcsText, webhookUrl: url255 }],
    ["a fallback of 160 characters", "text", { ...rcsText, smsFailover: "x".repeat(160) }],
    ["a fallback of one character", "text", { ...rcsText, smsFailover: "€" }],
    ["a text of 3000 characters", "text", { ...rcsText, rcsPayload: { text: "🎉".repeat(3000) } }],
    ["an empty text", "text", { ...rcsText, rcsPayload: { text: "" } }],
    ["a phone of Canada", "text", { ...rcsText, phoneNumber: "(604) 555-0123" }],
    ["a file of 255 characters", "file", { ...rcsFile, rcsPayload: { file: { url: url255 } } }],
    ["a key that is not documented", "text", { ...rcsText, campaign: "spring" }],
  ];
  test.each(accepted)("the service accepts %s", async (_, kind, message) => {
    expect((await respondTo(kind, message)).status).toBe(202);
  });
});
