import { MessagingServiceError, ValidationError } from "../errors.ts";
import type { Page } from "./page.ts";

/** Gets one page of a walk; the signal ends a page that nobody waits for any more. */
export type GetPage<T> = (page: number, signal?: AbortSignal) => Promise<Page<T>>;

const DONE = { done: true, value: undefined } as const;

/** Runs the steps of an iterator one after another, in the order of the `next()` calls. */
class Turns {
  #last: Promise<unknown> | undefined;

  get isFree(): boolean {
    return this.#last === undefined;
  }

  take<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#last === undefined ? step() : this.#last.then(step);
    const last = turn
      .catch(() => {})
      .then(() => {
        if (this.#last === last) this.#last = undefined;
      });
    this.#last = last;
    return turn;
  }
}

/** Walks page after page, up to the `pages_count` that the latest page told. */
export class PageWalk<T> implements AsyncIterableIterator<Page<T>> {
  readonly #getPage: GetPage<T>;
  readonly #perPage: number | undefined;
  readonly #prefetch: boolean;
  readonly #turns = new Turns();
  #ahead: { readonly page: Promise<Page<T>>; readonly controller: AbortController } | undefined;
  /** The page to be handed out next; `undefined` when the walk has ended. */
  #position: number | undefined;

  constructor(
    getPage: GetPage<T>,
    start: number | undefined,
    perPage: number | undefined,
    prefetch: boolean,
  ) {
    this.#getPage = getPage;
    this.#position = start;
    this.#perPage = perPage;
    this.#prefetch = prefetch;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Page<T>, undefined>> {
    return this.#turns.take(() => this.#step());
  }

  async return(): Promise<IteratorResult<Page<T>, undefined>> {
    this.#end();
    return DONE;
  }

  async #step(): Promise<IteratorResult<Page<T>, undefined>> {
    const position = this.#position;
    if (position === undefined) return DONE;
    try {
      const page = await (this.#ahead?.page ?? this.#getPage(position));
      this.#ahead = undefined;
      // Left while it was under way.
      if (this.#position === undefined) return DONE;
      if (page.pages_count > position) this.#goOn(position + 1);
      else this.#end();
      // Another page comes only from a list that has shrunk below this one: those items were handed out.
      return page.page === position ? { done: false, value: page } : DONE;
    } catch (error) {
      this.#end();
      if (MessagingServiceError.is(error) && !ValidationError.is(error)) {
        Object.assign(error, { resume: { page: position, per_page: this.#perPage } });
      }
      throw error;
    }
  }

  #goOn(next: number): void {
    this.#position = next;
    if (!this.#prefetch) return;
    const controller = new AbortController();
    const page = this.#getPage(next, controller.signal);
    // Whether anyone waits for it, is not known yet.
    page.catch(() => {});
    this.#ahead = { page, controller };
  }

  #end(): void {
    this.#position = undefined;
    this.#ahead?.controller.abort();
    this.#ahead = undefined;
  }
}

/** Hands out the items of page after page; within a page, without waiting. */
export class ItemWalk<T> implements AsyncIterableIterator<T> {
  readonly #pages: AsyncIterator<Page<T>, undefined>;
  readonly #turns = new Turns();
  #items: readonly T[];
  #index = 0;

  /** @param items those of a page that is there already, before all others. */
  constructor(pages: AsyncIterator<Page<T>, undefined>, items: readonly T[] = []) {
    this.#pages = pages;
    this.#items = items;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#turns.isFree && this.#index < this.#items.length)
      return Promise.resolve(this.#take());
    return this.#turns.take(() => this.#step());
  }

  async return(): Promise<IteratorResult<T, undefined>> {
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
      const next = await this.#pages.next();
      if (next.done) return DONE;
      this.#items = next.value.items;
      this.#index = 0;
    }
    return this.#take();
  }
}
