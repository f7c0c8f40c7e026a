import { startStackHere } from "../core/errors.ts";
import type { Run } from "./run.ts";
import type { ItemResult, RunSummary } from "./run-result.ts";

/** Passes a result to the consumer of a run. Resolves when the consumer has taken it. */
type Push<Item> = (result: ItemResult<Item>) => Promise<void>;

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
  #push: Push<Item> | undefined;
  #hasStarted = false;

  /** @internal */
  constructor(createRun: () => Run<Item>) {
    this.#summary = (async () => {
      let run: Run<Item>;
      try {
        run = createRun();
      } catch (error) {
        throw startStackHere(error);
      }
      this.#run = run;
      // Until the next microtask, the caller can request an iterator.
      await undefined;
      this.#hasStarted = true;
      return run.run(this.#push);
    })();
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
   * Iterates over the results. If you leave the loop early, the run stops, and the loop ends when the requests on the wire
   * have finished and are recorded.
   *
   * @throws TypeError if the run has already started, or is iterated over a second time.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<ItemResult<Item>> {
    if (this.#push) throw new TypeError("a run can be iterated over only once");
    if (this.#hasStarted) {
      throw new TypeError(
        "this run has started without an iterator: iterate over it in the same tick, before any await",
      );
    }
    const summary = this.#summary;
    const ready: { readonly result: ItemResult<Item>; readonly onTaken: () => void }[] = [];
    let isOver = false;
    let wake = () => {};
    this.#push = (result) =>
      new Promise((onTaken) => {
        ready.push({ result, onTaken });
        wake();
      });
    const end = () => {
      isOver = true;
      wake();
    };
    summary.then(end, end);
    const results = (async function* () {
      while (ready.length > 0 || !isOver) {
        const next = ready.shift();
        if (next) {
          next.onTaken();
          yield next.result;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      // If the run failed, the loop throws its error after the last result.
      await summary;
    })();
    return {
      next: () => results.next(),
      return: async () => {
        this.#run?.stop("left");
        ready.length = 0;
        await summary;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
