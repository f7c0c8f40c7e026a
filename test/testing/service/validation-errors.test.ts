// The fake validates messages with the client's schemas. test/core/schemas tests every rule.
import { ValidationError, type ValidationIssue } from "messaging-service-client";
import { validationErrorSchema } from "messaging-service-client/schemas";
import { expect, test } from "vitest";
import { createFake, rcsFile, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { tooBig, tooSmall } from "../../support/issues.ts";

type Kind = "text" | "file";
type Issue = Omit<ValidationIssue, "message">;

const phone = { code: "custom", validation: "phone", path: ["phoneNumber"] };
const url = (...path: string[]) => ({ code: "invalid_string", validation: "url", path });
const invalid = (type: string, ...path: string[]) => ({ code: "invalid_type", type, path });
const FILE_URL = ["rcsPayload", "file", "url"];

/** Messages that break rules, with all their issues. */
const REFUSED: readonly (readonly [what: string, Kind, message: unknown, issues: Issue[]])[] = [
  [
    "wrong values",
    "text",
    {
      ...{ phoneNumber: "+44 20 7946 0958", webhookUrl: "http://example.com", smsFailover: "" },
      rcsPayload: { text: 5 },
    },
    [phone, url("webhookUrl"), tooSmall(1, "smsFailover"), invalid("string", "rcsPayload", "text")],
  ],
  [
    "too much of everything",
    "text",
    {
      ...rcsText,
      webhookUrl: `https://example.com/${"x".repeat(236)}`,
      smsFailover: `${"🎉".repeat(12)}${"x".repeat(149)}`,
      rcsPayload: { text: "Hi", buttons: [] },
    },
    [
      tooBig(255, "webhookUrl"),
      tooBig(160, "smsFailover"),
      { code: "invalid_string", validation: "regex", path: ["smsFailover"] },
      { code: "unrecognized_keys", path: ["rcsPayload"] },
    ],
  ],
  ["an array", "text", [rcsText], [invalid("object")]],
  [
    "a wrong phone and file",
    "file",
    { ...rcsFile, phoneNumber: "1", rcsPayload: { file: { url: "http://example.com/menu.pdf" } } },
    [phone, url(...FILE_URL)],
  ],
  ["no URL", "file", { ...rcsFile, rcsPayload: { file: {} } }, [invalid("string", ...FILE_URL)]],
];

/** Sends a message without using a client. */
const respondTo = async (kind: Kind, message: unknown) => {
  const { transactionalBaseUrl, account, fetch } = createFake();
  return fetch(`${transactionalBaseUrl}/transactional_messages/send_rcs_${kind}`, {
    method: "POST",
    headers: { "x-api-key": account.apiKey },
    body: JSON.stringify(message),
  });
};

test.each(REFUSED)(
  "the service refuses a message of %s with a 400 in the documented shape, for the client's reasons",
  async (_, kind, message, issues) => {
    const response = await respondTo(kind, message);
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(validationErrorSchema.parse(body)).toEqual(body);
    expect(body).toEqual({ error: expect.stringMatching(/\S/), errors: expect.any(Array) });
    const described = issues.map((issue) => ({ ...issue, message: expect.stringMatching(/\S/) }));
    expect(body.errors).toEqual(expect.arrayContaining(described));

    const service = createFake();
    const refusals = [true, false].map(async (validateRequests) => {
      const rcs = rcsOf(service, { validateRequests });
      const send = kind === "text" ? rcs.sendRcsText : rcs.sendRcsFile;
      const error = await send(message as never).catch((thrown) => thrown);
      if (!ValidationError.is(error)) throw error;
      const reasons = error.errors.map(({ code, path }) => ({ code, path }));
      return [error.source, error.outcome, reasons];
    });
    const reasons = body.errors.map(({ code, path }: Issue) => ({ code, path }));
    expect(reasons).toHaveLength(issues.length);
    expect(await Promise.all(refusals)).toEqual([
      ["client", "not_sent", reasons],
      ["service", "rejected", reasons],
    ]);
    expect([service.requests.length, service.sends, service.outbox]).toEqual([1, [], []]);
  },
);

test.each([
  ["a text of 3000 characters", { rcsPayload: { text: "🎉".repeat(3000) } }],
  ["an empty text", { rcsPayload: { text: "" } }],
  ["a key that is not documented", { campaign: "spring" }],
])("the service accepts %s", async (_, fields) => {
  expect((await respondTo("text", { ...rcsText, ...fields })).status).toBe(202);
});
