import type * as z from "zod/mini";
import { open, text } from "./fields.ts";

/** Specification: "Transaction response (version 3)". */
export const transactionSchema = /* @__PURE__ */ open({
  /** The service's words of acceptance. */
  message: text,
  /** Identifies the message from here on. */
  transactionId: text,
});

/** That a message was accepted; whether it arrives, its webhook tells (specification: "Transaction response"). */
export interface Transaction extends z.infer<typeof transactionSchema> {}
