import { assertOptions, given, invalidOption, type OptionNames } from "../options.ts";

/** States of an entry, in the order in which it passes through them. */
export const LEDGER_STATES = ["sending", "accepted", "rejected", "open", "unknown"] as const;

/**
 * State of a key in a ledger.
 *
 * - `sending`: a request may be on the wire now, or was when its process ended.
 * - `accepted`: the service accepted it.
 * - `rejected`: the service rejected this exact content.
 * - `open`: nothing was sent, and it may be sent.
 * - `unknown`: it may have been sent.
 */
export type LedgerState = (typeof LEDGER_STATES)[number];

/** Returns counts of entries by state, all 0. */
export const noCounts = (): Record<LedgerState, number> => {
  return { sending: 0, accepted: 0, rejected: 0, open: 0, unknown: 0 };
};

/** Claim of a key, made right before each attempt. */
export interface LedgerClaim {
  /** Id of this claim: 128 random bits in base64url, new for each attempt. */
  readonly id: string;
  /** Name of the job, at most 1024 bytes. */
  readonly batch: string;
  /** Key within the batch, at most 1024 bytes: a phone number, unless the caller chooses another. */
  readonly key: string;
  /** SHA-256 of the message without its `ref`, in hexadecimal. It never holds the text itself. */
  readonly digest: string;
  /** Random part of the webhook's URL: 128 bits in base64url, new for each item. */
  readonly ref: string;
  /** Id of the run. */
  readonly owner: string;
  /** Time of the claim, ISO 8601. */
  readonly at: string;
}

/** Result of a claim. */
export interface LedgerResult {
  /** New state of the key. */
  readonly state: Exclude<LedgerState, "sending">;
  /** The service's id of the message, if it was accepted. */
  readonly transactionId?: string | undefined;
  /** Code of the error, if the send failed. */
  readonly code?: string | undefined;
}

/** One key of one batch: its latest claim, with the state and the result. */
export interface LedgerEntry extends LedgerClaim {
  /** State of the key. */
  readonly state: LedgerState;
  /** The service's id of the message, if known. */
  readonly transactionId?: string | undefined;
  /** Code of the error, if the send failed. */
  readonly code?: string | undefined;
}

/** Entries to iterate over. */
export interface LedgerFilter {
  /** Name of a batch. Default: every batch. */
  readonly batch?: string | undefined;
  /** States of the entries. Default: every state. */
  readonly states?: readonly LedgerState[] | undefined;
  /** Time before which the entries were claimed. Default: any. */
  readonly before?: Date | undefined;
}

/** Entries to delete. */
export interface ForgetFilter {
  /** Name of a batch. */
  readonly batch: string;
  /** Time before which the entries were claimed. Default: any. */
  readonly before?: Date | undefined;
}

const FILTER: OptionNames<LedgerFilter> = { batch: true, states: true, before: true };
const FORGET_FILTER: OptionNames<ForgetFilter> = { batch: true, before: true };

/** Filter of entries whose values are checked; `before` is in ISO 8601, like the time of a claim. */
export interface EntryFilter {
  readonly batch: string | undefined;
  readonly states: readonly LedgerState[] | undefined;
  readonly before: string | undefined;
}

/** @throws TypeError when a value is malformed: a filter that is ignored would forget or decide too much. */
const toEntryFilter = ({ batch, states, before }: LedgerFilter): EntryFilter => {
  if (batch !== undefined && typeof batch !== "string") throw invalidOption("batch", "a string");
  if (states !== undefined && !Object(states).every?.(isState)) {
    throw invalidOption("states", `a list of ${LEDGER_STATES.join(", ")}`);
  }
  if (before !== undefined && !(before instanceof Date && Number.isFinite(before.getTime()))) {
    throw invalidOption("before", "a valid Date");
  }
  return { batch, states, before: before?.toISOString() };
};

const isState = (value: unknown): value is LedgerState =>
  LEDGER_STATES.some((state) => state === value);

/** Checks the filter of `entries`. */
export const checkFilter = (filter: LedgerFilter = {}): EntryFilter =>
  toEntryFilter(assertOptions("filter", filter, FILTER));

/** Checks the filter of `forget`. */
export const checkForgetFilter = (filter: ForgetFilter): EntryFilter & { batch: string } => {
  const { batch } = assertOptions("filter", filter, FORGET_FILTER);
  if (typeof batch !== "string") throw invalidOption("batch", "a string");
  return { ...toEntryFilter(filter), batch };
};

/**
 * Record of the keys that were sent, across crashes and machines.
 *
 * Each method is one atomic step, and its effect is durable when its promise resolves. `ledgerChecks` of
 * `messaging-service-client/testing` tests exactly the two tables below.
 *
 * | found at a claim | then |
 * |---|---|
 * | nothing, or `open` | claimed: `sending` |
 * | `rejected`, another digest | claimed |
 * | `rejected`, the same digest | not claimed: `rejected_before` |
 * | `sending` with the same `ref` (a repeated removal) | claimed |
 * | `accepted` or `sending` of the same `owner` | not claimed: `duplicate` |
 * | `accepted` of another owner: the same digest; another digest | not claimed: `accepted_before`; `changed` |
 * | `sending` of another owner, `unknown` | not claimed: `in_doubt` |
 *
 * | step | changes an entry if |
 * |---|---|
 * | `settle` as `open`, `rejected`, `unknown` | the entry is `sending`, and its claim has this `id` |
 * | `settle` as `accepted` | always: a late success is still a success. A known `transactionId` stays |
 * | `settle` as `accepted` or `unknown`, no entry | the entry is written again: a database that lost the claim (a failover, a restore) is healed |
 * | `confirm` | the entry is neither `rejected` nor `accepted` |
 * | `resolve` as `accepted` | the entry is `sending` or `unknown` |
 * | `resolve` as `open` | the entry is `sending`, `unknown` or `rejected` |
 */
