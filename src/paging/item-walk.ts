import type { Page } from "./page.ts";
import { DONE, Steps } from "./steps.ts";

/** Iterates over the records of page after page; within a page, without waiting. */
export class ItemWalk<T> implements AsyncIterableIterator<T> {
  readonly #pages: AsyncIterator<Page<T>, undefined>;
  readonly #steps = new Steps<T>();
  #items: readonly T[] = [];
  #index = 0;

  constructor(pages: AsyncIterator<Page<T>, undefined>) {
    this.#pages = pages;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#steps.isIdle && this.#index < this.#items.length) {
      return Promise.resolve(this.#take());
    }
    return this.#steps.run(() => this.#step());
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#steps.leave();
    this.#items = [];
    await this.#pages.return?.();
    return DONE;
  }

  #take(): IteratorResult<T, undefined> {
    const value = this.#items[this.#index] as T;
    this.#index += 1;
    return { done: false, value };
  }

  async #step(): Promise<IteratorResult<T, undefined>> {
    while (this.#index >= this.#items.length) {
      const { done, value: page } = await this.#pages.next();
      if (done || this.#steps.isLeft) return DONE;
      this.#items = page.items;
      this.#index = 0;
    }
    return this.#take();
  }
}
