import type * as z from "zod/mini";
import { looseObject, string } from "./shared/fields.ts";

/** Specification: "Transaction response (version 3)". */
export const transactionSchema = /* @__PURE__ */ looseObject({
  /** Confirmation in words that the message was accepted. */
  message: string,
  /** Unique id by which webhooks refer to the message. */
  transactionId: string,
});

/**
 * Acceptance of a message. Whether it arrives is reported to its webhook later (specification: "Transaction response").
 */
export interface Transaction extends z.infer<typeof transactionSchema> {}
