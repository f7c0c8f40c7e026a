import { given } from "../options.ts";
import { type ClaimResult, type LedgerEntry, toClaimResult } from "./ledger.ts";
import type { Task } from "./message.ts";
import type { ItemEnd } from "./run-result.ts";

/** Reason why an item is not sent. */
export interface SkipCause {
  readonly reason: Exclude<ClaimResult, "claimed"> | "excluded";
  /** Entry of the key in the ledger. */
  readonly entry?: LedgerEntry | undefined;
  /** Note that `skip` returned. */
  readonly note?: string;
}

/** Returns the reason why an entry prevents a task, if it does. A removal in doubt is not prevented. */
export const toSkipCause = (
  entry: LedgerEntry | undefined,
  task: Pick<Task, "digest" | "ref" | "mayRepeat">,
  owner: string,
): SkipCause | undefined => {
  const { digest, ref } = task;
  const reason = toClaimResult(entry ?? undefined, { digest, ref, owner });
  if (reason === "claimed" || (reason === "in_doubt" && task.mayRepeat)) return undefined;
  return { reason, entry };
};

/** Converts the reason into the end of the item. */
export const toSkippedEnd = ({ reason, entry, note }: SkipCause): ItemEnd => {
  const isSent = reason === "accepted_before" || reason === "changed";
  const end: object = given({
    state: "skipped",
    reason,
    note,
    at: reason === "in_doubt" ? entry?.at : undefined,
    transactionId: isSent ? entry?.transactionId : undefined,
  });
  return end as ItemEnd;
};
