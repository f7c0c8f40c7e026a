import { ResultQueue } from "./result-queue.ts";
import type { RunLoop } from "./run-loop.ts";
import type { ItemResult, RunSummary } from "./run-result.ts";

/** Function that creates the loop of a run; it throws a `TypeError` for invalid options. */
export type CreateLoop<Item> = (results?: ResultQueue<ItemResult<Item>>) => RunLoop<Item>;

/**
 * A run of many items. Nothing starts until you await it for its summary, or iterate it for the result of each
 * item in the order in which they end. It runs once.
 *
 * @example
 * const run = sendMany(rcs, messages, { batch: "reminders 2026-11-21", ledger });
 * for await (const { key, state } of run) console.log(key, state);
 * const { accepted, unknown, stopped } = await run;
 */
export class BulkRun<Item> implements PromiseLike<RunSummary>, AsyncIterable<ItemResult<Item>> {
  readonly #createLoop: CreateLoop<Item>;
  #summary: Promise<RunSummary> | undefined;

  /** @internal */
  constructor(createLoop: CreateLoop<Item>) {
    this.#createLoop = createLoop;
  }

  /** `"BulkRun"`. */
  get [Symbol.toStringTag](): string {
    return "BulkRun";
  }

  /** Resolves to the summary at the end of the run; rejects if an option is invalid, or the input or a callback throws. */
  // biome-ignore lint/suspicious/noThenProperty: this is a promise that starts when it is awaited.
  then<R = RunSummary, E = never>(
    onFulfilled?: ((summary: RunSummary) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    this.#summary ??= (async () => this.#createLoop().run())();
    return this.#summary.then(onFulfilled, onRejected);
  }

  /** Handles the failure of the run, as a promise does. */
  catch<E = never>(
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<RunSummary | E> {
    return this.then(undefined, onRejected);
  }

  /** Runs a callback when the run has ended, as a promise does. */
  finally(onFinally?: (() => void) | null): Promise<RunSummary> {
    return this.then().finally(onFinally);
  }

  /**
   * Iterates over the results. When you leave the loop, nothing more starts, and the run waits until the items under
   * way have ended and are recorded.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<ItemResult<Item>> {
    let loop: RunLoop<Item> | undefined;
    const results = new ResultQueue<ItemResult<Item>>(() => loop?.changed());
    const start = async () => {
      if (this.#summary) throw new TypeError("a run is iterated once, before it is awaited");
      this.#summary = (async () => {
        loop = this.#createLoop(results);
        return loop.run();
      })();
      this.#summary.then(
        () => results.end({}),
        (error: unknown) => results.end({ error }),
      );
    };
    let started: Promise<void> | undefined;
    return {
      next: async () => {
        started ??= start();
        await started;
        return results.take();
      },
      return: async () => {
        loop?.stop("left");
        results.clear();
        if (loop) await this.#summary;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
