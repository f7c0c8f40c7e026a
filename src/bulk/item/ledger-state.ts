import type { AnyMessagingServiceError } from "../../errors.ts";
import type { LedgerResult } from "../ledger.ts";
import type { Task } from "./task.ts";

/** Statuses with which the service refuses this exact content, so that sending it again is of no use. */
const FINAL_STATUSES: readonly unknown[] = [400, 404, 409, 410, 413, 422];

/** End of a call, for the caller and for the ledger. */
export interface CallEnd {
  readonly state: "accepted" | "rejected" | "not_sent" | "unknown";
  readonly ledgerState: LedgerResult["state"];
  readonly transactionId?: string | undefined;
  readonly error?: AnyMessagingServiceError;
}

/** Reads the id from a body that shows the send was accepted, although another field of it was refused. */
const parseTransactionId = (error: AnyMessagingServiceError): string | undefined => {
  try {
    const { transactionId } = JSON.parse(String("body" in error ? error.body : ""));
    return typeof transactionId === "string" ? transactionId : undefined;
  } catch {
    return undefined;
  }
};

/** Converts the error that ended a task into the end of its call. */
export const toCallEnd = (error: AnyMessagingServiceError, task: Task): CallEnd => {
  const { outcome } = error;
  if (outcome === "done") {
    const transactionId = parseTransactionId(error);
    return { state: "accepted", ledgerState: "accepted", transactionId, error };
  }
  if (task.isSettledBy(error)) return { state: "rejected", ledgerState: "rejected", error };
  if (outcome === "unknown") return { state: "unknown", ledgerState: "unknown", error };
  const isFinal =
    outcome === "rejected" && "status" in error && FINAL_STATUSES.includes(error.status);
  return { state: outcome, ledgerState: isFinal ? "rejected" : "open", error };
};
