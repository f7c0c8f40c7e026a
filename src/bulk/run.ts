import { type CallContext, type LedgerError, TimeoutError } from "../errors.ts";
import { withoutUndefined } from "../options.ts";
import { GRACE_MS, type WaitResult, waitFor } from "../wait-for.ts";
import { Yielder } from "../yielder.ts";
import type { RunControl } from "./bulk-run.ts";
import { Delivery, type DeliveryResult, type DeliveryRun } from "./delivery.ts";
import type { Input, ReadItem } from "./input.ts";
import { LedgerBatch } from "./ledger-batch.ts";
import type { InvalidItem, Task } from "./message.ts";
import { Pauses } from "./pauses.ts";
import { PendingItem, PendingItems } from "./pending-items.ts";
import type { ResultQueue } from "./result-queue.ts";
import { askSkip, type RunSettings } from "./run-options.ts";
import type { ItemEnd, ItemResult, RunProgress, RunSummary, StopReason } from "./run-result.ts";
import { RunStops } from "./run-stops.ts";
import type { RunTally } from "./run-tally.ts";
import { toSkippedEnd } from "./skip-reason.ts";
import { type WaitingItem, WaitingItems } from "./waiting-items.ts";

/** Function that converts an item into a task, or into the reason why it cannot be sent. Called once for each item. */
export type Prepare<Item> = (read: ReadItem<Item>) => Promise<Task | InvalidItem>;

/** Result of the wait for the message of an item. */
type Prepared = Exclude<WaitResult<Task | InvalidItem>, "stopped">;

/**
 * Runs a batch: reads items, sends a few at a time, pauses when the service asks for it, and stops where every further item
 * would fail.
 */
export class Run<Item> implements RunControl<Item> {
  readonly #settings: RunSettings<Item>;
  readonly #input: Input<Item>;
  readonly #prepare: Prepare<Item>;
  /** Queue of results for the consumer, if there is one. */
  #results: ResultQueue<ItemResult<Item>> | undefined;
  readonly #ledger: LedgerBatch;
  readonly #tally: RunTally;
  readonly #pending = new PendingItems<Item>();
  readonly #waiting = new WaitingItems<Item>(() => this.changed());
  readonly #stops: RunStops;
  #onChange = () => {};
  readonly #pauses: Pauses;

  constructor(
    settings: RunSettings<Item>,
    tally: RunTally,
    input: Input<Item>,
    prepare: Prepare<Item>,
  ) {
    this.#settings = settings;
    this.#tally = tally;
    this.#input = input;
    this.#prepare = prepare;
    this.#stops = new RunStops(settings, () => this.#onStop());
    this.#ledger = new LedgerBatch(settings, this.#stops.aborted);
    this.#pauses = new Pauses(settings.maxPauseMs, () => this.#report());
  }

  /** Runs the batch. If the input or a callback throws, it rejects with that error after everything under way has ended. */
  async run(results: ResultQueue<ItemResult<Item>> | undefined): Promise<RunSummary> {
    this.#results = results;
    const stopListening = this.#stops.listen((reason) => this.#pending.abort(reason));
    try {
      await this.#startItems();
    } catch (error) {
      this.#stops.fail(error);
    }
    while (this.#pending.size > 0) await this.#change();
    // The last item may have ended although it met a 429: its pause holds nothing back.
    this.#pauses.stop();
    const closing = this.#input.close().catch((error: unknown) => this.#stops.fail(error));
    await waitFor(closing, GRACE_MS);
    await this.#ledger.idle();
    stopListening();
    const { counts, unusable } = this.#tally;
    const isComplete = this.#input.isOver && counts.done === this.#input.count;
    return {
      ...counts,
      ...withoutUndefined({ error: unusable }),
      ...this.#stops.toReason(isComplete),
    };
  }

  /** Starts nothing more, and ends every wait. Requests on the wire run to their end. */
  stop(reason: StopReason): void {
    this.#stops.stop(reason);
  }

  #onStop(): void {
    this.#pending.abortUnsent();
    this.#pauses.stop();
    this.#waiting.stop();
    this.changed();
  }

