import { invalidOption, or, readOptions, withoutUndefined } from "../../core/options.ts";
import { isDate } from "../../core/rules/dates.ts";

export const LEDGER_STATES = ["sending", "accepted", "rejected", "open", "unknown"] as const;

/**
 * State of a key in a ledger.
 *
 * - `sending`: a request may be on the wire now, or its result was lost.
 * - `accepted`: the service accepted the request.
 * - `rejected`: the service rejected this exact content.
 * - `open`: not sent, or reopened, so the key may be sent.
 * - `unknown`: the request may have been sent.
 */
export type LedgerState = (typeof LEDGER_STATES)[number];

export const IN_DOUBT: readonly LedgerState[] = ["sending", "unknown"];

export const noCounts = (): Record<LedgerState, number> => {
  return { sending: 0, accepted: 0, rejected: 0, open: 0, unknown: 0 };
};

/** Claim of a key, made right before each attempt. */
export interface LedgerClaim {
  /** Id of this claim: 132 random bits in base64url, new for each attempt. */
  readonly id: string;
  /** Name of the job, 1 to 1024 bytes in UTF-8. Names are compared exactly: case, spaces and Unicode forms count. */
  readonly batch: string;
  /** Key within the batch, 1 to 1024 bytes in UTF-8, compared exactly: the phone number, unless the caller chose a key. */
  readonly key: string;
  /** SHA-256 of the message without its `ref`, in hexadecimal. The text itself is never stored. */
  readonly digest: string;
  /** Random id for the webhook URL of the message: 132 bits in base64url, new for each item. */
  readonly ref: string;
  /** Id of the run, or of the `sendOnce` call, that made the claim: 132 random bits in base64url. */
  readonly owner: string;
}

/** Result of a claim. */
export interface LedgerResult {
  /** New state of the key. */
  readonly state: Exclude<LedgerState, "sending">;
  /** The service's id of the message, if it was accepted and the id is known. */
  readonly transactionId?: string | undefined;
  /** Code of the error, if the send failed. */
  readonly code?: string | undefined;
}

/** One key of one batch: its latest claim, with the state and the result. A ledger may add its own fields. */
export interface LedgerEntry extends LedgerClaim, Omit<LedgerResult, "state"> {
  /** State of the key. */
  readonly state: LedgerState;
  /** Time of the claim by the ledger's clock, ISO 8601 in UTC. */
  readonly at: string;
  /** Time since the claim in milliseconds, by the same clock, so machines whose clocks differ agree on it. */
  readonly ageMs: number;
}

export type StoredEntry = Omit<LedgerEntry, "ageMs">;

export type LedgerFilter = NonNullable<Parameters<Ledger["entries"]>[0]>;
export type ForgetFilter = Parameters<Ledger["forget"]>[0];

/** Start of the year 10000 in epoch milliseconds. From then on, ISO 8601 strings no longer sort by time. */
const END_OF_TIMES = 253_402_300_800_000;

/** Checked filter. `before` is an ISO 8601 string, so it can be compared with the time of a claim. */
export interface EntryFilter {
  readonly batch: string | undefined;
  readonly states?: readonly LedgerState[] | undefined;
  readonly before: string | undefined;
}

const assertBatch = (name: string, batch: string): string => {
  if (typeof batch === "string") return batch;
  throw invalidOption(name, "a string");
};

const assertStates = (name: string, states: readonly LedgerState[]): readonly LedgerState[] => {
  if (Object(states).every?.((state: LedgerState) => LEDGER_STATES.includes(state))) return states;
  throw invalidOption(name, `a list of ${LEDGER_STATES.join(", ")}`);
};

const toIsoTime = (name: string, date: Date): string => {
  if (isDate(date) && date.getTime() < END_OF_TIMES) return date.toISOString();
  throw invalidOption(name, "a valid Date before the year 10000");
};

/** @throws TypeError if a value is malformed, because ignoring it could resolve too many entries. */
export const checkFilter = (filter: LedgerFilter = {}): EntryFilter =>
  readOptions("filter", filter, {
    batch: or(assertBatch),
    states: or(assertStates),
    before: or(toIsoTime),
  });

/** @throws TypeError if a value is malformed, because ignoring it could delete too many entries. */
export const checkForgetFilter = (filter: ForgetFilter) =>
  readOptions("filter", filter, { batch: assertBatch, before: or(toIsoTime) });

/**
 * Store that records each key before and after its request, so no key is sent twice after a crash or by a second machine.
 *
 * Each method is one atomic step, and its effect is durable when its promise resolves. If you write your own ledger,
 * `ledgerChecks` of `messaging-service-client/testing` tests it against the two tables below.
 *
 * | found at a claim | then |
 * |---|---|
 * | nothing, or `open` | claimed: `sending` |
 * | `rejected`, a different digest | claimed |
 * | `rejected`, the same digest | not claimed: `rejected_before` |
 * | `sending` with the same `ref` (a repeated removal) | claimed |
 * | `accepted` or `sending` of the same `owner` | not claimed: `duplicate` |
 * | `accepted` of a different owner, the same digest | not claimed: `accepted_before` |
 * | `accepted` of a different owner, a different digest | not claimed: `changed` |
 * | `sending` of a different owner, `unknown` | not claimed: `in_doubt` |
 *
 * | step | changes an entry if |
 * |---|---|
 * | `settle` as `open`, `rejected`, `unknown` | the entry is `sending`, and its claim has this `id` |
 * | `settle` as `accepted` | always, because a late success is still a success. A known `transactionId` stays |
 * | `settle` as `accepted` or `unknown`, no entry | always. The entry is written again, because the database lost the claim in a failover or a restore |
 * | `confirm` | the entry is neither `rejected` nor `accepted` |
 * | `resolve` with an `id` | the entry's claim has this `id`, and the row below allows it |
 * | `resolve` as `accepted` | the entry is `sending` or `unknown` |
 * | `resolve` as `open` | the entry is `sending`, `unknown` or `rejected` |
 *
 * A claim that is granted replaces the whole entry. The other steps keep the claim of the entry and a known `transactionId`; they
 * replace the `state` and the `code`, or remove the `code` if they have none.
 */
