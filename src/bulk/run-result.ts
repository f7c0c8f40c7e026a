import { type AnyMessagingServiceError, ApiError, ValidationError } from "../errors.ts";
import { isDocumentedRefusal } from "../responses/response-error.ts";
import type { LedgerResult } from "./ledger.ts";

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

/** End of one item of a run: a union discriminated by `state`, and by `reason` for a skipped item. */
export type ItemEnd =
  | Case<{
      /** The service accepted the item in this run. */
      state: "accepted";
      /** The service's id of the message; absent for a removal. */
      transactionId?: string;
      /** Error of an accepted item: with `responseValidation: "strict"`, for example, its response was not as documented. */
      error?: AnyMessagingServiceError;
      /** `false` if the ledger could not record this result; otherwise absent. */
      recorded?: false;
    }>
  | Case<{
      /**
       * `rejected`: the service refused it. If the response has the documented errors, the content stays refused; otherwise
       * the key stays open. `not_sent`: nothing reached the service, for example because the connection or the ledger failed.
       * `unknown`: it may have been sent in this run.
       */
      state: "rejected" | "not_sent" | "unknown";
      /** Error that says what the service responded, or what went wrong. */
      error: AnyMessagingServiceError;
      /** `false` if the ledger could not record this result; otherwise absent. */
      recorded?: false;
    }>
  | Case<{
      /** The message breaks a documented rule. Nothing was sent. */
      state: "invalid";
      /** Error with one issue for each rule that the message breaks. */
      error: ValidationError;
    }>
  | Case<{
      /** The item was not tried. */
      state: "skipped";
      /** `accepted_before`: an earlier run sent it. `changed`: a different message was sent under its key in this batch. */
      reason: "accepted_before" | "changed";
      /** The service's id of the message that was sent before, if known. */
      transactionId?: string;
    }>
  | Case<{
      /** The item was not tried. */
      state: "skipped";
      /**
       * `rejected_before`: the service refused this content before. `duplicate`: this run sent an earlier item with the same
       * key. If an earlier run sent it, both items are `accepted_before` or `changed`.
       */
      reason: "rejected_before" | "duplicate";
    }>
  | Case<{
      /** The item was not tried. */
      state: "skipped";
      /** An earlier or concurrent run began it, and recorded no result within the time that its call may take. */
      reason: "in_doubt";
      /** Time at which it was begun, ISO 8601. */
      at: string;
    }>
  | Case<{
      /** The item was not tried. */
      state: "skipped";
      /** `skip` returned a note, or the client's `allowRecipient` did not permit the phone. */
      reason: "excluded";
      /** Note that `skip` returned, or that `allowRecipient` did not permit the phone. */
      note: string;
    }>;

/** Result of one item of a run: its end, discriminated by `state` and `reason`, with the item and its key. */
export type ItemResult<Item> = {
  /** The item, as the input gave it. */
  readonly item: Item;
  /** Key of the item in the batch; absent if it has neither a valid phone number nor a key of its own. */
  readonly key?: string;
} & ItemEnd;

/** State of an item at the end of a run: see {@link ItemResult}. */
export type ItemState = ItemEnd["state"];

/** Reason why an item was skipped: see {@link ItemResult}. */
export type SkipReason = NonNullable<ItemEnd["reason"]>;

/** Number of skipped items by reason. */
export interface SkipCounts {
  /** Items that an earlier run sent. */
  readonly acceptedBefore: number;
  /** Items whose content the service refused before. */
  readonly rejectedBefore: number;
  /** Items with the key of an earlier item that the same run sent. After a resume, they count as `acceptedBefore` or `changed`. */
  readonly duplicate: number;
  /** Items whose key was used for a different message in this batch. */
  readonly changed: number;
  /** Items that an earlier or concurrent run began, and whose result is not known. */
  readonly inDoubt: number;
  /** Items that `skip` or the client's `allowRecipient` left out. */
  readonly excluded: number;
}

/** Number of items by result: the same shape in a summary, in progress and in a preview. */
export interface RunCounts {
  /** Items with a result. */
  readonly done: number;
  /** Items that the service accepted. */
  readonly accepted: number;
  /** Items that the service refused. */
  readonly rejected: number;
  /** Items that break a documented rule. */
  readonly invalid: number;
  /** Items that did not reach the service. */
  readonly notSent: number;
  /** Items that may have been sent in this run. */
  readonly unknown: number;
  /** Items that were not tried. */
  readonly skipped: number;
  /** People who may or may not have been texted: `unknown` plus `skippedBy.inDoubt`. Alert on this number. */
  readonly inDoubt: number;
  /** The skipped items by reason. */
  readonly skippedBy: SkipCounts;
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
 * Reason why a run ended before its input.
 *
 * - `signal`: `stop` or `signal` fired.
 * - `deadline`: its `deadline` has passed.
 * - `left`: the caller left the loop over its results.
 * - `credentials`: the service refused the API key: 401, or 403 before anything was accepted. Later, a 403 is a failure of
 *   its item, such as a firewall that refuses one text.
 * - `endpoint`: 404, 405, 410 or a redirect before anything was accepted: the base URL is wrong. For a removal, a 404 is a
 *   failure instead.
 * - `failures`: `stopAfterFailures` items in a row failed.
 * - `rate_limit`: the service or the throttle asked for a pause longer than `maxPause`.
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
  /** Error that stopped the run. */
  readonly error?: AnyMessagingServiceError;
}

