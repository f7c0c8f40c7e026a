import type { AnyMessagingServiceError } from "../../errors.ts";

/**
 * State of an item at the end of a run.
 *
 * - `accepted`: the service accepted it now.
 * - `rejected`: the service refused it.
 * - `not_sent`: nothing was sent: a rule failed, no connection was made, or the ledger failed.
 * - `unknown`: it may have been sent in this run.
 * - `skipped`: it was not tried, for the given `reason`.
 */
export type ItemState = "accepted" | "rejected" | "not_sent" | "unknown" | "skipped";

/**
 * Reason why an item was skipped.
 *
 * - `accepted_before`: an earlier run sent it.
 * - `rejected_before`: the service refused this exact content before.
 * - `duplicate`: this run had the key already.
 * - `changed`: the key was used in this batch for another message.
 * - `in_doubt`: an earlier or concurrent run began it, and its result is not known.
 * - `excluded`: `skip` gave a reason, which is the `note`.
 */
export type SkipReason =
  | "accepted_before"
  | "rejected_before"
  | "duplicate"
  | "changed"
  | "in_doubt"
  | "excluded";

/** Result of one item of a run. */
export interface ItemResult<Item> {
  /** The item, as the input gave it. */
  readonly item: Item;
  /** Key of the item in the batch; absent if it has neither a valid phone number nor a key of its own. */
  readonly key?: string;
  /** State of the item. */
  readonly state: ItemState;
  /** Reason why the item was skipped. */
  readonly reason?: SkipReason;
  /** Note that `skip` returned. */
  readonly note?: string;
  /** The service's id of the message, from now or from the earlier run that sent it. */
  readonly transactionId?: string;
  /** Error that made the item `rejected`, `not_sent` or `unknown`. */
  readonly error?: AnyMessagingServiceError;
  /** `false` if the ledger failed to record this result, so that the key is in doubt there; otherwise absent. */
  readonly recorded?: false;
}

/** Number of items by result. */
export interface RunCounts {
  /** Number of items with a result. */
  readonly done: number;
  /** Number of items that the service accepted. */
  readonly accepted: number;
  /** Number of items that the service refused. */
  readonly rejected: number;
  /** Number of items of which nothing was sent. */
  readonly notSent: number;
  /** Number of items that may have been sent in this run. */
  readonly unknown: number;
  /** Number of items that were not tried. */
  readonly skipped: number;
}

/** Progress of a run. */
export interface RunProgress extends RunCounts {
  /** Number of items in doubt: they may have been sent, by this run or by an earlier or concurrent one. */
  readonly inDoubt: number;
  /** Number of items of the input, if known. */
  readonly total?: number;
}

/**
 * Reason why a run ended before its input.
 *
 * - `signal`: `stop` or `signal` fired.
 * - `deadline`: its `deadline` has passed.
 * - `credentials`: the service refused the API key (401 or 403), which would meet every item alike.
 * - `unknown`: `stopAfterUnknown` items in a row ended as `unknown`.
 * - `rate_limit`: the service or the throttle asked for a pause longer than `maxPause`.
 * - `ledger`: the ledger failed.
 * - `left`: the caller left the loop over its results.
 */
export type StopReason =
  | "signal"
  | "deadline"
  | "credentials"
  | "unknown"
  | "rate_limit"
  | "ledger"
  | "left";

/** Summary of a run. */
export interface RunSummary extends RunCounts {
  /** Reason why the run ended before its input; absent if every item has a result. */
  readonly stopped?: StopReason;
  /** Error that stopped the run. */
  readonly error?: AnyMessagingServiceError;
}
