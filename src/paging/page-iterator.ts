import { MessagingServiceError, type Resume, ValidationError } from "../errors.ts";
import type { Page, PlainPage } from "./page.ts";
import type { PageReader } from "./page-reader.ts";

/** Result of an iterator that has ended. */
const DONE = { done: true, value: undefined } as const;

type Result<T> = IteratorResult<T, undefined>;

const ignore = () => {};

/** Iterator that runs its steps one at a time, in the order of the `next()` calls, until the caller leaves it. */
abstract class SequentialIterator<T> implements AsyncIterableIterator<T> {
  #pending = 0;
  #last: Promise<void> = Promise.resolve();
  #isLeft = false;

  /** Returns the next result. No two steps run at the same time. */
  protected abstract step(): Promise<Result<T>>;

  /** Releases the resources of the iterator when the caller leaves it. */
  protected abstract leave(): unknown;

  /** Whether the next step would run at once. */
  protected get isIdle(): boolean {
    return this.#pending === 0;
  }

  protected get isLeft(): boolean {
    return this.#isLeft;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result<T>> {
    const result = this.#settle(this.isIdle ? this.step() : this.#last.then(() => this.step()));
    this.#last = result.then(ignore, ignore);
    return result;
  }

  /** Leaves the iterator: no pending or later step yields anything more. */
  async return(): Promise<Result<T>> {
    this.#isLeft = true;
    await this.leave();
    return DONE;
  }

  async #settle(started: Promise<Result<T>>): Promise<Result<T>> {
    this.#pending += 1;
    try {
      const given = await started;
      return this.#isLeft ? DONE : given;
    } catch (error) {
      if (this.#isLeft) return DONE;
      throw error;
    } finally {
      // Runs before the consumer receives the result, whose next call then finds the iterator idle.
      this.#pending -= 1;
    }
  }
}

/** Iterates over pages; each page names the position of the next. */
export class PageIterator<T> extends SequentialIterator<Page<T>> {
  readonly #reader: PageReader<T>;
  readonly #prefetch: boolean;
  /** Ends running requests when the walk ends. */
  readonly #controller = new AbortController();
  /** Next page, if it was read before or requested ahead. */
  #ahead: Promise<PlainPage<T>> | undefined;
  /** Position of the next page to return; `null` when the walk has ended. */
  #position: Resume | null;

  /**
   * @param prefetch Whether to request the next page while the current page is consumed.
   * @param first First page, if it was already read.
   */
  constructor(reader: PageReader<T>, start: Resume, prefetch: boolean, first?: PlainPage<T>) {
    super();
    this.#reader = reader;
    this.#position = start;
    this.#prefetch = prefetch;
    this.#ahead = first && Promise.resolve(first);
  }

  protected async step(): Promise<Result<Page<T>>> {
    const position = this.#position;
    if (position === null) return DONE;
    try {
      const page = await (this.#ahead ?? this.#read(position));
      if (this.isLeft) return DONE;
      if (page.next) this.#goOn(page.next);
      else this.leave();
      return { done: false, value: toPage(this.#reader, page, this.#prefetch) };
    } catch (error) {
      this.leave();
      throw withResume(error, position);
    }
  }

  protected leave(): void {
    this.#position = null;
    this.#ahead = undefined;
    this.#controller.abort();
  }

  async #read(position: Resume): Promise<PlainPage<T>> {
    return (await this.#reader.read(position, this.#controller.signal)).data;
  }

  #goOn(next: Resume): void {
    this.#position = next;
    this.#ahead = this.#prefetch ? this.#read(next) : undefined;
    // A failure is reported when the consumer asks for this page, if ever.
    this.#ahead?.catch(ignore);
  }
}

/** Iterates over all records. Returns the records of a page that was read without waiting. */
export class ItemIterator<T> extends SequentialIterator<T> {
  readonly #pages: AsyncIterator<Pick<Page<T>, "items">, undefined>;
  #items: readonly T[] = [];
  #index = 0;

  constructor(pages: AsyncIterator<Pick<Page<T>, "items">, undefined>) {
    super();
    this.#pages = pages;
  }

  override next(): Promise<Result<T>> {
    const hasItem = this.#index < this.#items.length;
    return hasItem && this.isIdle ? Promise.resolve(this.#take()) : super.next();
  }

  protected async step(): Promise<Result<T>> {
    while (this.#index >= this.#items.length) {
      const { done, value: page } = await this.#pages.next();
      if (done || this.isLeft) return DONE;
      this.#items = page.items;
      this.#index = 0;
    }
    return this.#take();
  }

  protected async leave(): Promise<void> {
    this.#items = [];
    await this.#pages.return?.();
  }

  #take(): Result<T> {
    const value = this.#items[this.#index] as T;
    this.#index += 1;
    return { done: false, value };
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
    return new ItemIterator(new PageIterator(reader, { page: number, per_page }, prefetch, page));
  },
});

/** Adds the position to continue from to an error, except to a `ValidationError`: the same request would fail again. */
const withResume = (error: unknown, resume: Resume): unknown =>
  MessagingServiceError.is(error) && !ValidationError.is(error)
    ? Object.assign(error, { resume })
    : error;
