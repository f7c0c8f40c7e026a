import { type AnyMessagingServiceError, type CallContext, LedgerError } from "../../errors.ts";
import type { AttemptGuard } from "../../http/send.ts";
import type { Ledger, LedgerClaim, LedgerEntry, LedgerResult } from "../ledger.ts";
import { type ClaimResult, toClaimResult } from "../ledger.ts";
import { askLedger } from "./ask-ledger.ts";
import type { Task } from "./task.ts";

/** Reason why an item is not sent. */
export interface Obstacle {
  readonly reason: Exclude<ClaimResult, "claimed"> | "excluded";
  /** Entry of the key in the ledger. */
  readonly entry?: LedgerEntry | undefined;
  /** Note that `skip` returned. */
  readonly note?: string;
}

/** Parts that all items of a run share. */
export interface Desk {
  readonly ledger: Ledger;
  readonly batch: string;
  /** Id of the run in the ledger. */
  readonly owner: string;
}

/** Error that ends a call whose item must not be sent. */
class NotAdmitted extends Error {}

/** Claims the key of a task right before each attempt, so that `sending` always means a request on the wire. */
export class ClaimGuard implements AttemptGuard {
  readonly #task: Task;
  readonly #desk: Desk;
  readonly #skip: () => Promise<string | undefined>;
  #claiming: Promise<void> | undefined;
  #isHeld = false;
  #lastError: AnyMessagingServiceError | undefined;
  /** Whether a request is on the wire, or about to be. */
  isInFlight = false;
  /** Reason why the last attempt was not admitted. */
  obstacle: Obstacle | undefined;
  /** Error that kept the ledger from recording the result. */
  ledgerError: LedgerError | undefined;

  /** @param skip Called right before each claim; resolves to a note if the item is to be left out. */
  constructor(task: Task, desk: Desk, skip: () => Promise<string | undefined>) {
    this.#task = task;
    this.#desk = desk;
    this.#skip = skip;
  }

  /** Error of an attempt that may have been done, until a later one settles it. */
  get doubt(): AnyMessagingServiceError | undefined {
    return this.#isHeld ? this.#lastError : undefined;
  }

  async before(signal: AbortSignal): Promise<void> {
    this.#claiming = this.#admit(signal);
    await this.#claiming;
  }

  async mayRetry(error: AnyMessagingServiceError): Promise<boolean> {
    const { outcome, code } = error;
    this.isInFlight = false;
    this.#lastError = error;
    // An attempt that may have been done stays `sending`; one that certainly did nothing leaves no doubt behind.
    return outcome === "unknown" || this.record({ state: "open", code });
  }

  /** Resolves when no claim is under way: the claim of a call that was aborted in the meantime may still be granted. */
  async idle(): Promise<void> {
    await this.#claiming?.catch(() => {});
  }

  /** Records the result of the key if this run holds it. Resolves to whether the ledger recorded it; never rejects. */
  async record(end: Pick<LedgerResult, "state" | "transactionId" | "code">): Promise<boolean> {
    if (!this.#isHeld) return true;
    const { ledger, batch, owner } = this.#desk;
    const { key, ref } = this.#task;
    try {
      await askLedger(() => ledger.settle({ batch, key, owner, ref, ...end }));
      this.#isHeld = false;
      return true;
    } catch (error) {
      this.ledgerError = error as LedgerError;
      return false;
    }
  }

  async #admit(signal: AbortSignal): Promise<void> {
    const note = await this.#skip();
    if (note !== undefined) throw this.#refuse({ reason: "excluded", note });
    signal.throwIfAborted();
    let obstacle = await this.#claim();
    if (obstacle?.reason === "in_doubt" && this.#task.mayRepeat) {
      const { ledger, batch } = this.#desk;
      await this.#ask(() => ledger.resolve(batch, this.#task.key, "open"));
      obstacle = await this.#claim();
    }
    if (obstacle) throw this.#refuse(obstacle);
    this.#isHeld = true;
    this.isInFlight = true;
  }

  async #claim(): Promise<Obstacle | undefined> {
    const { key, digest, ref } = this.#task;
    const { ledger, batch, owner } = this.#desk;
    const claim: LedgerClaim = { batch, key, digest, ref, owner, at: new Date().toISOString() };
    const entry = await this.#ask(() => ledger.claim(claim));
    if (!entry) return undefined;
    const reason = toClaimResult(entry, claim);
    if (reason !== "claimed") return { reason, entry };
    const cause = new TypeError("claim() returned an entry that does not prevent the claim");
    throw new LedgerError("unavailable", { cause }, this.#context);
  }

  #ask<T>(step: () => Promise<T>): Promise<T> {
    return askLedger(step, this.#context);
  }

  /** Context of a ledger failure: an earlier attempt that may have been done stays in doubt. */
  get #context(): CallContext {
    const { callId, attempts, outcome } = this.#lastError ?? {};
    const previousOutcome = outcome === "unknown" ? outcome : undefined;
    return { endpoint: this.#task.endpoint, callId, attempts, previousOutcome };
  }

  #refuse(obstacle: Obstacle): NotAdmitted {
    this.obstacle = obstacle;
    return new NotAdmitted();
  }
}
