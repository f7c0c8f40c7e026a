import type { PhoneMessage } from "./messages.ts";
import type { Webhook } from "./sends.ts";

/** Receiver of the events of messages and webhooks. */
export interface WorldEvents {
  emit(
    event:
      | { readonly type: "message"; readonly message: PhoneMessage }
      | { readonly type: "webhook"; readonly webhook: Webhook },
  ): void;
}

/** Records in the order in which they were added. Beyond a limit, the oldest are forgotten. */
export class History<T> {
  readonly #limit: number;
  #items: T[] = [];
  #isTruncated = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The records; a different array after {@link remove}. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** Whether records were forgotten because of the limit. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length <= this.#limit) return;
    this.#isTruncated = true;
    this.#items.shift();
  }

  /** Replaces a record, if it is still there. */
  replace(item: T, isSame: (known: T) => boolean): void {
    const index = this.#items.findIndex(isSame);
    if (index >= 0) this.#items[index] = item;
  }

  remove(isRemoved: (item: T) => boolean): void {
    this.#items = this.#items.filter((item) => !isRemoved(item));
  }
}
