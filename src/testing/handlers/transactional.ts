import { fileExtensionProblems, hostedFileProblems } from "../../rules/content-type.ts";
import type { RcsFileMessage, RcsTextMessage } from "../../schemas/rcs-message.ts";
import { sendRcsFile, sendRcsText } from "../../wire/transactional.ts";
import { type FakeAnswer, jsonAnswer } from "../fake-answer.ts";
import type { SentMessage } from "../state/outbox.ts";
import { type FakeWorld, handler } from "./handler.ts";

/** Accepts a message, and delivers it at once. */
const accept = (
  { clock, store, outbox }: FakeWorld,
  { phoneNumber, webhookUrl, smsFailover }: RcsTextMessage | RcsFileMessage,
  message: Pick<SentMessage, "text" | "file" | "cause">,
): FakeAnswer => {
  const serial = String(store.sends.length + 1).padStart(12, "0");
  const transactionId = `00000000-0000-4000-8000-${serial}`;
  store.sends.push({ transactionId, at: clock.timestamp, phoneNumber, webhookUrl });
  outbox.sendRcs(phoneNumber, { ...message, transactionId }, smsFailover);
  return jsonAnswer(202, { message: "Message accepted", transactionId });
};

/** The handlers of the transactional API. */
export const transactionalHandlers = [
  handler(sendRcsText, ({ world, body }) =>
    accept(world, body, { text: body.rcsPayload.text, cause: "send_rcs_text" }),
  ),

  handler(
    sendRcsFile,
    ({ world, body }) => {
      const { url } = body.rcsPayload.file;
      return accept(world, body, { file: url, cause: "send_rcs_file" });
    },
    function* ({ store }, body) {
      const url = Object(body).rcsPayload?.file?.url;
      const hosted = store.files.get(url);
      for (const problem of hosted ? hostedFileProblems(hosted) : fileExtensionProblems(url)) {
        yield { ...problem, path: ["rcsPayload", "file", "url"] };
      }
    },
  ),
];
