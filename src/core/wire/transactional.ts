import { fileTypeProblems } from "../rules/content-type.ts";
import {
  fileMessageSchema,
  rcsTextMessageSchema,
  type Transaction,
  transactionSchema,
} from "../schemas/rcs-message.ts";
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
  body: fileMessageSchema,
  options: { contentType: true },
  refine: ({ body }, validate, options) =>
    validate ? fileTypeProblems(body, Object(options).contentType) : [],
  response: transactionSchema,
  requiredFields: { transactionId: "string" },
  unwrap: (transaction): Transaction => transaction,
  idempotent: false,
});
