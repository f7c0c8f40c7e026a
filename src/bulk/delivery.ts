import {
  AbortError,
  type AnyMessagingServiceError,
  type CallContext,
  LedgerError,
  MessagingServiceError,
  type RateLimitError,
  type ThrottleError,
} from "../errors.ts";
import type { RequestOptions } from "../http/options.ts";
import type { AttemptGuard } from "../http/send.ts";
import { given } from "../options.ts";
import {
  type ClaimResult,
  type Ledger,
  type LedgerClaim,
  type LedgerEntry,
  type LedgerResult,
  toClaimResult,
} from "./ledger.ts";
import { createIds, type Task } from "./message.ts";
import type { LedgerSettings } from "./run-options.ts";
import { type CallResult, type ItemEnd, toCallResult } from "./run-result.ts";

/** Longest wait in milliseconds for work that tidies up after a call or a run has ended. */
export const GRACE_MS = 250;

/** Settles like a promise, or rejects after `ms`; once `hurry` has fired, after a short time. */
export const within = <T>(work: PromiseLike<T>, ms: number, hurry?: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      hurry?.removeEventListener("abort", onHurry);
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const onLate = () =>
      fail(Object.assign(new Error(`no response within ${ms} ms`), { code: "TIMEOUT" }));
    const onHurry = () => {
      clearTimeout(timer);
      timer = setTimeout(onLate, Math.min(ms, GRACE_MS));
    };
    let timer = setTimeout(onLate, ms);
    if (hurry?.aborted) onHurry();
    else hurry?.addEventListener("abort", onHurry);
    work.then((value) => {
      end();
      resolve(value);
    }, fail);
  });

/** The ledger of one run, or of one send. Each step is bounded in time, and fails with a {@link LedgerError}. */
export class LedgerBatch {
  readonly #nextId = createIds();
  /** Id of the run in the ledger. */
  readonly owner = this.#nextId();
  readonly #settings: LedgerSettings;
  readonly #hurry: AbortSignal | undefined;
  readonly #timeLeftMs: () => number;
  /** Number of claims that may still be granted or released. */
  #claims = 0;
  #onIdle = () => {};

  /**
   * @param hurry Signal that shortens the wait for a record.
   * @param timeLeftMs Returns the milliseconds that the caller has left. If there are none, the wait for a record is short.
   */
  constructor(
    settings: LedgerSettings,
    hurry: AbortSignal | undefined,
    timeLeftMs = () => Number.POSITIVE_INFINITY,
  ) {
    this.#settings = settings;
    this.#hurry = hurry;
    this.#timeLeftMs = timeLeftMs;
  }

  /** Returns the entry of a key. */
  find(key: string, context: CallContext): Promise<LedgerEntry | undefined> {
    return this.#step((ledger, batch) => ledger.find(batch, key), context);
  }

  /** Lets a key in doubt be claimed again. */
  reopen(key: string, context: CallContext): Promise<boolean> {
    return this.#step((ledger, batch) => ledger.resolve(batch, key, "open"), context);
  }

  /** Records the result of a claim. Resolves to whether the ledger holds it. */
  settle(claim: LedgerClaim, result: LedgerResult, context: CallContext): Promise<boolean> {
    const limitMs = Math.max(GRACE_MS, this.#timeLeftMs());
    return this.#step((ledger) => ledger.settle(claim, result), context, limitMs, this.#hurry);
  }

  /**
   * Claims the key of a task for one attempt. Resolves to the entry that prevents the claim, if there is one. A claim that
   * is granted after its call has ended is released: its request will never be sent.
   *
   * @param onGranted Receives a claim that is granted in time, synchronously with the check that the call has not ended.
   */
  async claim(
    { key, digest, ref }: Task,
    ended: AbortSignal,
    context: CallContext,
    onGranted: (claim: LedgerClaim) => void,
  ): Promise<LedgerEntry | undefined> {
    const { batch } = this.#settings;
    const at = new Date().toISOString();
    const claim = { id: this.#nextId(), batch, key, digest, ref, owner: this.owner, at };
    let claiming: Promise<LedgerEntry | undefined> | undefined;
    this.#claims += 1;
    try {
      const found = await this.#step((ledger) => {
        claiming = ledger.claim(claim);
        return claiming;
      }, context);
      if (found != null) return found;
      if (ended.aborted) await this.#release(claim, context);
      else onGranted(claim);
      return undefined;
    } catch (error) {
      this.#releaseLater(claim, claiming, context);
      throw error;
    } finally {
      this.#endClaim();
    }
  }

  /** Resolves when every claim is granted, refused or released; after a short time in any case. */
  async idle(): Promise<void> {
    if (this.#claims === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    await within(idle, GRACE_MS).catch(() => {});
  }

  #endClaim(): void {
    this.#claims -= 1;
    if (this.#claims === 0) this.#onIdle();
  }

  /** Releases a claim that failed. It may be granted later, or it was granted and the response of the ledger was lost. */
  async #releaseLater(
    claim: LedgerClaim,
    claiming: PromiseLike<LedgerEntry | undefined> | undefined,
    context: CallContext,
  ): Promise<void> {
    this.#claims += 1;
    try {
      const found = await Promise.resolve(claiming).catch(() => undefined);
      if (found == null) await this.#release(claim, context);
    } finally {
      this.#endClaim();
    }
  }

