import type { AnyMessagingServiceError, ValidationError } from "../core/errors.ts";

/** Fields that only some results have. They are absent from the others, and can be read from every result. */
interface NoDetails {
  readonly reason?: undefined;
  readonly transactionId?: undefined;
  readonly error?: undefined;
  readonly note?: undefined;
  readonly at?: undefined;
  readonly recorded?: undefined;
}

type Case<Fields> = Readonly<Fields> & Omit<NoDetails, keyof Fields>;

/** Result of one item of a run: a union discriminated by `state`, and by `reason` for a skipped item. */
export type ItemResult<Item> = {
  /** The item, as the input gave it. */
  readonly item: Item;
  /** Key of the item in the batch; absent if it is not known, for example because the phone number is invalid. */
  readonly key?: string;
} & (
  | Case<{
      /** The service accepted the item in this run. */
      state: "accepted";
      /** The service's id of the message; absent for a removal, and if it is not known, such as if a person confirmed the message. */
      transactionId?: string;
      /** Error of an accepted item. With `responseValidation: "strict"`, for example, its response was not as documented. */
      error?: AnyMessagingServiceError;
      /** `false` if the ledger did not record this result; otherwise absent. */
      recorded?: false;
    }>
  | Case<{
      /**
       * `rejected`: the service refused the item. If the response has the documented errors, the content stays refused;
       * otherwise the key stays open. `not_sent`: this run did not send the item; for example, the connection or the ledger
       * failed. `unknown`: the item may have been sent in this run.
       */
      state: "rejected" | "not_sent" | "unknown";
      /** Error with the response of the service, or with what went wrong. */
      error: AnyMessagingServiceError;
      /** `false` if the ledger did not record this result; otherwise absent. */
      recorded?: false;
    }>
  | Case<{
      /** The message breaks a rule. Nothing was sent. */
      state: "invalid";
      /** Error with one issue for each rule that the message breaks. */
      error: ValidationError;
    }>
  | Case<{
      /** The item was not tried. */
      state: "skipped";
      /** `accepted_before`: another run sent the item. `changed`: another run sent a different message with its key. */
      reason: "accepted_before" | "changed";
      /** The service's id of the message that was sent before, if known. */
      transactionId?: string;
    }>
  | Case<{
      /** The item was not tried. */
      state: "skipped";
      /**
       * `rejected_before`: the service refused this content before. `duplicate`: an earlier item of this run has the same key,
       * which was sent (in this or another run), was refused, or is in doubt.
       */
      reason: "rejected_before" | "duplicate";
    }>
  | Case<{
      /** The item was not tried. */
      state: "skipped";
      /**
       * Another run may have sent the item. Its result is `unknown`, or was not recorded within the time that its call may take.
       */
      reason: "in_doubt";
      /** Time at which that run began the item, ISO 8601. */
      at: string;
    }>
  | Case<{
      /** The item was not tried. */
      state: "skipped";
      /** `skip` returned a note, or the client's `allowRecipient` did not permit the phone number. */
      reason: "excluded";
      /** Note from `skip`, or a note that `allowRecipient` did not permit the phone number. */
      note: string;
    }>
);

type WithoutItem<Result> = Result extends unknown ? Omit<Result, "item" | "key"> : never;

/** Result of an item without the item and its key. */
export type ItemOutcome = WithoutItem<ItemResult<unknown>>;

export type ItemState = ItemOutcome["state"];

export type SkipReason = NonNullable<ItemOutcome["reason"]>;

/** Number of items by result: the same shape in a summary, in progress and in a preview. */
export interface RunCounts {
  /** Items with a result. */
  readonly done: number;
  /** Items that the service accepted. */
  readonly accepted: number;
  /** Items that the service refused. */
  readonly rejected: number;
  /** Items that break a rule. */
  readonly invalid: number;
  /** Items that this run could not send. */
  readonly notSent: number;
  /** Items that may have been sent in this run. */
  readonly unknown: number;
  /** Items that were not tried. */
  readonly skipped: number;
  /**
   * Number of keys, and so of people, that may or may not have been texted. Each key counts once. Alert on this number. Before
   * the summary, up to a thousand of these keys are looked up once more. If a webhook has confirmed one in the meantime, an item
   * that was reported as `unknown` counts as `accepted` there.
   */
  readonly inDoubt: number;
  /** The skipped items by reason. */
  readonly skippedBy: {
    /** Items that another run sent. */
    readonly acceptedBefore: number;
    /** Items whose content the service refused before. */
    readonly rejectedBefore: number;
    /** Items with the key of an earlier item of the run, if that key was sent, was refused, or is in doubt. */
    readonly duplicate: number;
    /** Items whose key was used for a different message in this batch. */
    readonly changed: number;
    /** Items that another run began and whose result is not known. */
    readonly inDoubt: number;
    /** Items that `skip` or the client's `allowRecipient` excluded. */
    readonly excluded: number;
  };
}

/** Progress of a run. */
export interface RunProgress extends RunCounts {
  /** Number of items of the input, if known. */
  readonly total?: number;
  /** End of the current pause; absent unless the run is paused. */
  readonly pausedUntil?: Date;
  /** Number of items that wait because their keys are in progress in other runs; absent if there are none. */
  readonly waiting?: number;
}

/**
 * Reason why a run ended before the end of its input.
 *
 * - `signal`: `stop` or `signal` fired.
 * - `deadline`: the `deadline` has passed.
 * - `left`: the caller left the loop over its results.
 * - `credentials`: the service refused the API key with 401, or with 403 before the run's first success. A later 403 counts as a
 *   failure of its item, for example because a firewall refuses one text.
 * - `endpoint`: the base URL is probably wrong, because a 404, 405, 410 or redirect came before the run's first success. For a
 *   removal, a 404 counts as a failure instead, until a removal of the run has succeeded.
 * - `failures`: `stopAfterFailures` items in a row failed.
 * - `rate_limit`: a pause after a 429 or a `ThrottleError` would exceed `maxPause`.
 * - `ledger`: the ledger failed.
 */
export type StopReason =
  | "signal"
  | "deadline"
  | "left"
  | "credentials"
  | "endpoint"
  | "failures"
  | "rate_limit"
  | "ledger";

/** Summary of a run. */
export interface RunSummary extends RunCounts {
  /** Reason why the run ended early; absent if nothing stopped it before every item had its result. */
  readonly stopped?: StopReason;
  /** Error that stopped the run; or, if every item is `invalid`, `changed` or `duplicate`, the reason why the first was not sent. */
  readonly error?: AnyMessagingServiceError;
}
