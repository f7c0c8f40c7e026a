import type { ApiResponse } from "../http/api-promise.ts";
import type { ListRequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import { assertCount, assertSignal, optionOr } from "../options/assertions.ts";
import { MAX_PER_PAGE } from "../schemas/page.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import type { Page, PageData } from "./page.ts";
import {
  type GetPage,
  hasShrunk,
  ItemWalk,
  isRepeated,
  movedTo,
  PageWalk,
  without,
} from "./page-walk.ts";

interface PageQuery {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** Where a page stands in a walk. */
interface Turn<T> {
  /** The page before, which this one must not repeat. */
  readonly before?: PageData<T> | undefined;
  readonly signal?: AbortSignal | undefined;
}

type SendPage<T> = (query: PageQuery, turn: Turn<T>) => Promise<ApiResponse<PageData<T>>>;

/**
 * The pages of a list: nothing is sent until it is awaited (one page) or iterated (every item).
 *
 * @example
 * const page = await v2.lists.list({ page: 2, per_page: 50 });
 * for await (const list of v2.lists.list()) console.log(list.name);
 */
export class PagePromise<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #send: SendPage<T>;
  readonly #query: PageQuery;
  readonly #prefetch: boolean;
  #single: Promise<ApiResponse<Page<T>>> | undefined;

  /** @internal */
  constructor(send: SendPage<T>, query: PageQuery, prefetch: boolean) {
    this.#send = send;
    this.#query = query;
    this.#prefetch = prefetch;
  }

  /** `"PagePromise"`. */
  get [Symbol.toStringTag](): string {
    return "PagePromise";
  }

  /** Settles with one page; awaiting twice sends once. */
  // biome-ignore lint/suspicious/noThenProperty: this is a promise that waits to be asked.
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

  /** Runs when one page is there, or failed, as a promise does. */
  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onFinally);
  }

  /** One page with the whole body and the response. */
  withResponse(): Promise<ApiResponse<Page<T>>> {
    this.#single ??= this.#get(this.#query);
    return this.#single;
  }

  /**
   * Every page from `page` (1 unless given) on, of 1000 records unless `per_page` says otherwise.
   *
   * @example
   * for await (const page of v2.lists.list().pages()) console.log(page.items.length);
   */
  pages(): AsyncIterableIterator<Page<T>> {
    return this.#walk(this.#prefetch);
  }

  /**
   * Every item, page after page, in memory that does not grow. An item that comes again on the next
   * page, because the list has grown before it, is handed out once; one that has moved to the page before,
   * because the list has shrunk, is not left out.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return new ItemWalk(this.pages());
  }

  /**
   * The items in an array; no more pages are asked for than the limit takes.
   *
   * @param options.limit the most items; an integer, 0 or more. Default: none.
   * @example
   * const lists = await v2.lists.list().toArray({ limit: 5_000 });
   */
  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<T[]> {
    const { limit } = options;
    const most = limit === undefined ? Number.POSITIVE_INFINITY : assertCount("limit", limit);
    const items: T[] = [];
    if (most === 0) return items;
    // Nothing is done with a page for which the next one could be fetched meanwhile.
    for await (const item of new ItemWalk(this.#walk(false))) {
      items.push(item);
      if (items.length === most) break;
    }
    return items;
  }

  /** The pages from the one on that was asked for, or from one that is there already. */
  #walk(prefetch: boolean, first?: Page<T>, size?: number): PageWalk<T> {
    const { page = 1, per_page = MAX_PER_PAGE } = this.#query;
    const perPage = size ?? per_page;
    // With the rules off, a text may have been given.
    const start = first?.page ?? Number(page);
    let before = first;
    const getPage: GetPage<T> = async (position, signal) => {
      // The first page is the one that was asked for, as it was asked for.
      const query = Object.is(position, start) ? {} : { page: position };
      before = await this.#getAfter({ ...query, per_page: perPage }, { before, signal });
      return before;
    };
    return new PageWalk(getPage, { start, first, perPage, prefetch });
  }

  async #get(query: PageQuery, { before, signal }: Turn<T> = {}): Promise<ApiResponse<Page<T>>> {
    const { data, body, response } = await this.#send(query, { before, signal });
    return { data: this.#toPage(data, query.per_page ?? data.per_page), body, response };
  }

  /**
   * The page after another. Where the list has shrunk, the page before is read again, and what has moved
   * there stands in front, so that it is not left out.
   */
  async #getAfter(query: PageQuery, { before, signal }: Turn<T>): Promise<Page<T>> {
    const { data: page } = await this.#get(query, { before, signal });
    if (!before || page.pages_count === 0 || !hasShrunk(page, before)) return page;
    const isBefore = page.page === before.page;
    const again = isBefore
      ? page
      : (await this.#get({ ...query, page: before.page }, { signal })).data;
    const moved = again.page === before.page ? movedTo(again, before) : [];
    const next = before.page + 1;
    if (moved.length === 0) return page;
    const items = page.page === next ? [...moved, ...without(page.items, moved)] : moved;
    return this.#toPage({ ...page, page: next, items }, query.per_page ?? page.per_page);
  }

  #toPage(data: PageData<T>, perPage: number): Page<T> {
    const next = data.page < data.pages_count ? data.page + 1 : undefined;
    const page: Page<T> = {
      ...data,
      hasNextPage: () => next !== undefined,
      getNextPage: async () => {
        if (next === undefined) {
          throw new RangeError(
            `there is no next page: this is ${data.page} of ${data.pages_count}`,
          );
        }
        const found = await this.#getAfter({ page: next, per_page: perPage }, { before: page });
        // A list that has shrunk below that page may answer with items that were handed out.
        return found.page === next
          ? found
          : this.#toPage({ ...found, page: next, items: [] }, perPage);
      },
      [Symbol.asyncIterator]: () => new ItemWalk(this.#walk(this.#prefetch, page, perPage)),
    };
    return page;
  }
}

/** An endpoint to which a page that repeats the one before under another number proves nothing. */
const notRepeating = <Input, T>(
  endpoint: Endpoint<Input, never, PageData<T>>,
  before: PageData<T>,
): Endpoint<Input, never, PageData<T>> => ({
  ...endpoint,
  mismatch: (body, input) => {
    const mismatch = endpoint.mismatch?.(body, input);
    if (mismatch || !isRepeated(endpoint.unwrap(body), before)) return mismatch;
    const message = "must be another page than the one before, whose items it repeats";
    return { code: "custom", path: ["page"], message };
  },
});

/** The pages of an endpoint, of which `query` tells where to begin. */
export const paginate = <Input, T>(
  send: Send,
  endpoint: Endpoint<Input, never, PageData<T>>,
  input: NoInfer<Input> & EndpointInput,
  options: ListRequestOptions | undefined,
): PagePromise<T> => {
  const query: PageQuery = { ...input.query };
  const sendPage: SendPage<T> = async (pageQuery, { before, signal: ended }) => {
    const own = optionOr("signal", options?.signal, undefined, assertSignal);
    const signal = own && ended ? AbortSignal.any([own, ended]) : (ended ?? own);
    return send(
      before ? notRepeating(endpoint, before) : endpoint,
      { ...input, query: { ...query, ...pageQuery } },
      ended ? { ...options, signal } : options,
    ).withResponse();
  };
  return new PagePromise(sendPage, query, options?.prefetch === true);
};
