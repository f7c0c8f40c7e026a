import { contentTypeProblems, fileExtensionProblems } from "../rules/content-type.ts";
import { rcsFileMessageSchema, rcsTextMessageSchema } from "../schemas/rcs-message.ts";
import { type Transaction, transactionSchema } from "../schemas/transaction.ts";
import { endpoint } from "./endpoint.ts";

/** Specification: "Send an RCS text message". */
export const sendRcsText = /* @__PURE__ */ endpoint({
  method: "POST",
  path: "/transactional_messages/send_rcs_text",
  body: rcsTextMessageSchema,
  response: transactionSchema,
  requiredFields: { transactionId: "string" },
  unwrap: (transaction): Transaction => transaction,
  idempotent: false,
});

/** Specification: "Send an RCS file message". */
export const sendRcsFile = /* @__PURE__ */ endpoint({
  method: "POST",
  path: "/transactional_messages/send_rcs_file",
  body: rcsFileMessageSchema,
  *refine({ body, contentType }, validate) {
    if (!validate) return;
    if (contentType !== undefined) {
      for (const problem of contentTypeProblems(contentType)) {
        yield { ...problem, path: ["contentType"] };
      }
      return;
    }
    const { rcsPayload } = Object(body);
    for (const problem of fileExtensionProblems(rcsPayload?.file?.url)) {
      yield { ...problem, path: ["rcsPayload", "file", "url"] };
    }
  },
  response: transactionSchema,
  requiredFields: { transactionId: "string" },
  unwrap: (transaction): Transaction => transaction,
  idempotent: false,
});
