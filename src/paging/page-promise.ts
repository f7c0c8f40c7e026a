import type { Resume } from "../errors.ts";
import type { ApiResponse } from "../http/api-promise.ts";
import { assertCount, assertObject, optionOr } from "../options.ts";
import { maxPageSize } from "../schemas/shared/page.ts";
import { ItemWalk } from "./item-walk.ts";
import type { Page } from "./page.ts";
import { PageWalk, withResume } from "./page-walk.ts";
import { type PagedList, type Position, type ReadPage, readPage } from "./read-page.ts";

/**
 * Promise of one page of a list, and iterable of all its records. Nothing is sent until you await or iterate it.
 *
 * @example
 * const page = await v2.lists.list({ page: 2, per_page: 50 });
 * for await (const list of v2.lists.list()) console.log(list.name);
 */
export class PagePromise<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #list: PagedList<T>;
  readonly #position: Position;
  readonly #prefetch: boolean;
  #single: Promise<ApiResponse<Page<T>>> | undefined;

  /** @internal */
  constructor(list: PagedList<T>, position: Position, prefetch: boolean) {
    this.#list = list;
    this.#position = position;
    this.#prefetch = prefetch;
  }

  /** `"PagePromise"`. */
  get [Symbol.toStringTag](): string {
    return "PagePromise";
  }

  /** Resolves to one page. Awaiting it twice sends one request. */
  // biome-ignore lint/suspicious/noThenProperty: this is a promise whose request starts with `then`.
  then<R = Page<T>, E = never>(
    onFulfilled?: ((page: Page<T>) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  /** Handles the failure of one page, as a promise does. */
  catch<E = never>(
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<Page<T> | E> {
    return this.then(undefined, onRejected);
  }

  /** Runs a callback when one page has been read or has failed, as a promise does. */
  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onFinally);
  }

  /** Resolves to one page together with the whole body and the response. */
  withResponse(): Promise<ApiResponse<Page<T>>> {
    this.#single ??= readPage(this.#list, this.#position).then(({ data, ...rest }) => ({
      data: this.#toPage(data),
      ...rest,
    }));
    return this.#single;
  }

  /**
   * Iterates over the pages, starting at `page` (default: 1), with `per_page` records each (default: 1000). A record that
   * comes again because the list has grown is only on the first page that held it.
   *
   * @throws The errors of the call, each with `resume`, the position of the page that failed.
   * @example
   * for await (const page of v2.lists.list().pages()) console.log(page.items.length);
   */
  pages(): AsyncIterableIterator<Page<T>> {
    return this.#walk(this.#prefetch);
  }

  /** Iterates over the records of all these pages, in constant memory. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return new ItemWalk(this.pages());
  }

  /**
   * Collects the records in an array. It requests no more pages than the limit needs.
   *
   * @param options.limit Maximum number of records; an integer, 0 or more. Default: no limit.
   * @throws TypeError (as a rejection) when an option is not valid.
   * @throws The errors of the call, each with `resume`, the position of the page that failed.
   * @example
   * const lists = await v2.lists.list().toArray({ limit: 5_000 });
   */
  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<T[]> {
    const { limit } = assertObject("options", options);
    const most = optionOr("limit", limit, Number.POSITIVE_INFINITY, assertCount);
    const items: T[] = [];
    if (most === 0) return items;
    // A page is consumed at once, so nothing is gained by reading the next one ahead.
    for await (const item of new ItemWalk(this.#walk(false))) {
      items.push(item);
      if (items.length === most) break;
    }
    return items;
  }

  #walk(prefetch: boolean): PageWalk<T> {
    const { page, per_page = maxPageSize, after } = this.#position;
    const { filters } = this.#list;
    // If the rules are turned off, the page may be a string.
    const start = { ...filters, page: Number(page ?? 1), per_page, ...(after && { after }) };
    return this.#walkFrom(start, prefetch);
  }

  #walkFrom(start: Resume, prefetch: boolean, first?: Page<T>): PageWalk<T> {
    return new PageWalk((position, signal) => this.#getPage(position, signal), {
      ...{ start, first, prefetch },
    });
  }

  async #getPage(position: Resume, signal?: AbortSignal): Promise<Page<T>> {
    const { data } = await readPage(this.#list, position, signal);
    return this.#toPage(data);
  }

  #toPage(read: ReadPage<T>): Page<T> {
    const { next } = read;
    const page: Page<T> = {
      ...read,
      hasNextPage: () => next !== undefined,
      getNextPage: async () => {
        if (next === undefined) {
          throw new RangeError(
            `there is no next page: this is page ${read.page} of ${read.pages_count}`,
          );
        }
        return this.#getPage(next).catch((error: unknown) => {
          throw withResume(error, next);
        });
      },
      [Symbol.asyncIterator]: () => {
        const { page: number, per_page } = read;
        return new ItemWalk(this.#walkFrom({ page: number, per_page }, this.#prefetch, page));
      },
    };
    return page;
  }
}
