import type { CallTimer } from "../core/call/call-timer.ts";
import type { AttemptHooks, CallEnd } from "../core/call/prepared-call.ts";
import type { RequestOptions } from "../core/call/settings.ts";
import {
  AbortError,
  type AnyMessagingServiceError,
  type CallContext,
  LedgerError,
  MessagingServiceError,
  outcomeOfCall,
  type RateLimitError,
  RecipientError,
  type ThrottleError,
  toCallError,
} from "../core/errors.ts";
import { withoutUndefined } from "../core/options.ts";
import { waitFor } from "../core/wait-for.ts";
import {
  type LedgerClaim,
  type LedgerEntry,
  type LedgerResult,
  toClaimResult,
} from "./ledgers/ledger.ts";
import type { SendTask, Task } from "./message.ts";
import type { ItemOutcome } from "./run-result.ts";
import { type CallResult, toCallResult } from "./run-tally.ts";
import { type SkipDetails, type TimedLedger, toSkippedOutcome } from "./timed-ledger.ts";

/** Part of a run that its deliveries use. */
export interface DeliveryRun {
  /** Time limit of a call in milliseconds, including the client's. */
  readonly totalTimeoutMs: number;
  status(): "running" | "paused" | "stopped";
  /** Called right before each claim. Resolves to a note if the item is excluded. If the caller's `skip` fails, the run stops. */
  skip(): Promise<string | undefined>;
}

/** End of a call: data for the immediate decisions of the run, and the result, which is still being recorded. */
export interface DeliveryEnd {
  /** Rate limit that the call has met, for which the run pauses. */
  readonly limit?: RateLimitError | ThrottleError | undefined;
  /** Error of the client's `allowRecipient`, with which the run stops. */
  readonly failure?: RecipientError;
  readonly result: Promise<DeliveryResult>;
}

export interface DeliveryResult {
  /** Outcome of the item; absent if nothing was sent because the run pauses or has stopped. */
  readonly outcome?: ItemOutcome | undefined;
  /** Whether the item may be delivered again after the pause. */
  readonly isPostponed?: true;
  readonly skipReason?: SkipDetails | undefined;
  /** Failure of the ledger to record the outcome, after which a run stops. */
  readonly ledgerError?: LedgerError | undefined;
}

/** Function that creates the delivery of a task. The run calls `send` again after each pause. */
export type Deliver = (
  ledger: TimedLedger,
  run: DeliveryRun,
) => Pick<Delivery, "send" | "isOnWire">;

/** A task of a run. */
export interface RunTask extends Task {
  readonly deliver: Deliver;
}

const NOTHING_SENT: DeliveryResult = /* @__PURE__ */ Object.freeze({ isPostponed: true });

/** Reason why an attempt is not made. Without a `skipReason`, the run pauses or has stopped. */
interface Prevented {
  readonly skipReason?: SkipDetails | undefined;
}

/** Returns the outcome of an item whose message a webhook or a person has confirmed. */
const toConfirmedOutcome = ({ transactionId }: LedgerEntry): ItemOutcome =>
  withoutUndefined({ state: "accepted", transactionId } as const);

const PAUSED: Prevented = /* @__PURE__ */ Object.freeze({});

/** Function that returns the end of a started call. It is not a promise, because a promise of a promise awaits the inner one. */
type EndOf = () => Promise<CallEnd<unknown>>;

const notCalled = (method: string, cause?: unknown): TypeError =>
  new TypeError(
    `the client's \`${method}\` was replaced by a function that did not call the original with the message or the options that it received, so the ledger has no record of what that function may have sent; ` +
      "to rehearse, use createFakeService() of messaging-service-client/testing",
    cause === undefined ? {} : { cause },
  );

/** Returns whether an error asks for a pause instead of ending its item: a 429, or a throttle whose wait would be too long. */
const asksForPause = (
  error: AnyMessagingServiceError | undefined,
): error is RateLimitError | ThrottleError =>
  error?.code === "rate_limit" || (error?.code === "throttle" && error.reason !== "unavailable");

/**
 * Sends one task. It claims the key right before each attempt, so `sending` always means that a request may be on the wire. The
 * outcome of the latest call takes the previous calls into account.
 */
export class Delivery implements AttemptHooks {
  readonly #task: SendTask;
  readonly #ledger: TimedLedger;
  readonly #run: DeliveryRun | undefined;
  #claim: LedgerClaim | undefined;
  /** Resolves to whether the ledger contains the latest result. */
  #recorded: Promise<boolean> = Promise.resolve(true);
  #ledgerError: LedgerError | undefined;
  #lastError: AnyMessagingServiceError | undefined;
  /** Receives the call that the client's method starts. Absent after a call has started, and when it is too late for a call. */
  #takeCall: ((endOf: EndOf) => void) | undefined;
  #hasCalled = false;
  /** Id of the latest call, or of the first call before that begins. */
  callId: string;
  readonly timer: CallTimer | undefined;
  /** Whether a request is on the wire, or about to be. */
  isOnWire = false;

