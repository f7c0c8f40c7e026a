/** Items of a run, such as an array, a generator, the rows of a file or a database cursor. */
export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/** An item that was read. Its object is replaced by a copy if the input reuses it. */
export interface ReadItem<Item> {
  item: Item;
  /** Position in the input, starting at 0. */
  readonly index: number;
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
  /** The item that `take` has read and not returned. */
  #ahead: ReadItem<Item> | undefined;
  /** Whether `take` is reading an item. */
  #isAwaited = false;

  constructor(items: Items<Item>) {
    // The caller may reuse an array for the next call.
    const source = Array.isArray(items) ? Array.from<Item>(items) : items;
    this.#iterator =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** Number of items that were read. */
  get count(): number {
    return this.#count;
  }

  /** Whether the input has ended or failed, and whoever reads it knows. */
  get isOver(): boolean {
    return this.#isOver && !this.#isAwaited;
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

  /**
   * Returns the item that was read, if there is one. Otherwise begins to read the next item, and calls back when it was read,
   * or when the input has ended or failed.
   */
  take(onRead: (failure?: { readonly error: unknown }) => void): ReadItem<Item> | undefined {
    const taken = this.#ahead;
    this.#ahead = undefined;
    if (taken || this.#isAwaited || this.#isOver) return taken;
    this.#isAwaited = true;
    const end = (read?: ReadItem<Item>, failure?: { readonly error: unknown }) => {
      this.#isAwaited = false;
      this.#ahead = read;
      onRead(failure);
    };
    this.next().then(end, (error: unknown) => end(undefined, { error }));
    return undefined;
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
    const read = { item, index: this.#count };
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
