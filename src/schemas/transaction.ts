import type * as z from "zod/mini";
import { looseObject, string } from "./shared/fields.ts";

/** Specification: "Transaction response (version 3)". */
export const transactionSchema = /* @__PURE__ */ looseObject({
  /** Confirmation in words that the message was accepted. */
  message: string,
  /** Unique id for tracking the message. */
  transactionId: string,
});

/**
 * Acceptance of a message. The service may report to the `webhookUrl` whether the message arrives; what it sends there is
 * not documented (specification: "Transaction response").
 */
export interface Transaction extends z.infer<typeof transactionSchema> {}
