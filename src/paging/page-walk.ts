import { MessagingServiceError } from "../errors/base.ts";
import { ValidationError } from "../errors/validation-error.ts";
import type { Page, PageData } from "./page.ts";

/** Gets one page of a walk; the signal fires when nobody waits for it any more. */
export type GetPage<T> = (page: number, signal: AbortSignal) => Promise<Page<T>>;

export interface PageWalkOptions<T> {
  /** The page to begin at. */
  readonly start: number;
  /** That page, where it is there already. */
  readonly first?: Page<T> | undefined;
  readonly perPage: number;
  /** Whether the next page is fetched while this one is consumed. */
  readonly prefetch: boolean;
}

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
  readonly #perPage: number;
  readonly #prefetch: boolean;
  readonly #turns = new Turns();
  /** Ends the pages that are under way when the walk ends. */
  readonly #controller = new AbortController();
  /** The next page, where it is there or under way already. */
  #ahead: Promise<Page<T>> | undefined;
  /** The page to be handed out next; `undefined` when the walk has ended. */
  #position: number | undefined;

  constructor(getPage: GetPage<T>, { start, first, perPage, prefetch }: PageWalkOptions<T>) {
    this.#getPage = getPage;
    this.#position = start;
    this.#ahead = first && Promise.resolve(first);
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
      const page = await (this.#ahead ?? this.#getPage(position, this.#controller.signal));
      // Left while it was under way.
      if (this.#position === undefined) return DONE;
      if (page.pages_count > position) this.#goOn(position + 1);
      else this.#end();
      // Another page comes only from a list that has shrunk below this one: those items were handed out.
      return page.page === position ? { done: false, value: page } : DONE;
    } catch (error) {
      if (this.#position === undefined) return DONE;
      this.#end();
      if (MessagingServiceError.is(error) && !ValidationError.is(error)) {
        Object.assign(error, { resume: { page: position, per_page: this.#perPage } });
      }
      throw error;
    }
  }

  #goOn(next: number): void {
    this.#position = next;
    this.#ahead = this.#prefetch ? this.#getPage(next, this.#controller.signal) : undefined;
    // Whether anyone waits for it, is not known yet.
    this.#ahead?.catch(() => {});
  }

  #end(): void {
    this.#position = undefined;
    this.#ahead = undefined;
    this.#controller.abort();
  }
}

const idOf = (item: unknown): unknown => (item as { id?: unknown } | null | undefined)?.id;

/** Whether a later page brings the very items of the page before, though the list has not grown by as many. */
export const isRepeated = <T>(page: PageData<T>, before: PageData<T>): boolean =>
  page.page > before.page &&
  page.items.length > 0 &&
  page.items.length === before.items.length &&
  page.pages_count <= before.pages_count &&
  page.items.every((item, index) => {
    const id = idOf(item);
    return id !== undefined && id === idOf(before.items[index]);
  });

/** Whether items have vanished since the page before was read, as far as the numbers of both tell. */
export const hasShrunk = <T>(page: PageData<T>, before: PageData<T>): boolean =>
  page.pages_count < before.pages_count ||
  // Of scheduled messages, `count` tells no more than the items of the page.
  (before.items.length < before.count && page.count < before.count);

/** Items without those that have the id of one of some others. */
export const without = <T>(items: readonly T[], others: readonly T[]): readonly T[] => {
  const ids = new Set(others.map(idOf));
  return items.filter((item) => idOf(item) === undefined || !ids.has(idOf(item)));
};

/** The items that have moved to a page, read again, from the one after it: behind those that are there still. */
export const movedTo = <T>(again: PageData<T>, before: PageData<T>): readonly T[] => {
  const ids = new Set(before.items.map(idOf));
  ids.delete(undefined);
  const last = again.items.findLastIndex((item) => ids.has(idOf(item)));
  return last < 0 ? [] : again.items.slice(last + 1).filter((item) => idOf(item) !== undefined);
};

/** Hands out the items of page after page; within a page, without waiting. */
export class ItemWalk<T> implements AsyncIterableIterator<T> {
  readonly #pages: AsyncIterator<Page<T>, undefined>;
  readonly #turns = new Turns();
  /** The latest page, and all items of the one before it. */
  #latest: Page<T> | undefined;
  #earlier: readonly T[] = [];
  /** Those of the latest page that are handed out. */
  #items: readonly T[] = [];
  #index = 0;

  constructor(pages: AsyncIterator<Page<T>, undefined>) {
    this.#pages = pages;
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
    this.#latest = undefined;
    this.#earlier = [];
    await this.#pages.return?.();
    return DONE;
  }

  /** The items of a page without those that a list which changed has brought here again. */
  #newOf(page: Page<T>): readonly T[] {
    const latest = this.#latest;
    if (!latest) return page.items;
    const first = idOf(page.items[0]);
    const isAgain = first !== undefined && latest.items.some((item) => idOf(item) === first);
    if (!isAgain && !hasShrunk(page, latest)) return page.items;
    return without(page.items, [...this.#earlier, ...latest.items]);
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
      this.#items = this.#newOf(next.value);
      this.#earlier = this.#latest?.items ?? [];
      this.#latest = next.value;
      this.#index = 0;
    }
    return this.#take();
  }
}
