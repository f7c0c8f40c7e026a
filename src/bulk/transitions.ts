// The rules of a ledger as pure functions. The memory ledger applies them; the SQL ledgers state them as the conditions
// of its statements, and `ledgerChecks` compares the two.
import type { LedgerClaim, LedgerEnd, LedgerEntry } from "./ledger.ts";

/** Result of a claim: the key is taken, or the reason why it is not. */
export type Verdict =
  | "claimed"
  | "accepted_before"
  | "rejected_before"
  | "duplicate"
  | "changed"
  | "in_doubt";

/**
 * Decides a claim by the entry that was found for its key.
 *
 * An atomic statement needs no more than the three rows that end in `claimed`: it writes the claim over an
 * entry that is `open`, that is `rejected` with another digest, or that is `sending` with the same `ref`, leaves any
 * other entry as it is, and returns the entry as it then stands. The key was taken exactly when that entry is
 * `sending` with the claim's `ref`, because no two items have the same `ref`.
 */
export const toVerdict = (
  found: LedgerEntry | undefined,
  claim: Pick<LedgerClaim, "digest" | "ref" | "owner">,
): Verdict => {
  if (found === undefined) return "claimed";
  const isSameContent = found.digest === claim.digest;
  const isOfThisRun = found.owner === claim.owner;
  switch (found.state) {
    case "open":
      return "claimed";
    case "rejected":
      return isSameContent ? "rejected_before" : "claimed";
    case "accepted":
      if (isOfThisRun) return "duplicate";
      return isSameContent ? "accepted_before" : "changed";
    case "sending":
      if (found.ref === claim.ref) return "claimed";
      return isOfThisRun ? "duplicate" : "in_doubt";
    case "unknown":
      return "in_doubt";
  }
};

/** Returns the entry that a claim writes. */
export const toClaimedEntry = ({
  batch,
  key,
  digest,
  ref,
  owner,
  at,
}: LedgerClaim): LedgerEntry => ({ batch, key, state: "sending", digest, ref, owner, at });

/** Returns whether the message of an entry may have been sent. */
export const isInDoubt = ({ state }: LedgerEntry): boolean =>
  state === "sending" || state === "unknown";

/** Returns an entry in another state; a known `transactionId` stays. */
const inState = (
  { code: _, ...entry }: LedgerEntry,
  state: LedgerEntry["state"],
  { transactionId, code }: Pick<LedgerEntry, "transactionId" | "code"> = {},
): LedgerEntry => {
  const id = entry.transactionId ?? transactionId;
  return {
    ...entry,
    state,
    ...(id === undefined ? {} : { transactionId: id }),
    ...(code === undefined ? {} : { code }),
  };
};

/**
 * Returns the entry after `settle`: an owner ends its own claim, and `accepted` is recorded for any owner. Any
 * other late end leaves a confirmation, a person's decision or a later claim as it is.
 */
export const toSettledEntry = (found: LedgerEntry, end: LedgerEnd): LedgerEntry => {
  const { owner, ref = found.ref } = end;
  const isOwn = found.state === "sending" && found.owner === owner && found.ref === ref;
  return isOwn || end.state === "accepted" ? inState(found, end.state, end) : found;
};

/** Returns the entry after `resolve`; `undefined` if there is no doubt to resolve. */
export const toResolvedEntry = (
  found: LedgerEntry,
  as: "accepted" | "open",
): LedgerEntry | undefined => (isInDoubt(found) ? inState(found, as) : undefined);

/** Returns the entry after `confirm`: any entry but a rejected one becomes accepted. */
export const toConfirmedEntry = (
  found: LedgerEntry,
  details: { readonly transactionId?: string | undefined } = {},
): LedgerEntry => (found.state === "rejected" ? found : inState(found, "accepted", details));