/** Result of a call, for the caller and for the ledger. */
export interface CallResult {
  readonly state: "accepted" | "rejected" | "not_sent" | "unknown";
  readonly ledgerState: LedgerResult["state"];
  readonly transactionId?: string | undefined;
}

/**
 * Returns whether the service refused the content in its documented way: a 400 or 422 with `errors` of the documented
 * shape. Any other refusal, such as the HTML page of a gateway, says nothing about the content.
 */
export const isContentRefused = (error: AnyMessagingServiceError): boolean =>
  ValidationError.is(error)
    ? error.source === "service"
    : ApiError.is(error) &&
      (error.status === 400 || error.status === 422) &&
      isDocumentedRefusal(error.body);

/** Reads the id from the body of a send that was accepted, although a field of the response was not as documented. */
const parseTransactionId = (error: AnyMessagingServiceError): string | undefined => {
  try {
    const { transactionId } = JSON.parse(String("body" in error ? error.body : ""));
    return typeof transactionId === "string" ? transactionId : undefined;
  } catch {
    return undefined;
  }
};

/** Reads the result of a call from the error that ended it. */
export const toCallResult = (error: AnyMessagingServiceError): CallResult => {
  const { outcome } = error;
  switch (outcome) {
    case "done":
      return {
        ...{ state: "accepted", ledgerState: "accepted" },
        transactionId: parseTransactionId(error),
      };
    case "unknown":
      return { state: outcome, ledgerState: outcome };
    case "not_sent":
      return { state: outcome, ledgerState: "open" };
    case "rejected":
      return { state: outcome, ledgerState: isContentRefused(error) ? "rejected" : "open" };
  }
};

/** Returns whether a status shows that the request met no endpoint of the service. A browser reports a redirect as 0. */
const isOfWrongEndpoint = (status: number): boolean =>
  status === 404 ||
  status === 405 ||
  status === 410 ||
  status === 0 ||
  Math.trunc(status / 100) === 3;

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Tail>}`
  : Name;

/** Converts the name of a state or a reason to the name of its count. */
const toCountName = <Name extends ItemState | SkipReason>(name: Name) =>
  name.replace(/_./, ([, letter = ""]) => letter.toUpperCase()) as CamelCase<Name>;

/** Counts the results of a run in the order in which items end, and decides after which one the run stops. */
export class RunTally {
  readonly #isRemoval: boolean;
  readonly #stopAfterFailures: number;
  readonly #byState = { accepted: 0, rejected: 0, invalid: 0, notSent: 0, unknown: 0, skipped: 0 };
  readonly #byReason = {
    acceptedBefore: 0,
    rejectedBefore: 0,
    duplicate: 0,
    changed: 0,
    inDoubt: 0,
    excluded: 0,
  };
  #done = 0;
  #failuresInARow = 0;

  /** @param stopAfterFailures Number of failures in a row that stops the run. Default: none. */
  constructor({ isRemoval = false, stopAfterFailures = Number.POSITIVE_INFINITY } = {}) {
    this.#isRemoval = isRemoval;
    this.#stopAfterFailures = stopAfterFailures;
  }

  get counts(): RunCounts {
    const inDoubt = this.#byState.unknown + this.#byReason.inDoubt;
    return { done: this.#done, ...this.#byState, inDoubt, skippedBy: { ...this.#byReason } };
  }

  /** Counts a result. Returns the reason to stop the run, if there is one. */
  add(end: ItemEnd): StopReason | undefined {
    this.#done += 1;
    this.#byState[toCountName(end.state)] += 1;
    switch (end.state) {
      case "skipped":
        this.#byReason[toCountName(end.reason)] += 1;
        return undefined;
      case "invalid":
        return undefined;
      case "accepted":
        this.#failuresInARow = 0;
        return undefined;
      default:
        return this.#reasonToStop(end.state, end.error);
    }
  }

  /** Decides after an item that the service did not accept. */
  #reasonToStop(state: ItemState, error: AnyMessagingServiceError): StopReason | undefined {
    const { code, status } = error;
    if (code === "ledger") return "ledger";
    const hasSucceeded = this.#byState.accepted > 0;
    if (code === "authentication") return "credentials";
    // After an accepted item, the key is good: it is this item that the service, or a firewall, refuses.
    if (code === "permission_denied" && !hasSucceeded) return "credentials";
    if (state === "rejected" && isContentRefused(error)) {
      this.#failuresInARow = 0;
      return undefined;
    }
    if (this.#isRemoval && status === 404) {
      // The list exists: it is this phone that the service does not find.
      if (hasSucceeded) return undefined;
    } else if (!hasSucceeded && status !== undefined && isOfWrongEndpoint(status)) {
      return "endpoint";
    }
    this.#failuresInARow += 1;
    return this.#failuresInARow >= this.#stopAfterFailures ? "failures" : undefined;
  }
}
