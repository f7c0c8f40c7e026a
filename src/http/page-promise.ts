import { MAX_PER_PAGE } from "../schemas/page.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import type { ApiResponse } from "./api-promise.ts";
import type { ListRequestOptions } from "./call-options.ts";
import { isCount } from "./option-checks.ts";
import type { Page, PageData } from "./page.ts";
import { ItemWalk, PageWalk } from "./page-walk.ts";
import type { Send } from "./send.ts";

interface PageQuery {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

type SendPage<T> = (query: PageQuery, signal?: AbortSignal) => Promise<ApiResponse<PageData<T>>>;

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

  catch<E = never>(
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<Page<T> | E> {
    return this.then(undefined, onRejected);
  }

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
    const { page = 1, per_page = MAX_PER_PAGE } = this.#query;
    return this.#walk(page, per_page);
  }

  /** Every item, page after page, in memory that does not grow. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return new ItemWalk(this.pages());
  }

  /**
   * The items in an array; no more pages are asked for than the limit takes.
   *
   * @param options.limit the most items; an integer, 0 or more. Default: none.
   */
  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<T[]> {
    const { limit } = options;
    const most = limit === undefined ? Number.POSITIVE_INFINITY : isCount("limit", limit);
    const items: T[] = [];
    if (most === 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length === most) break;
    }
    return items;
  }

  /** The pages from `start` on; none when that is `undefined`. */
  #walk(start: number | undefined, perPage: number | undefined): PageWalk<T> {
    const { page: given } = this.#query;
    const getPage = async (page: number, signal?: AbortSignal) => {
      // The first page goes without saying, unless it was said.
      const query = page === 1 && given === undefined ? {} : { page };
      return (await this.#get({ ...query, per_page: perPage }, signal)).data;
    };
    return new PageWalk(getPage, start, perPage, this.#prefetch);
  }

  async #get(query: PageQuery, signal?: AbortSignal): Promise<ApiResponse<Page<T>>> {
    const { data, body, response } = await this.#send(query, signal);
    const perPage = query.per_page ?? data.per_page;
    const next = data.page < data.pages_count ? data.page + 1 : undefined;
    const page: Page<T> = {
      ...data,
      hasNextPage: () => next !== undefined,
      getNextPage: async () => {
        if (next !== undefined) return (await this.#get({ page: next, per_page: perPage })).data;
        throw new RangeError(`there is no next page: this is ${data.page} of ${data.pages_count}`);
      },
      [Symbol.asyncIterator]: () => new ItemWalk(this.#walk(next, perPage), data.items),
    };
    return { data: page, body, response };
  }
}

/** The pages of an endpoint, of which `query` tells where to begin. */
export const paginate = <Input, T>(
  send: Send,
  endpoint: Endpoint<Input, never, PageData<T>>,
  input: NoInfer<Input> & EndpointInput,
  options: ListRequestOptions | undefined,
): PagePromise<T> => {
  const query: PageQuery = { ...input.query };
  const sendPage: SendPage<T> = (pageQuery, signal) => {
    const signals = [options?.signal, signal].filter((known) => known !== undefined);
    return send(
      endpoint,
      { ...input, query: { ...query, ...pageQuery } },
      signal ? { ...options, signal: AbortSignal.any(signals) } : options,
    ).withResponse();
  };
  return new PagePromise(sendPage, query, options?.prefetch === true);
};
