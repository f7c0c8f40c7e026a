import { hostedFileProblems } from "../../core/rules/content-type.ts";
import type { RcsFileMessage, RcsTextMessage } from "../../core/schemas/rcs-message.ts";
import type * as transactional from "../../core/wire/transactional.ts";
import { sendRcsFile, sendRcsText } from "../../core/wire/transactional.ts";
import { type FakeResponse, jsonResponse } from "../fake/exchange.ts";
import { createTransactionId } from "../fake/store.ts";
import type { FakeWorld } from "../fake/world.ts";
import { type FakeApi, type HandledEndpoint, handle } from "./handler.ts";

const accept = (
  { clock, store, outbox, webhooks }: FakeWorld,
  { phoneNumber, webhookUrl, smsFailover }: RcsTextMessage | RcsFileMessage,
  content: { readonly text: string } | { readonly file: string },
): FakeResponse => {
  const transactionId = createTransactionId();
  const { timestamp: at } = clock;
  const send = { transactionId, at, phoneNumber, webhookUrl, ...content, smsFailover };
  store.sends.add(send);
  const cause = "text" in content ? "send_rcs_text" : "send_rcs_file";
  const message = { ...content, cause, transactionId };
  webhooks.deliver(send, outbox.sendRcs(phoneNumber, message, smsFailover));
  return jsonResponse(202, { message: "Message accepted", transactionId });
};

const FILE_URL = ["rcsPayload", "file", "url"];

// Specification: "Validation error". Only a client reports why a phone number is invalid.
const invalid: FakeApi["invalid"] = (issues) => {
  const errors = issues.map(({ reason, ...issue }) =>
    reason === undefined ? issue : { ...issue, message: "Invalid phone number" },
  );
  return { ...jsonResponse(400, { error: "Validation failed", errors }), errors };
};

const transactionalHandlers = {
  sendRcsFile: handle(sendRcsFile, ({ world, body }) => {
    const { url } = body.rcsPayload.file;
    // The fake accepts every file whose host is not known.
    const hosted = world.store.files.get(url);
    const problems = hosted ? [...hostedFileProblems(hosted)] : [];
    if (problems.length > 0) return invalid(problems.map((one) => ({ ...one, path: FILE_URL })));
    return accept(world, body, { file: url });
  }),
  sendRcsText: handle(sendRcsText, ({ world, body }) =>
    accept(world, body, { text: body.rcsPayload.text }),
  ),
} satisfies Record<keyof typeof transactional, HandledEndpoint>;

/** The transactional API. The specification shows its validation errors; the others are the fake's own. */
export const transactionalApi: FakeApi = {
  name: "transactional",
  handlers: Object.values(transactionalHandlers),
  admits: ({ headers }, { apiKey }) => headers["x-api-key"] === apiKey,
  error: (status, error, headers) => jsonResponse(status, { error }, headers),
  invalid,
};
