import type { Items } from "./run-options.ts";
import type { ItemResult, RunSummary } from "./run-result.ts";

/** An item that was read. Its object is replaced by a copy if the input reuses it. */
export interface ReadItem<Item> {
  item: Item;
}

/** Returns a shallow copy of an object, and calls none of its getters. */
const copyOf = <Item extends object>(item: Item): Item =>
  Object.defineProperties(
    Array.isArray(item) ? [] : Object.create(Object.getPrototypeOf(item)),
    Object.getOwnPropertyDescriptors(item),
  );

/** Returns whether an object still has the fields of its copy. */
const isUnchanged = <Item extends object>(item: Item, copy: Item): boolean =>
  Object.entries(copy).every(([name, value]) => Object.is(value, item[name as keyof Item]));

/** Reads an input one item at a time. If the input reuses one object for every item, it returns copies. */
export class Input<Item> {
  readonly #iterator: Iterator<Item> | AsyncIterator<Item>;
  #count = 0;
  /** The first item, with a copy of its object from when it was read. */
  #first: { readonly read: ReadItem<object>; readonly copy: object } | undefined;
  #isReused = false;
  #isReading = false;
  #isOver = false;

  constructor(items: Items<Item>) {
    this.#iterator =
      Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  }

  /** Whether the input has ended or failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves to the next item, or to `undefined` at the end. */
  async next(): Promise<ReadItem<Item> | undefined> {
    this.#isReading = true;
    try {
      const result = await this.#readResult();
      return result.done ? undefined : this.#toRead(await result.value);
    } finally {
      this.#isReading = false;
    }
  }

  /** Returns an item that was read. While the second item is being read, the input may be changing the object of the first. */
  itemOf(read: ReadItem<Item>): Item {
    const { read: first, copy } = this.#first ?? {};
    const mayChange = read === first && this.#count === 1 && this.#isReading;
    if (!mayChange || !copy || isUnchanged(first.item, copy)) return read.item;
    return copy as Item;
  }

  /** Closes an input that has not ended. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    const closing = (async () => this.#iterator.return?.())();
    // A generator closes only after its pending read, which may never end: it is not waited for.
    if (this.#isReading) closing.catch(() => {});
    else await closing;
  }

  /** Reads the next result. An iterator that throws has ended, and need not be closed. */
  async #readResult(): Promise<IteratorResult<Item>> {
    try {
      const result = await this.#iterator.next();
      this.#isOver = Boolean(result.done);
      return result;
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
  }

  #toRead(item: Item): ReadItem<Item> {
    const read = { item };
    this.#count += 1;
    if (typeof item !== "object" || item === null) return read;
    if (this.#count === 1) {
      this.#first = { read: read as ReadItem<object>, copy: copyOf(item) };
    } else if (this.#count === 2 && this.#first?.read.item === item) {
      this.#isReused = true;
      this.#first.read.item = this.#first.copy;
    }
    if (this.#isReused) read.item = copyOf(item);
    return read;
  }
}

interface Taker<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

/** Results that wait for their consumer, or a consumer that waits for results. */
export class ResultQueue<T> {
  readonly #ready: T[] = [];
  readonly #takers: Taker<T>[] = [];
  readonly #onTake: () => void;
  #end: { readonly error?: unknown } | undefined;

  /** @param onTake Called when a result is taken from the queue. */
  constructor(onTake: () => void) {
    this.#onTake = onTake;
  }

  /** Number of results in the queue. */
  get length(): number {
    return this.#ready.length;
  }

  push(value: T): void {
    const taker = this.#takers.shift();
    if (taker) taker.resolve({ done: false, value });
    else this.#ready.push(value);
  }

  /** Ends the queue. Remaining results can still be taken; after them, the error is thrown once, or the iteration ends. */
  end(end: { readonly error?: unknown }): void {
    this.#end = end;
    for (const taker of this.#takers.splice(0)) this.#give(taker);
  }

  /** Drops the results in the queue. */
  clear(): void {
    this.#ready.length = 0;
  }

  take(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => this.#give({ resolve, reject }));
  }

  #give(taker: Taker<T>): void {
    if (this.#ready.length > 0) {
      taker.resolve({ done: false, value: this.#ready.shift() as T });
      this.#onTake();
    } else if (!this.#end) {
      this.#takers.push(taker);
    } else if ("error" in this.#end) {
      const { error } = this.#end;
      this.#end = {};
      taker.reject(error);
    } else {
      taker.resolve({ done: true, value: undefined });
    }
  }
}

/** The run behind a {@link BulkRun}. */
export interface RunControl {
  /** Runs to the end. */
  run(): Promise<RunSummary>;
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
  #run: RunControl | undefined;
  #results: ResultQueue<ItemResult<Item>> | undefined;
  #hasStarted = false;
  #wasLeft = false;

  /**
   * @param createRun Checks the options and creates the run.
   * @internal
   */
  constructor(createRun: (results?: ResultQueue<ItemResult<Item>>) => RunControl) {
    // Until this microtask, the caller can ask for an iterator.
    this.#summary = Promise.resolve().then(() => {
      this.#hasStarted = true;
      this.#run = createRun(this.#results);
      if (this.#wasLeft) this.#run.stop("left");
      return this.#run.run();
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
