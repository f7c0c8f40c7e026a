/** Records in the order in which they were added. Beyond a limit, the oldest are dropped. */
export class History<T> {
  readonly #limit: number;
  /** Whether records were dropped because of the limit. */
  isTruncated = false;
  #items: T[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The records; a different array after {@link remove}. */
  get items(): readonly T[] {
    return this.#items;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length <= this.#limit) return;
    this.isTruncated = true;
    this.#items.shift();
  }

  /** Replaces a record and returns whether it was still there. */
  replace(known: T, item: T): boolean {
    const index = this.#items.indexOf(known);
    if (index >= 0) this.#items[index] = item;
    return index >= 0;
  }

  remove(isRemoved: (item: T) => boolean): void {
    this.#items = this.#items.filter((item) => !isRemoved(item));
  }
}
