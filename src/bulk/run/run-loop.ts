import type { AnyMessagingServiceError } from "../../errors/any-error.ts";
import type { ValidationError } from "../../errors/validation-error.ts";
import { invalidOption, MAX_TIMER_MS } from "../../options/assertions.ts";
import { ClaimGuard, type Desk } from "../item/claim-guard.ts";
import { type Delivery, deliver } from "../item/deliver.ts";
import { randomId } from "../item/digest.ts";
import type { Task } from "../item/task.ts";
import type { Input } from "./input.ts";
import { asksForPause, Pauses } from "./pauses.ts";
import type { ResultQueue } from "./result-queue.ts";
import type { RunSettings } from "./run-options.ts";
import type { ItemResult, RunSummary, StopReason } from "./run-result.ts";
import { RunTally } from "./run-tally.ts";
import { toItemResult } from "./to-item-result.ts";

/** An item that breaks a rule. */
export interface InvalidItem {
  readonly key: string | undefined;
  readonly error: ValidationError;
}

/** Function that converts an item into a task, or into the reason why it cannot be sent. Called once for each item. */
export type Prepare<Item> = (item: Item) => Promise<Task | InvalidItem>;

/** An item that was read and has no result yet. */
interface UnderWay {
  readonly controller: AbortController;
  /** Guard of its current call; absent between two calls. */
  guard?: ClaimGuard | undefined;
}

/** Runs a batch: reads items, sends a few at a time, and stops if going on would do harm. */
export class RunLoop<Item> {
  readonly #settings: RunSettings<Item>;
  readonly #input: Input<Item>;
  readonly #prepare: Prepare<Item>;
  /** Queue of results for the consumer, if there is one. */
  readonly #results: ResultQueue<ItemResult<Item>> | undefined;
  readonly #desk: Desk;
  readonly #tally: RunTally;
  readonly #pauses: Pauses;
  readonly #underWay = new Set<UnderWay>();
  #stopped: { readonly reason?: StopReason; readonly error?: AnyMessagingServiceError } | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Whether an item was read but has no result. */
  #hasLeftOver = false;
  #onChange = () => {};

  constructor(
    settings: RunSettings<Item>,
    input: Input<Item>,
    prepare: Prepare<Item>,
    results?: ResultQueue<ItemResult<Item>>,
  ) {
    this.#settings = settings;
    this.#input = input;
    this.#prepare = prepare;
    this.#results = results;
    this.#desk = { ledger: settings.ledger, batch: settings.batch, owner: randomId() };
    this.#tally = new RunTally(settings.total);
    this.#pauses = new Pauses(settings.maxPauseMs);
  }

