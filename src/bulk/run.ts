import { type CallContext, type LedgerError, TimeoutError, toCallError } from "../core/errors.ts";
import { withoutUndefined } from "../core/options.ts";
import { GRACE_MS, waitFor } from "../core/wait-for.ts";
import { Yielder } from "../core/yielder.ts";
import type { Deliver, DeliveryResult, RunTask } from "./delivery.ts";
import { Input, type Items, type ReadItem } from "./input.ts";
import type { InvalidItem } from "./message.ts";
import { callbackError } from "./names.ts";
import { Pauses } from "./pauses.ts";
import { type RunSettings, startStackAtCall } from "./run-options.ts";
import type { ItemOutcome, ItemResult, RunProgress, RunSummary, StopReason } from "./run-result.ts";
import { RunStops } from "./run-stops.ts";
import { RunTally } from "./run-tally.ts";
import { type SkipDetails, TimedLedger, toSkippedOutcome } from "./timed-ledger.ts";
import { type Waited, WaitingItems } from "./waiting-items.ts";

/** Number of waiting items at which the run returns to them before it reads further items. */
const MAX_WAITING = 1000;

const DUPLICATE: SkipDetails = /* @__PURE__ */ Object.freeze({ reason: "duplicate" });

/** Function that prepares the items of a run, and what kind of run it is. */
interface Tasks<Item> {
  /** Converts an item into a task, or into the reason why it cannot be sent. Called once for each item. */
  readonly prepare: (read: ReadItem<Item>) => Promise<RunTask | InvalidItem>;
  readonly isRemoval?: true;
  readonly isPreview?: true;
}

/** Function that receives the result of an item. The run continues with further items when the promise has settled. */
export type OnResult<Item> = (result: ItemResult<Item>, index: number) => Promise<void> | undefined;

/** Work in progress on an item. The promise is in an object, because an async generator awaits a promise that it yields. */
interface Job {
  readonly done: Promise<void>;
}

interface PreparedItem<Item> {
  readonly read: ReadItem<Item>;
  /** Absent if `totalTimeout` passed first. */
  readonly prepared: RunTask | InvalidItem | undefined;
  readonly waited?: Waited;
}

/** Runs a batch with `concurrency` workers that share one generator. Pauses when asked, and stops if further items would fail. */
export class Run<Item> {
  readonly #settings: RunSettings<Item>;
  readonly #input: Input<Item>;
  readonly #tasks: Tasks<Item>;
  #onResult: OnResult<Item> | undefined;
  readonly #ledger: TimedLedger;
  readonly #tally: RunTally;
  readonly #stops: RunStops;
  readonly #pauses: Pauses;
  /** Promise for the end of the latest job of each key under way. */
  readonly #jobs = new Map<string, Promise<void>>();
  /** Reasons why later items with a key are skipped: `skip` returned a note, or an earlier run has settled the key. */
  readonly #skips = new Map<string, SkipDetails>();
  /** Items whose keys are in progress in other runs. */
  readonly #waiting: WaitingItems<PreparedItem<Item>>;
  readonly #deliveries = new Map<ReturnType<Deliver>, AbortController>();

