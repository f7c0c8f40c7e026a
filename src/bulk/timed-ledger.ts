import { type CallContext, LedgerError, toCallError } from "../core/errors.ts";
import { withoutUndefined } from "../core/options.ts";
import { GRACE_MS, waitFor } from "../core/wait-for.ts";
import {
  type Ledger,
  type LedgerClaim,
  type LedgerEntry,
  type LedgerResult,
  toClaimResult,
} from "./ledgers/ledger.ts";
import { nextId, type Task } from "./message.ts";
import type { LedgerSettings } from "./run-options.ts";
import type { ItemOutcome, SkipReason } from "./run-result.ts";

export interface SkipDetails {
  readonly reason: SkipReason;
  readonly entry?: LedgerEntry | undefined;
  readonly note?: string;
  /** Time in milliseconds for which a different run may still record a result; absent unless the key is in progress there. */
  readonly leftMs?: number | undefined;
}

export const toSkippedOutcome = ({ reason, entry, note }: SkipDetails): ItemOutcome => {
  const isSent = reason === "accepted_before" || reason === "changed";
  const outcome: object = withoutUndefined({
    state: "skipped",
    reason,
    note,
    at: reason === "in_doubt" ? entry?.at : undefined,
    transactionId: isSent ? entry?.transactionId : undefined,
  });
  return outcome as ItemOutcome;
};