  /** Gives a claim back. The doubt of an earlier attempt stays. */
  async #release(claim: LedgerClaim, { previousOutcome }: CallContext): Promise<void> {
    const state = previousOutcome === "unknown" ? "unknown" : "open";
    try {
      await this.#settings.ledger.settle(claim, { state });
    } catch {
      // The key stays in doubt.
    }
  }

  async #step<T>(
    step: (ledger: Ledger, batch: string) => PromiseLike<T>,
    context: CallContext,
    limitMs = Number.POSITIVE_INFINITY,
    hurry?: AbortSignal,
  ): Promise<T> {
    const { ledger, batch, ledgerTimeoutMs } = this.#settings;
    try {
      const work = Promise.resolve(step(ledger, batch));
      return await within(work, Math.min(ledgerTimeoutMs, limitMs), hurry);
    } catch (cause) {
      throw new LedgerError("unavailable", { cause }, context);
    }
  }
}

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

/** The run that a delivery belongs to. */
export interface DeliveryRun {
  /** Returns the end of the latest pause, in epoch milliseconds. No attempt starts in a pause. */
  pausedUntil(): number;
  /** Returns `running` if an attempt may start now. */
  phase(): "running" | "paused" | "stopped";
  /** Called right before each claim. Resolves to a note if the item is to be left out. If the caller's `skip` fails, the run stops. */
  skip(): Promise<string | undefined>;
  /** Called as soon as the call has met a rate limit. */
  pause(error: RateLimitError | ThrottleError): void;
}

/** Result of a delivery. */
export interface DeliveryResult {
  /** End of the item; absent if nothing was sent because the run pauses or has stopped. */
  readonly end: ItemEnd | undefined;
  /** Whether the item has ended; otherwise it may be delivered again after the pause. */
  readonly isOver: boolean;
  /** Reason why the item was skipped. */
  readonly cause?: SkipCause | undefined;
  /** Failure of the ledger, after which a run stops. */
  readonly ledgerError?: LedgerError | undefined;
}

const NOTHING_SENT: DeliveryResult = /* @__PURE__ */ Object.freeze({
  end: undefined,
  isOver: false,
});

/** Error that ends a call before an attempt that must not be made. */
class ClaimRefused extends AbortError {}

/** Returns whether an error asks for a pause instead of ending its item: a 429, or a throttle that is held or too full. */
const asksForPause = (
  error: AnyMessagingServiceError | undefined,
): error is RateLimitError | ThrottleError =>
  error?.code === "rate_limit" || (error?.code === "throttle" && error.reason !== "unavailable");

/**
 * Sends one task. Claims its key right before each attempt and records the result, so `sending` always means that a request
 * may be on the wire.
 */
export class Delivery implements AttemptGuard {
  readonly #task: Task;
  readonly #ledger: LedgerBatch;
  readonly #run: DeliveryRun | undefined;
  /** Claim that this delivery holds. */
  #claim: LedgerClaim | undefined;
  /** Resolves to whether the ledger holds the latest result. */
  #recorded: Promise<boolean> = Promise.resolve(true);
  #ledgerError: LedgerError | undefined;
  /** Error of the previous attempt. */
  #lastError: AnyMessagingServiceError | undefined;
  #refused: { readonly error: ClaimRefused; readonly cause: SkipCause | undefined } | undefined;
  /** Whether a request is on the wire, or about to be. */
  isOnWire = false;

  /** @param run Run of the task; a 429 then pauses the run, and the call does not retry it. */
  constructor(task: Task, ledger: LedgerBatch, run?: DeliveryRun) {
    this.#task = task;
    this.#ledger = ledger;
    this.#run = run;
  }

