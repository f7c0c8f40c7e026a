import { contentTypeProblems } from "../rules/content-type.ts";
import {
  rcsFileMessageSchema,
  rcsTextMessageSchema,
  typedFileMessageSchema,
} from "../schemas/rcs-message.ts";
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
  body: typedFileMessageSchema,
  // Without a content type, the extension of the URL decides.
  bodyFor: ({ contentType }) =>
    contentType === undefined ? rcsFileMessageSchema : typedFileMessageSchema,
  *refine({ contentType }, validate) {
    if (!validate || contentType === undefined) return;
    for (const problem of contentTypeProblems(contentType)) {
      yield { ...problem, path: ["contentType"] };
    }
  },
  response: transactionSchema,
  requiredFields: { transactionId: "string" },
  unwrap: (transaction): Transaction => transaction,
  idempotent: false,
});