  /**
   * @param within.run Run of the task, if there is one. A 429 then pauses the run, and the call does not retry the request.
   * @param within.timer Timer that bounds the calls.
   */
  constructor(
    task: SendTask,
    ledger: TimedLedger,
    within: { readonly run?: DeliveryRun; readonly timer?: CallTimer },
  ) {
    this.#task = task;
    this.#ledger = ledger;
    this.#run = within.run;
    this.timer = within.timer;
    this.callId = task.nextCallId();
  }

  /** Makes a call for the task, unless the ledger prevents it. Rejects only for misuse. */
  async send(options: RequestOptions): Promise<DeliveryEnd> {
    let end: CallEnd<unknown>;
    if (this.#hasCalled) this.callId = this.#task.nextCallId();
    this.#hasCalled = true;
    try {
      end = await this.#runCall(options);
    } catch (thrown) {
      if (MessagingServiceError.is(thrown)) return this.#endWith(thrown);
      await this.#record({ state: "unknown" });
      throw thrown;
    } finally {
      this.isOnWire = false;
    }
    if ("prevented" in end) return this.#endPrevented(end.prevented);
    const transactionId = this.#task.isIdempotent ? undefined : Object(end.data).transactionId;
    return { result: this.#end({ state: "accepted", ledgerState: "accepted", transactionId }) };
  }

  /** Calls the client's method. Settles like the call that the method makes, even if a replacement of the method does not. */
  async #runCall(options: RequestOptions): Promise<CallEnd<unknown>> {
    const { signal } = options;
    const starting = new Promise<EndOf>((resolve, reject) => {
      this.#takeCall = resolve;
      const end = (cause?: unknown) => {
        this.#takeCall = undefined;
        reject(notCalled(this.#task.method, cause));
      };
      (async () => this.#task.call(options, this))().then(() => end(), end);
    });
    const limitMs = this.timer?.remainingMs ?? this.#run?.totalTimeoutMs;
    const started = await waitFor(starting, limitMs, signal);
    // The call may have started just as the wait for it ended.
    if (typeof started === "object" || !this.#takeCall) return (await starting)();
    this.#takeCall = undefined;
    throw started === "late"
      ? notCalled(this.#task.method)
      : toCallError(new AbortError("aborted", "not_sent"), this.#context);
  }

  run<Data>(start: () => Promise<CallEnd<Data>>): Promise<CallEnd<Data>> {
    const takeCall = this.#takeCall;
    if (!takeCall) {
      const why = "must call the original once, and before its own promise settles";
      return Promise.reject(new TypeError(`a replacement of \`${this.#task.method}\` ${why}`));
    }
    this.#takeCall = undefined;
    const end = start();
    takeCall(() => end);
    return end;
  }

  async before(signal: AbortSignal): Promise<"go" | Prevented> {
    if (!this.#isRunning) return PAUSED;
    const note = await this.#run?.skip();
    if (note !== undefined) return { skipReason: { reason: "excluded", note } };
    signal.throwIfAborted();
    const skipReason = await this.#claimKey(signal);
    if (skipReason) return { skipReason };
    if (!this.#isRunning) {
      // The pause began during the claim. The claim is released, so this attempt cannot be made even if the pause ends first.
      const state = this.#isInDoubt ? "unknown" : "open";
      if (!(await this.#record({ state }))) throw this.#toUnavailable(this.#ledgerError?.cause);
      return PAUSED;
    }
    signal.throwIfAborted();
    this.isOnWire = true;
    return "go";
  }

  async beforeRetry(error: AnyMessagingServiceError): Promise<boolean> {
    this.isOnWire = false;
    this.#lastError = error;
    if (this.#run && (error.code === "rate_limit" || this.#run.status() === "stopped"))
      return false;
    // After an attempt in doubt, the entry stays `sending`. After an attempt that certainly did nothing, the key is reopened.
    return this.#isInDoubt || this.#record({ state: "open", code: error.code });
  }

  /** Number of attempts up to the latest failure. */
  get attempts(): number {
    return this.#lastError?.attempts ?? 0;
  }

  get #isRunning(): boolean {
    return !this.#run || this.#run.status() === "running";
  }

  get #isInDoubt(): boolean {
    return this.#lastError?.outcome === "unknown";
  }

  /** Context for an error of the ledger. It includes the outcome of the previous attempts. */
  get #context(): CallContext {
    const { callId, attempts } = this;
    const previousOutcome = this.#lastError?.outcome;
    return { endpoint: this.#task.endpoint, callId, attempts, previousOutcome };
  }

  #toUnavailable(cause: unknown, context = this.#context): LedgerError {
    return toCallError(new LedgerError("unavailable", { cause }), context);
  }

  /** Claims the key. Resolves to the reason why the claim was refused, if it was. */
  async #claimKey(signal: AbortSignal): Promise<SkipDetails | undefined> {
    const task = this.#task;
    const { owner } = this.#ledger;
    const claim = () =>
      this.#ledger.claim(task, signal, this.#context, (granted) => {
        this.#claim = granted;
      });
    let found = await claim();
    if (found != null && task.isIdempotent && !this.#ledger.skipReasonOf(found, task)) {
      await this.#ledger.reopen(found, this.#context);
      found = await claim();
    }
    if (found == null) return undefined;
    const reason = toClaimResult(found, { ...task, owner });
    if (reason !== "claimed") {
      return this.#ledger.skipReasonOf(found, task) ?? { reason, entry: found };
    }
    throw this.#toUnavailable(
      new TypeError("claim() returned an entry that does not prevent the claim"),
    );
  }

  /** Ends a call after one of its attempts was prevented. If an earlier attempt is in doubt, its error is the result. */
  #endPrevented({ skipReason }: Prevented): DeliveryEnd {
    const error = this.#lastError;
    if (error?.outcome === "unknown") return this.#endWith(error, skipReason === undefined);
    return { result: this.#endUnsent(skipReason) };
  }

  /** @param isPaused Whether a retry was prevented by a pause or a stop. */
  #endWith(error: AnyMessagingServiceError, isPaused = false): DeliveryEnd {
    if (this.#run && RecipientError.is(error)) {
      if (error.reason === "failed") {
        return { failure: error, result: Promise.resolve(NOTHING_SENT) };
      }
      const skipReason = { reason: "excluded", note: "not permitted by allowRecipient" } as const;
      return { result: this.#endUnsent(skipReason) };
    }
    // After a pause, the error of a new call does not take the previous attempts into account.
    const outcome = outcomeOfCall(this.#lastError?.outcome, error);
    Object.assign(error, { outcome });
    const limit = asksForPause(error) ? error : undefined;
    const isPostponed = Boolean(limit) || (error.code === "abort" && outcome !== "unknown");
    return { limit, result: this.#endFailed(error, isPostponed || isPaused) };
  }

  async #endFailed(error: AnyMessagingServiceError, isPostponed: boolean): Promise<DeliveryResult> {
    const result = await this.#end(toCallResult(error), error);
    if (!this.#run || !isPostponed || result.outcome?.recorded === false) return result;
    if (error.outcome !== "unknown") return NOTHING_SENT;
    return result.outcome?.state === "accepted" ? result : { ...result, isPostponed };
  }

  async #endUnsent(skipReason: SkipDetails | undefined): Promise<DeliveryResult> {
    if (!skipReason) return NOTHING_SENT;
    const { reason, entry } = skipReason;
    // A webhook has already confirmed this message.
    const isConfirmed = reason === "duplicate" && entry?.ref === this.#task.ref;
    return isConfirmed
      ? { outcome: toConfirmedOutcome(entry) }
      : { outcome: toSkippedOutcome(skipReason), skipReason };
  }

  async #end(
    { state, ledgerState, transactionId }: CallResult,
    error?: AnyMessagingServiceError,
  ): Promise<DeliveryResult> {
    const result = { state: ledgerState, transactionId, code: error?.code };
    if (error) this.#lastError = error;
    const recorded = await this.#record(result);
    if (state === "unknown" && !this.#ledgerError) {
      // A webhook may have arrived while the attempt was under way.
      const confirmed = await this.#ledger.findConfirmed(this.#task);
      if (confirmed) return { outcome: toConfirmedOutcome(confirmed) };
    }
    const outcome: object = withoutUndefined({
      state,
      transactionId,
      error,
      recorded: recorded ? undefined : false,
    });
    return { outcome: outcome as ItemOutcome, ledgerError: this.#ledgerError };
  }

  /** Records the result of the claim, if any. Resolves to whether the ledger contains the latest result; never rejects. */
  #record(result: LedgerResult): Promise<boolean> {
    const claim = this.#claim;
    if (claim) {
      this.#claim = undefined;
      const isSent = result.state === "accepted" || result.state === "unknown";
      const context = { ...this.#context, ...(isSent && { previousOutcome: "unknown" as const }) };
      const settling = this.#ledger.settle(claim, result, context);
      this.#recorded = settling.then(
        (holds) => {
          if (holds !== true && result.state === "accepted") {
            const lost = new TypeError("settle() recorded nothing");
            this.#ledgerError = this.#toUnavailable(lost, context);
          }
          return holds === true;
        },
        (error: LedgerError) => {
          this.#ledgerError = error;
          return false;
        },
      );
    }
    return this.#recorded;
  }
}

/** Returns a task of a run that is sent. A preview has its own tasks instead. */
export const toRunTask = (task: SendTask): RunTask => ({
  ...task,
  deliver: (ledger, run) => new Delivery(task, ledger, { run }),
});