export interface Ledger {
  /** Resolves to the entry of a key. A run looks a key up before it queues, so a settled key takes no slot of the throttle. */
  find(batch: string, key: string): Promise<LedgerEntry | undefined>;
  /**
   * Claims a key, atomically and durably, at the time of the ledger's clock. Resolves to the entry that prevents the claim, or to
   * `undefined` if the claim was granted.
   */
  claim(claim: LedgerClaim): Promise<LedgerEntry | undefined>;
  /**
   * Records the result of a claim. Resolves to whether the ledger now contains the result: always `true` for `accepted`,
   * otherwise `true` if the entry has this claim's `id` and this state. An earlier call whose response was lost may have
   * recorded it. `false` is not a failure. Nothing was changed, because a webhook or a person decided otherwise, a
   * later claim took the key, or there is no entry to open or reject.
   */
  settle(claim: LedgerClaim, result: LedgerResult): Promise<boolean>;
  /**
   * Records a decision about a key. Resolves to whether the entry was changed.
   *
   * A claim that is less than ten minutes old may be on the wire. The command refuses to open such a key; this method does not.
   *
   * @param id Id of the claim that the decision is about, from an entry that was read before. If the key has been claimed
   * again since, nothing changes. Default: the current claim of the entry.
   */
  resolve(batch: string, key: string, as: "accepted" | "open", id?: string): Promise<boolean>;
  /**
   * Records that a webhook arrived at the URL with this `ref`, so the service has accepted the message. `transactionId` is
   * the service's id of the message, if the webhook states it. Resolves to the entry with this `ref`, if there is one.
   */
  confirm(
    ref: string,
    details?: { readonly transactionId?: string | undefined },
  ): Promise<LedgerEntry | undefined>;
  /**
   * Iterates over entries, oldest claim first. You can change entries during the iteration and leave the loop early. An entry
   * that is claimed again in the meantime may appear twice.
   */
  entries(filter?: {
    /** Name of a batch. Default: every batch. */
    readonly batch?: string | undefined;
    /** States of the entries; an empty list matches no entry. Default: every state. */
    readonly states?: readonly LedgerState[] | undefined;
    /** Time before which the entries were claimed. Default: no limit. */
    readonly before?: Date | undefined;
  }): AsyncIterable<LedgerEntry>;
  /** Resolves to the number of entries of a batch in each state; a state without entries has 0. */
  counts(batch: string): Promise<Record<LedgerState, number>>;
  /**
   * Deletes the entries that match the filter, in steps that are short enough to block no other work. The deleted keys can
   * then be sent again. Resolves to the number of deleted entries.
   */
  forget(filter: {
    /** Name of a batch. */
    readonly batch: string;
    /** Time before which the entries were claimed. Default: no limit. */
    readonly before?: Date | undefined;
  }): Promise<number>;
  /** Closes what the ledger itself opened; a handle that was passed in stays open. A second call does nothing. */
  close(): Promise<void>;
}

export type ClaimResult =
  | "claimed"
  | "accepted_before"
  | "rejected_before"
  | "duplicate"
  | "changed"
  | "in_doubt";

export const toClaimResult = (
  found: StoredEntry | undefined,
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
    // `unknown`, or a state of a newer version or of a ledger that is not part of this package.
    default:
      return "in_doubt";
  }
};

/** Returns an entry in a new state. Keeps a known `transactionId`. */
const inState = (
  { code: _, transactionId: known, ...claim }: StoredEntry,
  { state, transactionId, code }: Pick<LedgerEntry, "state" | "transactionId" | "code">,
): StoredEntry =>
  withoutUndefined({ ...claim, state, transactionId: known ?? transactionId, code });

/** Returns the entry after `settle`; `undefined` if nothing changes. A lost entry is written again with the time `at`. */
export const toSettledEntry = (
  found: StoredEntry | undefined,
  claim: LedgerClaim,
  result: LedgerResult,
  at: string,
): StoredEntry | undefined => {
  const { state } = result;
  if (!found) {
    if (state !== "accepted" && state !== "unknown") return undefined;
    return inState({ ...claim, state, at }, result);
  }
  const isOwn = found.state === "sending" && found.id === claim.id;
  return isOwn || state === "accepted" ? inState(found, result) : undefined;
};

/** Returns whether an entry contains the result of a claim. `settle` resolves to this value. */
export const holdsResult = (
  found: StoredEntry | undefined,
  claim: LedgerClaim,
  { state }: LedgerResult,
): boolean => found?.state === state && (state === "accepted" || found.id === claim.id);

export const toResolvedEntry = (
  found: StoredEntry,
  as: "accepted" | "open",
  id = found.id,
): StoredEntry | undefined => {
  const { state } = found;
  const isDecidable = IN_DOUBT.includes(state) || (as === "open" && state === "rejected");
  return isDecidable && found.id === id ? inState(found, { state: as }) : undefined;
};

export const toConfirmedEntry = (
  found: StoredEntry,
  details: { readonly transactionId?: string | undefined } = {},
): StoredEntry | undefined =>
  found.state === "rejected" || found.state === "accepted"
    ? undefined
    : inState(found, { ...details, state: "accepted" });
