import { withoutUndefined } from "../options.ts";
import { type LedgerClaim, type LedgerEntry, toClaimResult } from "./ledgers/ledger.ts";
import type { Task } from "./message.ts";
import type { ItemEnd, SkipReason } from "./run-result.ts";

/** Reason why an item is not sent, with its details. */
export interface SkipDetails {
  readonly reason: SkipReason;
  /** Entry of the key in the ledger. */
  readonly entry?: LedgerEntry | undefined;
  /** Note that `skip` returned. */
  readonly note?: string;
  /** Time in milliseconds in which another run may still record a result. Absent unless the key is in progress elsewhere. */
  readonly leftMs?: number | undefined;
}

/** Part of a task that decides whether an entry prevents it. */
export type SkippableTask = Pick<Task, "digest" | "ref" | "isIdempotent" | "overdueClaim">;

/** Returns the time in milliseconds in which a claim may still get its result, or `undefined` if that time is over. */
const timeLeftOf = ({ state, ageMs }: LedgerEntry, callMs: number): number | undefined =>
  state === "sending" && ageMs < callMs ? callMs - ageMs : undefined;

/**
 * Returns the reason why an entry prevents a task, if it does. A removal in doubt is not prevented, unless it is in progress.
 *
 * @param callMs Time in milliseconds that a call of another run may take.
 */
export const toSkipReason = (
  entry: LedgerEntry | undefined,
  { digest, ref, isIdempotent, overdueClaim }: SkippableTask,
  owner: LedgerClaim["owner"],
  callMs: number,
): SkipDetails | undefined => {
  const reason = toClaimResult(entry ?? undefined, { digest, ref, owner });
  if (reason === "claimed") return undefined;
  if (!entry || reason !== "in_doubt") return { reason, entry };
  const leftMs = entry.id === overdueClaim ? undefined : timeLeftOf(entry, callMs);
  return isIdempotent && leftMs === undefined ? undefined : { reason, entry, leftMs };
};

/** Converts the reason into the end of the item. */
export const toSkippedEnd = ({ reason, entry, note }: SkipDetails): ItemEnd => {
  const isSent = reason === "accepted_before" || reason === "changed";
  const end: object = withoutUndefined({
    state: "skipped",
    reason,
    note,
    at: reason === "in_doubt" ? entry?.at : undefined,
    transactionId: isSent ? entry?.transactionId : undefined,
  });
  return end as ItemEnd;
};