export interface Ledger {
  /** Returns the entry of a key. A run asks before it queues, so a settled key takes no slot of the throttle. */
  find(batch: string, key: string): Promise<LedgerEntry | undefined>;
  /** Takes a key, atomically and durably. Resolves to the entry that stands in the way, or to nothing. */
  claim(claim: LedgerClaim): Promise<LedgerEntry | undefined>;
  /**
   * Records the result of a claim. Resolves to whether the ledger holds it now: `true` if the entry is of this claim and in
   * this state, whether this call or an earlier one that lost its response has brought it there, and always for
   * `accepted`. `false` is no failure. It says that nothing was changed, because a webhook or a person has decided
   * otherwise, a later claim has taken the key, or there is no entry to open or reject.
   */
  settle(claim: LedgerClaim, result: LedgerResult): Promise<boolean>;
  /** Records a person's decision. Resolves to whether it changed anything. */
  resolve(batch: string, key: string, as: "accepted" | "open"): Promise<boolean>;
  /**
   * Records that a webhook arrived at the URL with this `ref`, which proves that the service accepted the message.
   * Resolves to its entry, if there is one.
   */
  confirm(
    ref: string,
    details?: { readonly transactionId?: string | undefined },
  ): Promise<LedgerEntry | undefined>;
  /**
   * Iterates over entries, the oldest claim first. An entry that is claimed again during the iteration may come again.
   */
  entries(filter?: LedgerFilter): AsyncIterable<LedgerEntry>;
  /** Counts the entries of a batch by state; a state without entries counts 0. */
  counts(batch: string): Promise<Record<LedgerState, number>>;
  /**
   * Deletes the entries of a batch, or those that were claimed before a time, in steps that block nobody. Their keys can
   * then be sent again. Resolves to their number.
   */
  forget(filter: ForgetFilter): Promise<number>;
  /** Closes what the ledger itself opened; a handle that was passed in stays open. */
  close(): Promise<void>;
}

/** Result of a claim: the key is taken, or the reason why it is not. */
export type ClaimResult =
  | "claimed"
  | "accepted_before"
  | "rejected_before"
  | "duplicate"
  | "changed"
  | "in_doubt";

/** Decides a claim by the entry that was found for its key. */
export const toClaimResult = (
  found: LedgerEntry | undefined,
  claim: Pick<LedgerClaim, "digest" | "ref" | "owner">,
): ClaimResult => {
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
    // So is a state that this version does not know: a ledger may be newer, or written by others.
    default:
      return "in_doubt";
  }
};

/** Returns whether the message of an entry may have been sent. */
const isInDoubt = ({ state }: LedgerEntry): boolean => state === "sending" || state === "unknown";

/** Returns an entry in another state; a known `transactionId` stays. */
const inState = (
  { code: _, transactionId: known, ...claim }: LedgerEntry,
  { state, transactionId, code }: Pick<LedgerEntry, "state" | "transactionId" | "code">,
): LedgerEntry => given({ ...claim, state, transactionId: known ?? transactionId, code });

/** Returns the entry after `settle`; `undefined` if the step changes nothing. */
export const toSettledEntry = (
  found: LedgerEntry | undefined,
  claim: LedgerClaim,
  result: LedgerResult,
): LedgerEntry | undefined => {
  const { state } = result;
  if (!found) {
    if (state !== "accepted" && state !== "unknown") return undefined;
    return inState({ ...claim, state }, result);
  }
  const isOwn = found.state === "sending" && found.id === claim.id;
  return isOwn || state === "accepted" ? inState(found, result) : undefined;
};

/** Returns whether a ledger holds the result of a claim: what `settle` resolves to. */
export const holdsResult = (
  found: LedgerEntry | undefined,
  claim: LedgerClaim,
  { state }: LedgerResult,
): boolean => found?.state === state && (state === "accepted" || found.id === claim.id);

/** Returns the entry after `resolve`; `undefined` if the step changes nothing. */
export const toResolvedEntry = (
  found: LedgerEntry,
  as: "accepted" | "open",
): LedgerEntry | undefined =>
  isInDoubt(found) || (as === "open" && found.state === "rejected")
    ? inState(found, { state: as })
    : undefined;

/** Returns the entry after `confirm`; `undefined` if the step changes nothing. */
export const toConfirmedEntry = (
  found: LedgerEntry,
  details: { readonly transactionId?: string | undefined } = {},
): LedgerEntry | undefined =>
  found.state === "rejected" || found.state === "accepted"
    ? undefined
    : inState(found, { ...details, state: "accepted" });