  /** Wakes the loop: something has changed, such as the number of results that nobody has taken. */
  changed(): void {
    this.#onChange();
  }

  /** Starts one item more than may be sent: its message is made and its key looked up while it waits for a place. */
  async #startItems(): Promise<void> {
    const onRead = (failure?: { readonly error: unknown }) => {
      if (failure) this.#stops.fail(failure.error);
      this.changed();
    };
    const yielder = new Yielder();
    while (this.#stops.mayStart) {
      const waited = this.#waiting.take();
      const read = waited?.read ?? this.#input.take(onRead);
      if (read) {
        const pending = await this.#start(read, waited);
        if (!pending) return;
        if (yielder.shouldYield()) await yielder.yield();
        while (this.#isFull() && !this.#stops.isStopped) await this.#change();
        pending.admit(this.#stops.mayStart);
      } else {
        if (this.#isEnding && this.#waiting.size === 0) return;
        const changed = this.#change();
        if (this.#isEnding && this.#waiting.poll()) this.#report();
        await changed;
      }
    }
  }

  /** Whether the run has nothing left to do but wait for other runs. */
  get #isEnding(): boolean {
    return this.#input.isOver && this.#pending.size === 0;
  }

  /** Makes and serializes the message of an item before the next item is read, which may come in the same object. */
  async #start(
    read: ReadItem<Item>,
    waited: WaitingItem<Item> | undefined,
  ): Promise<PendingItem<Item> | undefined> {
    const prepared = waited
      ? { value: waited.task }
      : await this.#stops.wait(this.#prepare(read), this.#settings.totalTimeoutMs);
    if (prepared === "stopped") return undefined;
    const pending = new PendingItem(read, waited);
    this.#pending.add(pending);
    pending.done = this.#process(pending, prepared)
      .catch((error: unknown) => this.#stops.fail(error))
      .finally(() => {
        this.#pending.delete(pending);
        this.changed();
      });
    return pending;
  }

  async #process(pending: PendingItem<Item>, prepared: Prepared): Promise<void> {
    const result = await this.#resultOf(pending, prepared);
    const { read, task, waited } = pending;
    const skipReason = result?.skipReason;
    if (task && skipReason && this.#waiting.add(read, task, skipReason, waited)) return;
    waited?.cancelTimer();
    if (result?.end) await this.#finish(pending, result.end, result.ledgerError);
  }

  /** Resolves to the result of an item, or to `undefined` if the run stopped first. */
  async #resultOf(
    pending: PendingItem<Item>,
    prepared: Prepared,
  ): Promise<Partial<DeliveryResult> | undefined> {
    if (prepared === "late") {
      await pending.admitted;
      return this.#late({});
    }
    const task = prepared.value;
    pending.key = task.key;
    if ("error" in task) {
      await pending.admitted;
      return { end: { state: "invalid", error: task.error } };
    }
    pending.task = task;
    const known = await this.#lookUp(pending, task);
    if (!(await pending.admitted)) return undefined;
    return known ?? this.#deliver(pending, task);
  }

  /** Looks the key up in the ledger, after an earlier item with the same key has ended. */
  async #lookUp(
    pending: PendingItem<Item>,
    task: Task,
  ): Promise<Partial<DeliveryResult> | undefined> {
    const { key, endpoint } = task;
    const note = await this.#pending.turnOf(pending, key);
    if (note !== undefined) return { end: toSkippedEnd({ reason: "excluded", note }) };
    const waitReason = pending.waited ? undefined : this.#waiting.skipReasonOf(key);
    if (waitReason) return { skipReason: waitReason };
    if (!this.#stops.mayStart) return undefined;
    try {
      const finding = this.#ledger.find(task, { endpoint });
      const found = await this.#stops.wait(finding, this.#settings.totalTimeoutMs);
      if (found === "stopped") return undefined;
      if (found === "late") return this.#late({ endpoint });
      const skipReason = found.value;
      return skipReason && { end: toSkippedEnd(skipReason), skipReason };
    } catch (error) {
      const ledgerError = error as LedgerError;
      return { end: { state: "not_sent", error: ledgerError }, ledgerError };
    }
  }

  /** Sends a task, again after each pause. Resolves to `undefined` if the run stopped first. */
  async #deliver(
    pending: PendingItem<Item>,
    task: Task,
  ): Promise<Partial<DeliveryResult> | undefined> {
    const { callOptions } = this.#settings;
    const options = { ...callOptions, signal: pending.controller.signal };
    // Number of rate limits that the run had met when the latest attempt began.
    let limitsBefore = this.#pauses.limits;
    const run: DeliveryRun = {
      phase: () => {
        limitsBefore = this.#pauses.limits;
        return this.#stops.mayStart ? (this.#pauses.isLimited ? "paused" : "running") : "stopped";
      },
      skip: () => this.#askSkip(pending),
      fail: (error) => this.#stops.fail(error),
      pause: (error) => {
        if (!this.#pauses.add(error, limitsBefore)) this.#stops.stop("rate_limit", error);
      },
    };
    let result: DeliveryResult | undefined;
    do {
      await this.#pauses.current;
      if (!this.#stops.mayStart) return result;
      limitsBefore = this.#pauses.limits;
      pending.delivery = new Delivery(task, this.#ledger, run);
      result = await pending.delivery.send(options);
      pending.delivery = undefined;
    } while (!result.isOver);
    return result;
  }

  /** Calls the caller's `skip`. An error of `skip` ends the run, and is never taken for an error of the service. */
  async #askSkip(pending: PendingItem<Item>): Promise<string | undefined> {
    const { read } = pending;
    try {
      const note = await askSkip(this.#settings.skip, read);
      if (note !== undefined) this.#pending.exclude(pending, note);
      return note;
    } catch (error) {
      this.#stops.fail(error);
      return undefined;
    }
  }

  /** Returns the result of an item whose `totalTimeout` passed before it was sent. */
  #late(context: CallContext): Partial<DeliveryResult> {
    const { totalTimeoutMs } = this.#settings;
    const error = new TimeoutError("total", totalTimeoutMs, "not_sent", context);
    return { end: { state: "not_sent", error } };
  }

  async #finish(
    { key, read }: PendingItem<Item>,
    end: ItemEnd,
    ledgerError: LedgerError | undefined,
  ): Promise<void> {
    const reason = this.#tally.add(end, key);
    if (["accepted", "rejected", "unknown"].includes(end.state)) this.#pauses.reset();
    if (ledgerError) this.#stops.stop("ledger", ledgerError);
    else if (reason) this.#stops.stop(reason, end.error);
    this.#results?.push({ item: read.item, ...withoutUndefined({ key }), ...end });
    await this.#report();
  }

  /** Calls the caller's `onProgress`, and waits for it. Never rejects. */
  async #report(): Promise<void> {
    const { onProgress, total, totalTimeoutMs } = this.#settings;
    if (!onProgress) return;
    const waiting = this.#waiting.size || undefined;
    const progress: RunProgress = {
      ...this.#tally.counts,
      ...withoutUndefined({ total, pausedUntil: this.#pauses.until, waiting }),
    };
    const reported = (async () => onProgress(progress))();
    await this.#stops.wait(
      reported.catch((error: unknown) => this.#stops.fail(error)),
      totalTimeoutMs,
    );
  }

  /** Returns whether too many items are under way. Results in the queue count: the input is read no faster than the consumer takes results. */
  #isFull(): boolean {
    const waiting = this.#results?.length ?? 0;
    return this.#pending.size + waiting > this.#settings.concurrency;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }
}
