import { invalidOption } from "../../options.ts";

/** Items of a run: an array, a generator, the rows of a file or of a database's cursor. */
export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/**
 * Checks the input of a run.
 *
 * @throws TypeError that names it.
 */
export const assertItems = (name: string, items: Items<unknown>): void => {
  const { [Symbol.iterator]: iterator, [Symbol.asyncIterator]: asyncIterator } = Object(items);
  const isIterable = typeof iterator === "function" || typeof asyncIterator === "function";
  if (isIterable && typeof items !== "string") return;
  throw invalidOption(name, "an iterable or async iterable of items");
};

/** Returns the number of items, if the input knows it. */
export const sizeOf = (items: Items<unknown>): number | undefined => {
  const { length, size } = items as { length?: unknown; size?: unknown };
  return [length, size].find((count) => typeof count === "number");
};

/** Reads an input one item at a time, and closes it when it is left early. */
export class Input<Item> {
  readonly #iterator: Iterator<Item> | AsyncIterator<Item>;
  #isReading = false;
  #isOver = false;
  #onInterrupt: (() => void) | undefined;

  constructor(items: Items<Item>) {
    this.#iterator =
      Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  }

  /** Whether the input has ended or failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves to the next item, or to `undefined` at the end or when interrupted. */
  next(): Promise<{ readonly item: Item } | undefined> {
    return new Promise((resolve, reject) => {
      this.#isReading = true;
      this.#onInterrupt = () => resolve(undefined);
      this.#read().then(resolve, reject);
    });
  }

  /** Ends the current wait for an item. */
  interrupt(): void {
    this.#onInterrupt?.();
  }

  /** Closes an input that has not ended. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    const closing = (async () => this.#iterator.return?.())();
    // A generator closes only after its pending read, which may never end.
    if (this.#isReading) closing.catch(() => {});
    else await closing;
  }

  async #read(): Promise<{ readonly item: Item } | undefined> {
    try {
      const result = await this.#readResult();
      return result.done ? undefined : { item: await result.value };
    } finally {
      this.#isReading = false;
    }
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
}