/** Settles like a step of the ledger, or rejects after `limitMs`. Once the signal has fired, it rejects after a short time. */
const inTime = async <T>(
  step: PromiseLike<T>,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<T> => {
  let result = await waitFor(step, limitMs, signal);
  if (result === "stopped") result = await waitFor(step, Math.min(limitMs, GRACE_MS));
  if (typeof result === "object") return result.value;
  // The message does not state the limit, because it may be the rest of a longer limit.
  throw Object.assign(new Error("no response in time"), { code: "TIMEOUT" });
};

/** Ledger of one run or one send. Each step has a timeout, and fails with a {@link LedgerError}. */
export class TimedLedger {
  /** Id of the run in the ledger. */
  readonly owner = nextId();
  readonly #settings: LedgerSettings;
  readonly #signal: AbortSignal | undefined;
  readonly #timeLeftMs: () => number;
  /** Claims that may still be granted or released. */
  readonly #pending = new Set<Promise<unknown>>();

  /** @param timeLeftMs Returns the time that the caller has left. If no time is left, the wait for a record is short. */
  constructor(
    settings: LedgerSettings,
    signal: AbortSignal | undefined,
    timeLeftMs = () => Number.POSITIVE_INFINITY,
  ) {
    this.#settings = settings;
    this.#signal = signal;
    this.#timeLeftMs = timeLeftMs;
  }

  /**
   * Returns the reason why an entry prevents a task, if it does. A key that this run has sent, or that the service refused in
   * this run, is not tried again. A doubt about a removal does not prevent the same removal, unless it is still in progress. A
   * doubt about a send with the same batch and key does prevent it.
   */
  skipReasonOf(entry: LedgerEntry | undefined, task: Task): SkipDetails | undefined {
    if (!entry) return undefined;
    const { owner } = this;
    const { callMs } = this.#settings;
    const { state, digest, ageMs } = entry;
    const isOwnDoubt = task.isIdempotent && digest === task.digest;
    const isOfEarlierItem = entry.owner === owner && entry.ref !== task.ref;
    if (isOfEarlierItem && state !== "open" && !(state === "unknown" && isOwnDoubt)) {
      return { reason: "duplicate", entry };
    }
    const reason = toClaimResult(entry, { ...task, owner });
    if (reason === "claimed") return undefined;
    if (reason !== "in_doubt") return { reason, entry };
    const leftMs = state === "sending" && ageMs < callMs ? callMs - ageMs : undefined;
    return isOwnDoubt && leftMs === undefined ? undefined : { reason, entry, leftMs };
  }

  async find(task: Task, context: CallContext): Promise<SkipDetails | undefined> {
    const entry = await this.#step((ledger, batch) => ledger.find(batch, task.key), context);
    return this.skipReasonOf(entry, task);
  }

  /** Resolves to the entry of a task if a webhook or a person confirmed it. Never rejects; after a failure, the doubt stays. */
  async findConfirmed({ key, ref }: Task): Promise<LedgerEntry | undefined> {
    const entry = await this.#findAtEnd(key, Math.max(GRACE_MS, this.#timeLeftMs()));
    return entry?.state === "accepted" && entry.ref === ref ? entry : undefined;
  }

  /** Resolves to whether a different run has sent, or may have sent, a message with this key. Never rejects. */
  async isTakenElsewhere({ key }: Task): Promise<boolean> {
    const { owner, state } = (await this.#findAtEnd(key, GRACE_MS)) ?? { state: "open" };
    return owner !== this.owner && ["sending", "unknown", "accepted"].includes(state);
  }

  /** Looks a key up once a send or a run has ended. A ledger that fails or is late adds nothing to what is known already. */
  async #findAtEnd(key: string, limitMs: number): Promise<LedgerEntry | undefined> {
    const find = (ledger: Ledger, batch: string) => ledger.find(batch, key);
    return this.#step(find, {}, limitMs, this.#signal).catch(() => undefined);
  }

  /** Allows a key in doubt to be claimed again, unless it has been claimed since the entry was read. */
  reopen({ key, id }: LedgerEntry, context: CallContext): Promise<boolean> {
    return this.#step((ledger, batch) => ledger.resolve(batch, key, "open", id), context);
  }

  /** Records the result of a claim. Resolves to whether the ledger contains it. */
  settle(claim: LedgerClaim, result: LedgerResult, context: CallContext): Promise<boolean> {
    const limitMs = Math.max(GRACE_MS, this.#timeLeftMs());
    return this.#step((ledger) => ledger.settle(claim, result), context, limitMs, this.#signal);
  }

  /**
   * Claims the key of a task for one attempt. Resolves to the entry that prevents the claim, if there is one. A claim that
   * is granted after its call has ended is released, because its request will never be sent.
   *
   * @param signal Fires when the call has ended.
   * @param onGranted Receives a claim that is granted in time, synchronously with the check that the call has not ended.
   */
  async claim(
    { key, digest, ref }: Task,
    signal: AbortSignal,
    context: CallContext,
    onGranted: (claim: LedgerClaim) => void,
  ): Promise<LedgerEntry | undefined> {
    const { batch, ledger } = this.#settings;
    const claim = { id: nextId(), batch, key, digest, ref, owner: this.owner };
    let isLate = false;
    const claiming = (async () => ledger.claim(claim))().then(
      async (found) => {
        if (found != null) return found;
        if (isLate || signal.aborted) await this.#release(claim, context);
        else onGranted(claim);
        return undefined;
      },
      (error: unknown) => {
        // The claim may have been granted although the response of the ledger was lost.
        this.#pend(this.#release(claim, context));
        throw error;
      },
    );
    this.#pend(claiming);
    try {
      return await this.#step(() => claiming, context);
    } catch (error) {
      isLate = true;
      throw error;
    }
  }

  /** Resolves when every claim is granted, refused or released, or after a short time. */
  async idle(): Promise<void> {
    const settle = async () => {
      while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
    };
    await waitFor(settle(), GRACE_MS);
  }

  #pend(work: Promise<unknown>): void {
    const end = () => void this.#pending.delete(work);
    this.#pending.add(work);
    work.then(end, end);
  }

  /** Releases a claim. After an earlier attempt in doubt, the key stays in doubt. */
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
    signal?: AbortSignal,
  ): Promise<T> {
    const { ledger, batch, ledgerTimeoutMs } = this.#settings;
    try {
      const work = Promise.resolve(step(ledger, batch));
      return await inTime(work, Math.min(ledgerTimeoutMs, limitMs), signal);
    } catch (cause) {
      throw toCallError(new LedgerError("unavailable", { cause }), context);
    }
  }
}