  /** Runs the batch. If the input or a callback throws, it rejects with that error after everything under way has ended. */
  async run(): Promise<RunSummary> {
    const stopListening = this.#listen();
    try {
      await this.#readInput();
    } catch (error) {
      this.#fail(error);
    }
    while (this.#underWay.size > 0) await this.#change();
    await this.#input.close().catch((error: unknown) => this.#fail(error));
    stopListening();
    if (this.#failure) throw this.#failure.error;
    return { ...this.#tally.counts, ...this.#whyStopped() };
  }

  /** Starts nothing more. Requests on the wire run to their end; items that wait for their turn end now. */
  stop(reason?: StopReason, error?: AnyMessagingServiceError): void {
    if (this.#stopped) return;
    this.#stopped = { ...(reason ? { reason } : {}), ...(error ? { error } : {}) };
    for (const { controller, guard } of this.#underWay) {
      if (!guard?.isInFlight) controller.abort();
    }
    this.#input.interrupt();
    this.changed();
  }

  /** Wakes the loop: a result was taken. */
  changed(): void {
    this.#onChange();
  }

  async #readInput(): Promise<void> {
    while (this.#mayStart()) {
      if (this.#isFull()) {
        await this.#change();
        continue;
      }
      const next = await this.#input.next();
      if (!next) return;
      if (this.#mayStart()) this.#start(next.item);
      else this.#hasLeftOver = true;
    }
  }

  /** Returns whether to stop reading. Results in the queue count: the input is read no faster than its results are consumed. */
  #isFull(): boolean {
    const waiting = this.#results?.length ?? 0;
    return this.#underWay.size + waiting >= this.#settings.concurrency;
  }

  #mayStart(): boolean {
    if (Date.now() >= this.#settings.deadline) this.stop("deadline");
    return !this.#stopped;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }

  #start(item: Item): void {
    const underWay: UnderWay = { controller: new AbortController() };
    this.#underWay.add(underWay);
    this.#process(item, underWay)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#underWay.delete(underWay);
        this.changed();
      });
  }

  /** Processes one item, from the input to its result. */
  async #process(item: Item, underWay: UnderWay): Promise<void> {
    const { signal } = underWay.controller;
    const prepared = await this.#prepare(item);
    if ("error" in prepared) {
      return this.#finish(item, prepared.key, {
        state: "not_sent",
        error: prepared.error,
        recorded: true,
      });
    }
    for (;;) {
      await this.#pauses.wait(signal);
      if (!this.#mayStart()) break;
      const guard = new ClaimGuard(prepared, this.#desk, () => this.#skip(item, signal));
      underWay.guard = guard;
      const options = { ...this.#settings.callOptions, signal };
      const delivery = await deliver(prepared, this.#desk, guard, options);
      underWay.guard = undefined;
      if (delivery.state === "skipped" || delivery.state === "accepted" || !delivery.recorded) {
        return this.#finish(item, prepared.key, delivery);
      }
      const { error, state } = delivery;
      if (error?.code === "abort" && state !== "unknown") break;
      if (!asksForPause(error)) return this.#finish(item, prepared.key, delivery);
      if (!this.#pauses.begin(error.retryAfterMs)) this.stop("rate_limit", error);
    }
    this.#hasLeftOver = true;
  }

  /** Calls the caller's `skip`, right before a claim. */
  async #skip(item: Item, signal: AbortSignal): Promise<string | undefined> {
    this.#mayStart();
    signal.throwIfAborted();
    const note = await this.#settings.skip?.(item);
    if (typeof note === "string" && note !== "") return note;
    if (!note) return undefined;
    throw invalidOption("skip", "a function that returns a string, or nothing");
  }

  async #finish(item: Item, key: string | undefined, delivery: Delivery): Promise<void> {
    const result = toItemResult(item, key, delivery);
    const { state, error } = result;
    this.#tally.add(result);
    if (state !== "skipped" && state !== "not_sent") this.#pauses.reset();
    const ledgerError = "ledgerError" in delivery ? delivery.ledgerError : undefined;
    if (ledgerError) this.stop("ledger", ledgerError);
    if (error?.code === "authentication" || error?.code === "permission_denied") {
      this.stop("credentials", error);
    }
    if (this.#tally.unknownInARow >= this.#settings.stopAfterUnknown) this.stop("unknown", error);
    this.#results?.push(result);
    await this.#settings.onProgress?.(this.#tally.progress);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop();
  }

  /** Listens for everything that ends a run from outside. Returns a function that removes every listener and timer. */
  #listen(): () => void {
    const { stop, signal, deadline } = this.#settings;
    const onStop = () => this.stop("signal");
    const onAbort = () => {
      this.stop("signal");
      for (const { controller } of this.#underWay) controller.abort(signal?.reason);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const awaitDeadline = () => {
      const leftMs = deadline - Date.now();
      if (leftMs > 0) timer = setTimeout(awaitDeadline, Math.min(leftMs, MAX_TIMER_MS));
      else this.stop("deadline");
    };
    stop?.addEventListener("abort", onStop);
    signal?.addEventListener("abort", onAbort);
    if (deadline < Number.POSITIVE_INFINITY) awaitDeadline();
    if (stop?.aborted || signal?.aborted) onStop();
    return () => {
      clearTimeout(timer);
      stop?.removeEventListener("abort", onStop);
      signal?.removeEventListener("abort", onAbort);
    };
  }

  /** Returns the reason for the stop. A stop from outside after every item had its result has stopped nothing. */
  #whyStopped(): Pick<RunSummary, "stopped" | "error"> {
    const { reason, error } = this.#stopped ?? {};
    const isComplete = this.#input.isOver && !this.#hasLeftOver;
    if (!reason || (isComplete && !error)) return {};
    return { stopped: reason, ...(error ? { error } : {}) };
  }
}
