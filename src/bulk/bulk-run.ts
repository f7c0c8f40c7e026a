import type { Run } from "./run.ts";
import type { ItemResult, RunSummary } from "./run-result.ts";

type Next<T> = IteratorResult<T, undefined>;

const END: Next<never> = /* @__PURE__ */ Object.freeze({ done: true, value: undefined });

/** Results that wait for the consumer of a run, or a consumer that waits for results. */
class ResultQueue<T> {
  readonly #ready: { readonly value: T; readonly onTaken: () => void }[] = [];
  readonly #takers: ((next: Next<T> | Promise<Next<T>>) => void)[] = [];
  #takeEnd: (() => Next<T> | Promise<Next<T>>) | undefined;

  /** Resolves when the result is taken. */
  push(value: T): Promise<void> {
    return new Promise((onTaken) => {
      const taker = this.#takers.shift();
      if (!taker) {
        this.#ready.push({ value, onTaken });
        return;
      }
      taker({ done: false, value });
      onTaken();
    });
  }

  take(): Promise<Next<T>> {
    return new Promise((resolve) => {
      const ready = this.#ready.shift();
      if (ready) {
        ready.onTaken();
        resolve({ done: false, value: ready.value });
      } else if (this.#takeEnd) {
        resolve(this.#takeEnd());
        this.#takeEnd = () => END;
      } else {
        this.#takers.push(resolve);
      }
    });
  }

  /** Ends the queue. Remaining results can still be taken. After them, `takeEnd` is called once, and may throw the error of the run. */
  end(takeEnd: () => Promise<Next<T>>): void {
    this.#takeEnd = takeEnd;
    for (const taker of this.#takers.splice(0)) taker(this.take());
  }

  /** Drops the results in the queue. */
  clear(): void {
    this.#ready.length = 0;
  }
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
  #run: Run<Item> | undefined;
  #results: ResultQueue<ItemResult<Item>> | undefined;
  #hasStarted = false;
  #wasLeft = false;

  /**
   * @param createRun Checks and reads the options at once, and creates the run.
   * @internal
   */
  constructor(createRun: () => Run<Item>) {
    const created = (async () => {
      this.#run = createRun();
      return this.#run;
    })();
    // Until this microtask, the caller can ask for an iterator.
    this.#summary = created.then((run) => {
      this.#hasStarted = true;
      if (this.#wasLeft) run.stop("left");
      const results = this.#results;
      return run.run(results && ((result) => results.push(result)));
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
    const results = new ResultQueue<ItemResult<Item>>();
    this.#results = results;
    const onEnd = () => results.end(() => this.#summary.then(() => END));
    this.#summary.then(onEnd, onEnd);
    return {
      next: () => results.take(),
      return: async () => {
        this.#wasLeft = true;
        this.#run?.stop("left");
        results.clear();
        await this.#summary;
        return END;
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
