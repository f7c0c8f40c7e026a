import type { AnyMessagingServiceError } from "../../errors/any-error.ts";

/**
 * What became of an item.
 *
 * - `accepted`: the service took it now.
 * - `rejected`: the service refused it.
 * - `not_sent`: nothing left: a rule failed, no connection was made, or the ledger failed.
 * - `unknown`: it may have been sent, just now.
 * - `skipped`: it was not tried; the `reason` says why.
 */
export type ItemState = "accepted" | "rejected" | "not_sent" | "unknown" | "skipped";

/**
 * Why an item was skipped.
 *
 * - `accepted_before`: an earlier run sent it.
 * - `rejected_before`: the service refused this very content before.
 * - `duplicate`: this run had the key already.
 * - `changed`: the key was used in this batch for another message.
 * - `in_doubt`: an earlier or another run began it, and its end is not known.
 * - `excluded`: `skip` gave a reason, which is the `note`.
 */
export type SkipReason =
  | "accepted_before"
  | "rejected_before"
  | "duplicate"
  | "changed"
  | "in_doubt"
  | "excluded";

/** What became of one item of a run. */
export interface ItemResult<Item> {
  /** The item, as the input gave it. */
  readonly item: Item;
  /** Its key in the batch; absent where it has no valid phone number and no key of its own. */
  readonly key?: string;
  /** What became of it. */
  readonly state: ItemState;
  /** Why it was skipped. */
  readonly reason?: SkipReason;
  /** What `skip` said of it. */
  readonly note?: string;
  /** The service's id of the message, from now or from the earlier run that sent it. */
  readonly transactionId?: string;
  /** Why it was refused or not sent, or may have been sent. */
  readonly error?: AnyMessagingServiceError;
  /** `false` where the ledger failed to record this end, so that the key is in doubt there; otherwise absent. */
  readonly recorded?: false;
}

/** How many items ended in which way. */
export interface RunCounts {
  /** Items with a result. */
  readonly done: number;
  /** Items that the service took. */
  readonly accepted: number;
  /** Items that the service refused. */
  readonly rejected: number;
  /** Items of which nothing left. */
  readonly notSent: number;
  /** Items that may have been sent, just now. */
  readonly unknown: number;
  /** Items that were not tried. */
  readonly skipped: number;
}

/** How far a run has come. */
export interface RunProgress extends RunCounts {
  /** Items that may have been sent, now or by an earlier or another run. */
  readonly inDoubt: number;
  /** Number of items of the input, where known. */
  readonly total?: number;
}

/**
 * Why a run ended before its input.
 *
 * - `signal`: `stop` or `signal` fired.
 * - `deadline`: its `deadline` has passed.
 * - `credentials`: the service refused the API key (401 or 403), which would meet every item alike.
 * - `unknown`: `stopAfterUnknown` items in a row ended unknown.
 * - `rate_limit`: the service or the throttle asked for a pause longer than `maxPause`.
 * - `ledger`: the ledger failed.
 * - `left`: the loop over its results was left.
 */
export type StopReason =
  | "signal"
  | "deadline"
  | "credentials"
  | "unknown"
  | "rate_limit"
  | "ledger"
  | "left";

/** What a run resolves to. */
export interface RunSummary extends RunCounts {
  /** Why it ended before its input; absent where every item has a result. */
  readonly stopped?: StopReason;
  /** The error that stopped it. */
  readonly error?: AnyMessagingServiceError;
}
