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
