import { MessagingServiceError, type PagePosition, ValidationError } from "../errors.ts";
import type { Page, PlainPage } from "./page.ts";
import type { PageReader } from "./page-reader.ts";

type Result<T> = IteratorResult<T, undefined>;

/** Result of an iterator that has ended. */
const END = { done: true, value: undefined } as const;

/**
 * Iterates over pages; each page names the position of the next.
 *
 * @param prefetch Whether to request the next page while the current page is consumed.
 * @param first First page, if it was already read.
 */
export const walkPages = <T>(
  reader: PageReader<T>,
  start: PagePosition,
  prefetch: boolean,
  first?: PlainPage<T>,
): AsyncGenerator<Page<T>, undefined> => {
  /** Ends running requests when the walk ends. */
  const controller = new AbortController();
  const read = async (position: PagePosition) =>
    (await reader.read(position, controller.signal)).data;
  let isClosed = false;

  async function* walk(): AsyncGenerator<Page<T>, undefined> {
    let position: PagePosition | null = start;
    let ahead = first && Promise.resolve(first);
    try {
      while (position !== null) {
        const page: PlainPage<T> = await (ahead ?? read(position));
        if (isClosed) return;
        position = page.next;
        ahead = prefetch && position ? read(position) : undefined;
        // A failure is reported when the consumer asks for this page, if ever.
        ahead?.catch(() => {});
        yield toPage(reader, page, prefetch);
      }
    } catch (error) {
      // A consumer that has left is told nothing more.
      if (!isClosed) throw withResume(error, position as PagePosition);
    } finally {
      controller.abort();
    }
  }

  const pages = walk();
  const next = pages.next.bind(pages);
  const close = pages.return.bind(pages);
  // The generator itself would first wait for the request under way, and hand out its page.
  return Object.assign(pages, {
    next: async (): Promise<Result<Page<T>>> => {
      const result = await next();
      return isClosed ? END : result;
    },
    return: (): Promise<Result<Page<T>>> => {
      isClosed = true;
      controller.abort();
      return close(undefined);
    },
  });
};

/** Iterates over all records. Returns the records of a page that was read without waiting. */
export class ItemIterator<T> implements AsyncIterableIterator<T> {
  readonly #pages: AsyncIterator<Pick<Page<T>, "items">, undefined>;
  readonly #walk: AsyncGenerator<T, undefined>;
  #items: readonly T[] = [];
  #index = 0;
  /** Number of calls that wait for a page. A later call must not overtake them. */
  #waiting = 0;
  #isClosed = false;

  constructor(pages: AsyncIterator<Pick<Page<T>, "items">, undefined>) {
    this.#pages = pages;
    this.#walk = this.#walkItems();
  }

  /** Name of an iterator, for `Object.prototype.toString`. Vue then stores it as it is, not as a proxy, which it cannot bear. */
  get [Symbol.toStringTag](): string {
    return "AsyncIterator";
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result<T>> {
    // A generator alone would take twice as long for each record.
    return this.#hasItem && this.#waiting === 0
      ? Promise.resolve({ done: false, value: this.#take() })
      : this.#wait();
  }

  /** Leaves the iterator: no pending or later call yields anything more. */
  async return(): Promise<Result<T>> {
    this.#isClosed = true;
    this.#items = [];
    await this.#pages.return?.();
    return END;
  }

  async #wait(): Promise<Result<T>> {
    this.#waiting += 1;
    try {
      const result = await this.#walk.next();
      return this.#isClosed ? END : result;
    } finally {
      // Runs before the consumer receives the result, whose next call then need not wait.
      this.#waiting -= 1;
    }
  }

  async *#walkItems(): AsyncGenerator<T, undefined> {
    for (;;) {
      if (this.#hasItem) yield this.#take();
      else {
        const { done, value: page } = await this.#pages.next();
        if (done || this.#isClosed) return;
        this.#items = page.items;
        this.#index = 0;
      }
    }
  }

  get #hasItem(): boolean {
    return this.#index < this.#items.length;
  }

  #take(): T {
    const item = this.#items[this.#index] as T;
    this.#index += 1;
    return item;
  }
}

/** Adds the methods of a {@link Page} to its content. */
export const toPage = <T>(
  reader: PageReader<T>,
  page: PlainPage<T>,
  prefetch: boolean,
): Page<T> => ({
  ...page,
  hasNextPage: () => page.next !== null,
  getNextPage: async () => {
    const { next } = page;
    if (next === null) {
      throw new RangeError(
        `there is no next page: this is page ${page.page} of ${page.pages_count}`,
      );
    }
    try {
      return toPage(reader, (await reader.read(next)).data, prefetch);
    } catch (error) {
      throw withResume(error, next);
    }
  },
  [Symbol.asyncIterator]: () => {
    const { page: number, per_page } = page;
    return new ItemIterator(walkPages(reader, { page: number, per_page }, prefetch, page));
  },
});

/** Adds the position to continue from to an error, except to a `ValidationError`: the same request would fail again. */
const withResume = (error: unknown, resume: PagePosition): unknown =>
  MessagingServiceError.is(error) && !ValidationError.is(error)
    ? Object.assign(error, { resume })
    : error;
