/** Items of a run, such as an array, a generator, or the rows of a file or query. */
export type Items<Item> = readonly Item[] | Iterable<Item> | AsyncIterable<Item>;

export interface ReadItem<Item> {
  /** The item, as the input gave it. */
  readonly item: Item;
  /** Position in the input, starting at 0. */
  readonly index: number;
}

export class Input<Item> {
  readonly #iterator: Iterator<Item> | AsyncIterator<Item>;
  #count = 0;
  /** Objects under way that the iterator yielded. It must not yield them again, nor the latest object, even if that has ended. */
  readonly #underWay = new Set<Item>();
  #latest: unknown;
  readonly #isArray: boolean;
  #isReading = false;
  #isOver = false;

  constructor(items: Items<Item>) {
    this.#isArray = Array.isArray(items);
    // The caller may reuse an array for the next call.
    const source = this.#isArray ? Array.from(items as readonly Item[]) : items;
    this.#iterator =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the input has ended or failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  async next(): Promise<ReadItem<Item> | undefined> {
    this.#isReading = true;
    try {
      const result = await this.#readResult();
      return result.done ? undefined : this.#toRead(await result.value);
    } finally {
      this.#isReading = false;
    }
  }

  /** Call this when the work on an item has ended. */
  release(item: Item): void {
    this.#underWay.delete(item);
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    const closing = (async () => this.#iterator.return?.())();
    // A generator closes only after its pending read, which may never end, so the close is not awaited. Its error would come after
    // the end of the run.
    if (this.#isReading) closing.catch(() => {});
    else await closing;
  }

  /** Reads the next result. An iterator that throws has ended and need not be closed. */
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
    const index = this.#count;
    const isObject = !this.#isArray && Object(item) === item;
    // If an object is reused, `skip` and the results could concern the wrong person.
    if (isObject && (item === this.#latest || this.#underWay.has(item))) {
      throw new TypeError(
        `the input yielded the same object again at index ${index}: yield a copy of each item`,
      );
    }
    this.#latest = item;
    if (isObject) this.#underWay.add(item);
    this.#count += 1;
    return { item, index };
  }
}
