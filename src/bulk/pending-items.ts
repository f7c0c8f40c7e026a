import type { Delivery } from "./delivery.ts";
import type { ReadItem } from "./input.ts";
import type { Task } from "./message.ts";
import type { WaitingItem } from "./waiting-items.ts";

/** An item that was read, has no result yet, and does not wait for another run. */
export class PendingItem<Item> {
  readonly read: ReadItem<Item>;
  readonly controller = new AbortController();
  /** Key of the item, once it is known. */
  key: string | undefined;
  /** Task of the item, unless it is invalid. */
  task: Task | undefined;
  /** The current delivery; absent between two deliveries. */
  delivery: Delivery | undefined;
  /** The item as it waited for another run, if it did. */
  readonly waited: WaitingItem<Item> | undefined;
  /** Resolves when the item has ended, or waits for another run. */
  done = Promise.resolve();
  /** Admits the item, or tells it that the run has stopped. */
  admit = (_mayStart: boolean): void => {};
  /** Resolves when a place is free or the run has stopped: to whether the item may be sent. */
  readonly admitted = new Promise<boolean>((resolve) => {
    this.admit = resolve;
  });

  constructor(read: ReadItem<Item>, waited: WaitingItem<Item> | undefined) {
    this.read = read;
    this.waited = waited;
  }
}

/** The pending items of a run. Items with the same key take turns, and a note of `skip` counts for all of them. */
export class PendingItems<Item> {
  readonly #items = new Set<PendingItem<Item>>();
  readonly #latestByKey = new Map<string, PendingItem<Item>>();
  /** Notes of `skip`, by key. They outlive their items. */
  readonly #notes = new Map<string, string>();

  get size(): number {
    return this.#items.size;
  }

  add(item: PendingItem<Item>): void {
    this.#items.add(item);
  }

  /** Resolves when the earlier items with the key of an item have ended: to the note of one that `skip` excluded. */
  async turnOf(item: PendingItem<Item>, key: string): Promise<string | undefined> {
    const earlier = this.#latestByKey.get(key);
    this.#latestByKey.set(key, item);
    await earlier?.done;
    return this.#notes.get(key);
  }

  /** Excludes later items with the key of an item. */
  exclude({ key }: PendingItem<Item>, note: string): void {
    if (key !== undefined) this.#notes.set(key, note);
  }

  delete(item: PendingItem<Item>): void {
    this.#items.delete(item);
    const { key } = item;
    if (key !== undefined && this.#latestByKey.get(key) === item) this.#latestByKey.delete(key);
  }

  /** Aborts the items, except those whose request is on the wire. */
  abortUnsent(): void {
    for (const { controller, delivery } of this.#items) {
      if (!delivery?.isOnWire) controller.abort();
    }
  }

  /** Aborts every item. */
  abort(reason: unknown): void {
    for (const { controller } of this.#items) controller.abort(reason);
  }
}
