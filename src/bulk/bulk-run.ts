import { ResultQueue } from "./result-queue.ts";
import type { ItemResult, RunSummary } from "./run-result.ts";

/** The run behind a {@link BulkRun}. */
export interface RunControl<Item> {
  /** Runs to the end. Gives each result to the queue, if there is one. */
  run(results: ResultQueue<ItemResult<Item>> | undefined): Promise<RunSummary>;
  /** Starts nothing more. */
  stop(reason: "left"): void;
  /** Reports that a result was taken. */
  changed(): void;
}

/**
 * Run of many items. It starts by itself, in the microtask after the call that returned it. Await it for its summary. To
 * receive the result of each item as it ends, iterate over the run in the same tick.
 *
 * The run rejects if an option is invalid, or if the input or a callback throws. As for every promise, the rejection is
 * unhandled if you neither await the run nor iterate over it.
 *
 * @example
 * const run = sendMany(rcs, messages, { batch: "reminders 2026-11-21", ledger });
 * for await (const { key, state } of run) console.log(key, state);
 * const { accepted, inDoubt, stopped } = await run;
 */
export class BulkRun<Item> implements PromiseLike<RunSummary>, AsyncIterable<ItemResult<Item>> {
  readonly #summary: Promise<RunSummary>;
  #run: RunControl<Item> | undefined;
  #results: ResultQueue<ItemResult<Item>> | undefined;
  #hasStarted = false;
  #wasLeft = false;

  /**
   * @param createRun Checks and reads the options at once, and creates the run.
   * @internal
   */
  constructor(createRun: () => RunControl<Item>) {
    const created = (async () => {
      this.#run = createRun();
      return this.#run;
    })();
    // Until this microtask, the caller can ask for an iterator.
    this.#summary = created.then((run) => {
      this.#hasStarted = true;
      if (this.#wasLeft) run.stop("left");
      return run.run(this.#results);
    });
  }

  /** `"BulkRun"`. */
  get [Symbol.toStringTag](): string {
    return "BulkRun";
  }

  /** Resolves to the summary at the end of the run. Rejects if an option is invalid, or if the input or a callback throws. */
  // biome-ignore lint/suspicious/noThenProperty: this is a promise that can also be iterated.
  then<R = RunSummary, E = never>(
    onFulfilled?: ((summary: RunSummary) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#summary.then(onFulfilled, onRejected);
  }

  /** Handles the failure of the run, as a promise does. */
  catch<E = never>(
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<RunSummary | E> {
    return this.#summary.catch(onRejected);
  }

  /** Runs a callback when the run has ended, as a promise does. */
  finally(onFinally?: (() => void) | null): Promise<RunSummary> {
    return this.#summary.finally(onFinally);
  }

  /**
   * Iterates over the results. If you leave the loop early, nothing more starts, and the loop ends when the requests on
   * the wire have ended and are recorded.
   *
   * @throws TypeError if the run has already started, or is iterated over a second time.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<ItemResult<Item>> {
    if (this.#results) throw new TypeError("a run can be iterated over only once");
    if (this.#hasStarted) {
      throw new TypeError(
        "this run has started without an iterator: iterate over it in the same tick, before any await",
      );
    }
    const results = new ResultQueue<ItemResult<Item>>(() => this.#run?.changed());
    this.#results = results;
    this.#summary.then(
      () => results.end({}),
      (error: unknown) => results.end({ error }),
    );
    return {
      next: () => results.take(),
      return: async () => {
        this.#wasLeft = true;
        this.#run?.stop("left");
        results.clear();
        await this.#summary;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