  constructor(settings: RunSettings<Item>, items: Items<Item>, tasks: Tasks<Item>) {
    this.#settings = settings;
    this.#tally = new RunTally(tasks.isRemoval === true, settings.stopAfterFailures);
    this.#input = new Input(items);
    this.#waiting = new WaitingItems(settings.callMs);
    this.#tasks = tasks;
    this.#stops = new RunStops(settings, () => {
      for (const [delivery, controller] of this.#deliveries) {
        if (!delivery.isOnWire) controller.abort();
      }
      this.#pauses.stop();
    });
    this.#ledger = new TimedLedger(settings, settings.signal);
    this.#pauses = new Pauses(settings.maxPauseMs, () => this.#report());
  }

  /** Runs the batch. If the input or a callback throws, it rejects with that error after everything under way has ended. */
  async run(onResult?: OnResult<Item>): Promise<RunSummary> {
    this.#onResult = onResult;
    const stopListening = this.#stops.listen((reason) => {
      for (const controller of this.#deliveries.values()) controller.abort(reason);
    });
    await this.#work(this.#items(), this.#settings.concurrency - 1);
    // The last item may have ended although it met a 429. Its pause no longer delays anything.
    this.#pauses.stop();
    const closing = this.#input.close().catch((error: unknown) => this.#stops.fail(error));
    await waitFor(closing, GRACE_MS);
    await this.#ledger.idle();
    if (!this.#tasks.isPreview) await this.#askAboutDoubts();
    stopListening();
    const { counts, unusable } = this.#tally;
    const isComplete = this.#input.isOver && counts.done === this.#input.count;
    const reason = this.#stops.toReason(isComplete);
    return startStackAtCall(this.#settings.origin, {
      ...counts,
      // The error of a run that stopped is the error that stopped it.
      ...withoutUndefined({ error: reason.stopped ? undefined : unusable }),
      ...reason,
    });
  }

  /** Looks up the keys in doubt once more, because a webhook may have confirmed them in the meantime. */
  async #askAboutDoubts(): Promise<void> {
    const tasks = this.#tally.tasksInDoubt;
    const ask = async () => {
      for (let task = tasks.pop(); task; task = tasks.pop()) {
        const { endpoint } = task;
        this.#tally.learn(task, await this.#ledger.find(task, { endpoint }));
      }
    };
    // If the ledger fails, the keys stay in doubt.
    const asked = Promise.all(Array.from({ length: this.#settings.concurrency }, ask)).catch(
      () => {},
    );
    if (this.#stops.isStopped) await waitFor(asked, GRACE_MS);
    else await this.#stops.wait(asked, this.#settings.ledgerTimeoutMs);
    tasks.length = 0;
  }

  /** Stops the run: nothing more starts, and every wait ends. Requests on the wire finish. */
  stop(reason: StopReason): void {
    this.#stops.stop(reason);
  }

  /** Works through one item after another, next to `others` further workers. */
  async #work(jobs: AsyncGenerator<Job>, others: number): Promise<void> {
    let next: Promise<void> | undefined;
    for await (const { done } of jobs) {
      if (others > 0) next ??= this.#work(jobs, others - 1);
      await done;
    }
    await next;
  }

  /**
   * Starts the items of the input, and then the items that wait for other runs. The message of an item is made before the next
   * item is read.
   */
  async *#items(): AsyncGenerator<Job> {
    const yielder = new Yielder();
    try {
      while (!this.#stops.isStopped) {
        await yielder.turn();
        const reading = await this.#stops.wait(this.#input.next());
        if (typeof reading === "string") return;
        const read = reading.value;
        if (!read) break;
        const preparing = this.#tasks.prepare(read);
        const prepared = await this.#stops.wait(preparing, this.#settings.totalTimeoutMs);
        if (prepared === "stopped") return;
        const task = prepared === "late" ? undefined : prepared.value;
        yield this.#begin({ read, prepared: task });
        if (this.#waiting.count >= MAX_WAITING) yield* this.#comeBack(MAX_WAITING / 2);
      }
      await Promise.all(this.#jobs.values());
      if (this.#waiting.count > 0) await this.#report();
      yield* this.#comeBack(0);
    } catch (error) {
      this.#stops.fail(error);
    }
  }

  /** Starts the items that wait for other runs, again and again, until at most `rest` of them are left. */
  async *#comeBack(rest: number): AsyncGenerator<Job> {
    const waiting = this.#waiting;
    for (;;) {
      // An item under way may have to wait again.
      await Promise.all(this.#jobs.values());
      if (waiting.count <= rest) return;
      const { pauseMs } = waiting;
      await this.#stops.wait(new Promise<never>(() => {}), pauseMs);
      for (const item of waiting.take(pauseMs)) yield this.#begin(item);
    }
  }

  /** Starts an item after the earlier items with its key have ended. The promise of its work never rejects. */
  #begin(item: PreparedItem<Item>): Job {
    const key = item.prepared?.key;
    const earlier = key === undefined ? undefined : this.#jobs.get(key);
    const done = (async () => {
      await earlier;
      await this.#process(item);
    })()
      .catch((error: unknown) => this.#stops.fail(error))
      .finally(() => {
        if (key !== undefined && this.#jobs.get(key) === done) this.#jobs.delete(key);
      });
    if (key !== undefined) this.#jobs.set(key, done);
    return { done };
  }

  async #process(item: PreparedItem<Item>): Promise<void> {
    const { outcome, skipReason, ledgerError } = await this.#resultOf(item);
    const { entry, leftMs } = skipReason ?? {};
    const key = item.prepared?.key;
    const isInProgress = key !== undefined && leftMs !== undefined;
    if (isInProgress && this.#waiting.add(key, item, entry?.id, leftMs)) return;
    if (outcome) await this.#finish(item, outcome, ledgerError);
  }

  /** Resolves to the result of an item, without an outcome if the run stopped first. */
  async #resultOf({ read, prepared: task }: PreparedItem<Item>): Promise<DeliveryResult> {
    if (!task) return this.#late({});
    if ("error" in task) return { outcome: { state: "invalid", error: task.error } };
    return (await this.#lookUp(task)) ?? (await this.#deliver(read, task));
  }

  /** Looks up the key of a task. Resolves to `undefined` if the task may be sent. */
  async #lookUp(task: RunTask): Promise<DeliveryResult | undefined> {
    const { key, endpoint } = task;
    const skip = this.#skips.get(key);
    if (skip) return { outcome: toSkippedOutcome(skip) };
    if (this.#stops.isStopped) return {};
    // An item does not overtake an earlier item with the same key.
    if (this.#waiting.has(key)) {
      return { skipReason: { reason: "in_doubt", leftMs: Number.POSITIVE_INFINITY } };
    }
    try {
      const finding = this.#ledger.find(task, { endpoint });
      const found = await this.#stops.wait(finding, this.#settings.totalTimeoutMs);
      if (found === "stopped") return {};
      if (found === "late") return this.#late({ endpoint });
      const skipReason = found.value;
      return skipReason && { outcome: toSkippedOutcome(skipReason), skipReason };
    } catch (error) {
      return { outcome: { state: "not_sent", error: error as LedgerError } };
    }
  }

  /** Sends a task, and sends it again after each pause. Resolves to a result without an outcome if the run stopped first. */
  async #deliver(read: ReadItem<Item>, task: RunTask): Promise<DeliveryResult> {
    const delivery = task.deliver(this.#ledger, {
      totalTimeoutMs: this.#settings.totalTimeoutMs,
      status: () => this.#status,
      skip: () => this.#askSkip(read, task.key),
    });
    let result: DeliveryResult = {};
    do {
      await this.#pauses.current;
      // A removal that a pause has postponed may be in doubt.
      if (this.#stops.isStopped) return result;
      result = await this.#send(delivery);
    } while (result.isPostponed);
    return result;
  }

  /** Makes one call of a delivery. A pause or a stop begins before the result is recorded. */
  async #send(delivery: ReturnType<Deliver>): Promise<DeliveryResult> {
    const controller = new AbortController();
    this.#deliveries.set(delivery, controller);
    try {
      const options = { ...this.#settings.callOptions, signal: controller.signal };
      const { limit, failure, result } = await delivery.send(options);
      if (failure) this.#stops.fail(failure);
      if (limit && !this.#pauses.add(limit)) this.#stops.stop("rate_limit", limit);
      return await result;
    } finally {
      this.#deliveries.delete(delivery);
    }
  }

  get #status(): "running" | "paused" | "stopped" {
    if (this.#stops.isStopped) return "stopped";
    return this.#pauses.isLimited ? "paused" : "running";
  }

  /** Calls the caller's `skip`. An error of `skip` ends the run and is never mistaken for an error of the service. */
  async #askSkip(read: ReadItem<Item>, key: string): Promise<string | undefined> {
    try {
      const note = await this.#settings.skip?.(read.item);
      if (!note) return undefined;
      if (typeof note !== "string") throw callbackError("skip", note, "a string, or nothing", read);
      this.#skips.set(key, { reason: "excluded", note });
      return note;
    } catch (error) {
      this.#stops.fail(error);
      return undefined;
    }
  }

  /** Returns the result of an item whose `totalTimeout` passed before it was sent. */
  #late(context: CallContext): DeliveryResult {
    const { totalTimeoutMs } = this.#settings;
    const error = toCallError(new TimeoutError("total", totalTimeoutMs, "not_sent"), context);
    return { outcome: { state: "not_sent", error } };
  }

  async #finish(
    { read: { item, index }, prepared }: PreparedItem<Item>,
    outcome: ItemOutcome,
    ledgerError: LedgerError | undefined,
  ): Promise<void> {
    const key = prepared?.key;
    const reason = this.#tally.add(outcome, prepared);
    // If this run has sent a key, the ledger contains it. A key that `skip` or `allowRecipient` excluded is not settled.
    if (key !== undefined && outcome.state === "skipped" && outcome.reason !== "excluded") {
      this.#skips.set(key, DUPLICATE);
    }
    if (["accepted", "rejected", "unknown"].includes(outcome.state)) this.#pauses.reset();
    if (ledgerError) this.#stops.stop("ledger", ledgerError);
    else if (reason) this.#stops.stop(reason, outcome.error);
    const result = { item, ...withoutUndefined({ key }), ...outcome };
    const taken = this.#onResult?.(startStackAtCall(this.#settings.origin, result), index);
    await this.#report();
    // The input is read no faster than the consumer takes results.
    if (taken) await this.#stops.wait(taken);
    this.#input.release(item);
  }

  /** Calls the caller's `onProgress` and waits for it. Never rejects. */
  async #report(): Promise<void> {
    const { onProgress, total, totalTimeoutMs } = this.#settings;
    if (!onProgress) return;
    const waiting = this.#waiting.count || undefined;
    const details = withoutUndefined({ total, pausedUntil: this.#pauses.until, waiting });
    const progress: RunProgress = { ...this.#tally.counts, ...details };
    const reported = (async () => onProgress(progress))();
    await this.#stops.wait(
      reported.catch((error: unknown) => this.#stops.fail(error)),
      totalTimeoutMs,
    );
  }
}