  /** Sends the task, unless the ledger prevents it. Rejects only for misuse. */
  async send(options: RequestOptions): Promise<DeliveryResult> {
    let transactionId: string | undefined;
    try {
      ({ transactionId } = await this.#task.call(options, this));
    } catch (thrown) {
      return await this.#endWith(thrown);
    } finally {
      this.isOnWire = false;
    }
    return this.#end({ state: "accepted", ledgerState: "accepted", transactionId });
  }

  async before(ended: AbortSignal): Promise<void> {
    if (!this.#isRunning) throw this.#refuse(undefined);
    const note = await this.#run?.skip();
    if (note !== undefined) throw this.#refuse({ reason: "excluded", note });
    ended.throwIfAborted();
    await this.#take(ended);
    if (!this.#isRunning) {
      // The pause began during the claim. The claim is released, so this attempt cannot be made even if the pause ends meanwhile.
      const state = this.#isInDoubt ? "unknown" : "open";
      if (!(await this.#record({ state }))) throw this.#unavailable(this.#ledgerError?.cause);
      throw this.#refuse(undefined);
    }
    ended.throwIfAborted();
    this.isOnWire = true;
  }

  async mayRetry(error: AnyMessagingServiceError): Promise<boolean> {
    this.isOnWire = false;
    this.#lastError = error;
    if (this.#run && (error.code === "rate_limit" || this.#run.phase() === "stopped")) return false;
    // After an attempt in doubt, the entry stays `sending`; after an attempt that certainly did nothing, the key is open.
    return this.#isInDoubt || this.#record({ state: "open", code: error.code });
  }

  get heldUntil(): number | undefined {
    return this.#run?.pausedUntil();
  }

  /** Whether the run, if there is one, lets an attempt start now. */
  get #isRunning(): boolean {
    return !this.#run || this.#run.phase() === "running";
  }

  get #isInDoubt(): boolean {
    return this.#lastError?.outcome === "unknown";
  }

  /** Context for an error of the ledger. It keeps the doubt of an earlier attempt. */
  get #context(): CallContext {
    const { callId, attempts } = this.#lastError ?? {};
    const previousOutcome = this.#isInDoubt ? "unknown" : undefined;
    return { endpoint: this.#task.endpoint, callId, attempts, previousOutcome };
  }

  #refuse(cause: SkipCause | undefined): ClaimRefused {
    const error = new ClaimRefused("not admitted", "not_sent", this.#context);
    this.#refused = { error, cause };
    return error;
  }

  #unavailable(cause: unknown): LedgerError {
    return new LedgerError("unavailable", { cause }, this.#context);
  }

  async #take(ended: AbortSignal): Promise<void> {
    const task = this.#task;
    const { owner } = this.#ledger;
    const claim = () =>
      this.#ledger.claim(task, ended, this.#context, (granted) => {
        this.#claim = granted;
      });
    let found = await claim();
    if (found != null && task.mayRepeat && !toSkipCause(found, task, owner)) {
      await this.#ledger.reopen(task.key, this.#context);
      found = await claim();
    }
    if (found == null) return;
    const reason = toClaimResult(found, { ...task, owner });
    if (reason !== "claimed") throw this.#refuse({ reason, entry: found });
    throw this.#unavailable(
      new TypeError("claim() returned an entry that does not prevent the claim"),
    );
  }

  /** Converts the error that the call threw into the result of the delivery. */
  async #endWith(thrown: unknown): Promise<DeliveryResult> {
    const refused = thrown === this.#refused?.error ? this.#refused : undefined;
    if (refused && !this.#isInDoubt) return this.#endRefused(refused.cause);
    // If the claim for a retry is refused, the previous attempt decides.
    const error = refused ? this.#lastError : thrown;
    if (!MessagingServiceError.is(error)) {
      await this.#record({ state: "unknown" });
      throw error;
    }
    if (asksForPause(error)) this.#run?.pause(error);
    const result = await this.#end(toCallResult(error), error);
    const { outcome, code } = error;
    const isPostponed =
      asksForPause(error) ||
      (code === "abort" && outcome !== "unknown") ||
      (refused !== undefined && refused.cause === undefined);
    if (!this.#run || !isPostponed || result.end?.recorded === false) return result;
    return outcome === "unknown" ? { ...result, isOver: false } : NOTHING_SENT;
  }

  #endRefused(cause: SkipCause | undefined): DeliveryResult {
    if (!cause) return NOTHING_SENT;
    const { reason, entry } = cause;
    // A webhook has already confirmed this message.
    const isConfirmed = reason === "duplicate" && entry?.ref === this.#task.ref;
    if (!isConfirmed) return { end: toSkippedEnd(cause), isOver: true, cause };
    const end = given({ state: "accepted", transactionId: entry.transactionId } as const);
    return { end, isOver: true, cause };
  }

  /** Records the result, and converts it into the end of the item. */
  async #end(
    { state, ledgerState, transactionId }: CallResult,
    error?: AnyMessagingServiceError,
  ): Promise<DeliveryResult> {
    const result = { state: ledgerState, transactionId, code: error?.code };
    const recorded = await this.#record(result);
    const end = given({ state, transactionId, error, recorded: recorded ? undefined : false });
    return {
      end: end as ItemEnd,
      isOver: true,
      ledgerError: LedgerError.is(error) ? error : this.#ledgerError,
    };
  }

  /** Records the result of the claim, if one is held. Resolves to whether the ledger holds the latest result; never rejects. */
  #record(result: LedgerResult): Promise<boolean> {
    const claim = this.#claim;
    if (claim) {
      this.#claim = undefined;
      const settling = this.#ledger.settle(claim, result, this.#context);
      this.#recorded = settling.then(
        (holds) => holds === true,
        (error: LedgerError) => {
          this.#ledgerError = error;
          return false;
        },
      );
    }
    return this.#recorded;
  }
}
