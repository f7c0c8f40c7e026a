import { type AnyMessagingServiceError, LedgerError } from "../core/errors.ts";
import { isDocumentedRefusal, isRedirect } from "../core/responses/response-error.ts";
import { parseJson } from "../core/wire/encodings.ts";
import type { LedgerResult } from "./ledgers/ledger.ts";
import type { InvalidItem, Task } from "./message.ts";
import type { ItemOutcome, ItemState, RunCounts, SkipReason, StopReason } from "./run-result.ts";
import type { SkipDetails } from "./timed-ledger.ts";

export interface CallResult {
  readonly state: "accepted" | "rejected" | "not_sent" | "unknown";
  readonly ledgerState: LedgerResult["state"];
  readonly transactionId?: string | undefined;
}

/**
 * Returns whether the service refused the content in its documented way: a 400 or 422 with `errors` of the documented
 * shape. Any other refusal, such as the HTML page of a gateway, may have nothing to do with the content.
 */
export const isContentRefused = (error: AnyMessagingServiceError): boolean =>
  (error.status === 400 || error.status === 422) &&
  "body" in error &&
  isDocumentedRefusal(error.body);

/** Reads the id from the response to an accepted send in which a field was not as documented. */
const parseTransactionId = (error: AnyMessagingServiceError): string | undefined => {
  const { transactionId } = Object("body" in error && parseJson(String(error.body)));
  return typeof transactionId === "string" ? transactionId : undefined;
};

export const toCallResult = (error: AnyMessagingServiceError): CallResult => {
  const { outcome } = error;
  switch (outcome) {
    case "done":
      return {
        state: "accepted",
        ledgerState: "accepted",
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

/** Returns whether a status shows that the request reached no endpoint of the service. A browser reports a redirect as 0. */
const isOfWrongEndpoint = (status: number): boolean =>
  isRedirect(status) || [404, 405, 410].includes(status);

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Tail>}`
  : Name;

const toCountName = <Name extends ItemState | SkipReason>(name: Name) =>
  name.replace(/_./, ([, letter = ""]) => letter.toUpperCase()) as CamelCase<Name>;

/** Maximum number of keys in doubt that a run looks up in its ledger once more. */
const MAX_ASKED = 1_000;

interface Doubt {
  /** Absent if too many keys are in doubt to look up each of them. */
  readonly task: Task | undefined;
  /** Number of items with the key that may have been sent in this run; 0 if only another run may have sent one. */
  unknown: number;
}

/** Counts the results of a run in the order in which items end, and decides after which result the run stops. */
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
  /** Keys in doubt. A person counts once, even if several rows have the key. */
  readonly #doubts = new Map<string | undefined, Doubt>();
  #done = 0;
  #failuresInARow = 0;
  /** Reason why the first invalid or changed item was not sent. */
  #unusable: AnyMessagingServiceError | undefined;

  constructor(isRemoval: boolean, stopAfterFailures: number) {
    this.#isRemoval = isRemoval;
    this.#stopAfterFailures = stopAfterFailures;
  }

  get counts(): RunCounts {
    const { size: inDoubt } = this.#doubts;
    return { done: this.#done, ...this.#byState, inDoubt, skippedBy: { ...this.#byReason } };
  }

  /** Reason why the first item was not sent, if every item is invalid, changed or a duplicate. Such a run must not look fine. */
  get unusable(): AnyMessagingServiceError | undefined {
    const { invalid } = this.#byState;
    const { changed, duplicate } = this.#byReason;
    return invalid + changed + duplicate === this.#done ? this.#unusable : undefined;
  }

  /** Tasks in doubt, at most a thousand. */
  get tasksInDoubt(): Task[] {
    return [...this.#doubts.values()].flatMap(({ task }) => task ?? []);
  }

  /** Recounts a key in doubt by what the ledger contains now. */
  learn({ key }: Task, found: SkipDetails | undefined): void {
    const { unknown = 0 } = this.#doubts.get(key) ?? {};
    const { reason = "in_doubt", entry } = found ?? {};
    if (unknown > 0) {
      if (reason !== "duplicate" || entry?.state !== "accepted") return;
      this.#byState.unknown -= unknown;
      this.#byState.accepted += unknown;
    } else {
      if (reason === "in_doubt") return;
      this.#byReason.inDoubt -= 1;
      this.#byReason[toCountName(reason)] += 1;
    }
    this.#doubts.delete(key);
  }

  /** Counts a result. Returns the reason to stop the run, if there is one. */
  add(outcome: ItemOutcome, prepared: Task | InvalidItem | undefined): StopReason | undefined {
    this.#done += 1;
    if (outcome.state === "unknown" || outcome.reason === "in_doubt") {
      this.#addDoubt(outcome, prepared);
    }
    if (outcome.state === "invalid") this.#unusable ??= outcome.error;
    if (outcome.reason === "changed") this.#unusable ??= new LedgerError("changed");
    this.#byState[toCountName(outcome.state)] += 1;
    if (outcome.state === "skipped") this.#byReason[toCountName(outcome.reason)] += 1;
    if (outcome.state === "accepted") this.#failuresInARow = 0;
    const hasFailed = ["rejected", "not_sent", "unknown"].includes(outcome.state);
    return hasFailed && outcome.error
      ? this.#reasonToStop(outcome.state, outcome.error)
      : undefined;
  }

  #addDoubt({ state }: ItemOutcome, prepared: Task | InvalidItem | undefined): void {
    const isRemembered = prepared && "ref" in prepared && this.#doubts.size < MAX_ASKED;
    const task = isRemembered ? prepared : undefined;
    const doubt = this.#doubts.get(prepared?.key) ?? { task, unknown: 0 };
    if (state === "unknown") doubt.unknown += 1;
    this.#doubts.set(prepared?.key, doubt);
  }

  #reasonToStop(state: ItemState, error: AnyMessagingServiceError): StopReason | undefined {
    const { code, status } = error;
    if (code === "ledger") return "ledger";
    const hasSucceeded = this.#byState.accepted > 0;
    if (code === "authentication") return "credentials";
    // After an accepted item, the API key is valid, so the service or a firewall refuses only this item.
    if (code === "permission_denied" && !hasSucceeded) return "credentials";
    if (state === "rejected" && isContentRefused(error)) {
      this.#failuresInARow = 0;
      return undefined;
    }
    if (this.#isRemoval && status === 404) {
      // The list exists, so the service did not find this phone number.
      if (hasSucceeded) return undefined;
    } else if (!hasSucceeded && status !== undefined && isOfWrongEndpoint(status)) {
      return "endpoint";
    }
    this.#failuresInARow += 1;
    return this.#failuresInARow >= this.#stopAfterFailures ? "failures" : undefined;
  }
}
