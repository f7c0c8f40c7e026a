import type { AnyMessagingServiceError, ValidationError } from "../../errors.ts";
import { invalidOption, MAX_TIMER_MS } from "../../options.ts";
import { ClaimGuard, type Desk } from "../item/claim-guard.ts";
import { type Delivery, deliver, lookUp } from "../item/deliver.ts";
import { randomId } from "../item/digest.ts";
import type { Task } from "../item/task.ts";
import type { Input } from "./input.ts";
import { asksForPause, Pauses } from "./pauses.ts";
import type { ResultQueue } from "./result-queue.ts";
import type { RunSettings } from "./run-options.ts";
import type { ItemResult, RunSummary, StopReason } from "./run-result.ts";
import { RunTally } from "./run-tally.ts";
import { toItemResult } from "./to-item-result.ts";
import { UnderWay } from "./under-way.ts";

/** An item that breaks a rule. */
export interface InvalidItem {
  readonly key: string | undefined;
  readonly error: ValidationError;
}

/** Function that converts an item into a task, or into the reason why it cannot be sent. Called once for each item. */
export type Prepare<Item> = (item: Item) => Promise<Task | InvalidItem>;

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
  readonly #underWay = new Set<UnderWay<Item>>();
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

  /** Reads one item more than may be sent: it is made and looked up while it waits for its turn. */
  async #readInput(): Promise<void> {
    while (this.#mayStart()) {
      const next = await this.#input.next();
      if (!next) return;
      if (!this.#mayStart()) {
        this.#hasLeftOver = true;
        return;
      }
      const { begin } = this.#start(next.item);
      while (this.#isFull() && !this.#stopped) await this.#change();
      begin(this.#mayStart());
    }
  }

  /** Returns whether too many items are under way. Results in the queue count: the input is read no faster than its results are consumed. */
  #isFull(): boolean {
    const waiting = this.#results?.length ?? 0;
    return this.#underWay.size + waiting > this.#settings.concurrency;
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

  #start(item: Item): UnderWay<Item> {
    const underWay = new UnderWay(item);
    this.#underWay.add(underWay);
    underWay.end = this.#process(underWay)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#underWay.delete(underWay);
        this.changed();
      });
    return underWay;
  }

  /** Processes one item, from the input to its result. */
  async #process(underWay: UnderWay<Item>): Promise<void> {
    const { item, turn } = underWay;
    const task = await this.#prepare(item);
    if ("error" in task) {
      await turn;
      const { key, error } = task;
      return this.#finish(item, key, { state: "not_sent", error, recorded: true });
    }
    const known = await this.#lookUp(task, underWay);
    const delivery = (await turn) ? (known ?? (await this.#deliver(task, underWay))) : undefined;
    if (delivery) await this.#finish(item, task.key, delivery);
    else this.#hasLeftOver = true;
  }

  /** Asks the ledger. What becomes of a key that an earlier item has is known when that item has ended. */
  async #lookUp(task: Task, underWay: UnderWay<Item>): Promise<Delivery | undefined> {
    underWay.key = task.key;
    for (const earlier of this.#underWay) {
      if (earlier === underWay) break;
      if (earlier.key === task.key) await earlier.end;
    }
    return this.#mayStart() ? lookUp(task, this.#desk) : undefined;
  }

  /** Sends a task unless the ledger prevents it. Resolves to `undefined` if the run was stopped before the task was sent. */
  async #deliver(task: Task, underWay: UnderWay<Item>): Promise<Delivery | undefined> {
    const { item, controller } = underWay;
    const { signal } = controller;
    for (;;) {
      await this.#pauses.wait(signal);
      if (!this.#mayStart()) return undefined;
      const guard = new ClaimGuard(task, this.#desk, () => this.#skip(item, signal));
      underWay.guard = guard;
      const options = { ...this.#settings.callOptions, signal };
      const delivery = await deliver(task, guard, options);
      underWay.guard = undefined;
      const { state } = delivery;
      if (state === "skipped" || state === "accepted" || !delivery.recorded) return delivery;
      const { error } = delivery;
      if (error?.code === "abort" && state !== "unknown") return undefined;
      if (!asksForPause(error)) return delivery;
      if (!this.#pauses.begin(error.retryAfterMs)) this.stop("rate_limit", error);
    }
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
