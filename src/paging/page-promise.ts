import type { ApiResponse } from "../http/api-promise.ts";
import type { ListRequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import {
  assertBoolean,
  assertCount,
  assertOptions,
  assertSignal,
  type OptionNames,
  optionOr,
} from "../options.ts";
import type { EndpointInput } from "../wire/endpoint.ts";
import type { Page } from "./page.ts";
import { ItemIterator, PageIterator, toPage } from "./page-iterator.ts";
import { type PagedEndpoint, PageReader } from "./page-reader.ts";

/**
 * Promise of one page of a list, and iterable of all its records. Nothing is sent until you await or iterate it.
 *
 * @example
 * const page = await v2.lists.list({ page: 2, per_page: 50 });
 * for await (const list of v2.lists.list()) console.log(list.name);
 */
export class PagePromise<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #reader: PageReader<T>;
  readonly #prefetch: boolean;
  #single: Promise<ApiResponse<Page<T>>> | undefined;

  /** @internal */
  constructor(reader: PageReader<T>, prefetch: boolean) {
    this.#reader = reader;
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
    const reader = this.#reader;
    this.#single ??= reader
      .read(reader.first)
      .then(({ data, ...rest }) => ({ data: toPage(reader, data, this.#prefetch), ...rest }));
    return this.#single;
  }

  /**
   * Iterates over the pages, starting at `page` (default: 1), with `per_page` records each (default: 1000). Records that
   * shift onto a later page are not repeated. The `next` of the last page is `null`; that page is empty if the list has become
   * too short for it.
   *
   * @throws The errors of the call, each with `resume`, the position of the page that failed.
   * @example
   * for await (const page of v2.lists.list().pages()) console.log(page.items.length);
   */
  pages(): AsyncIterableIterator<Page<T>> {
    return new PageIterator(this.#reader, this.#reader.start, this.#prefetch);
  }

  /** Iterates over the records of all these pages, in constant memory. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return new ItemIterator(this.pages());
  }

  /**
   * Collects the records in an array. It requests no more pages than the limit needs.
   *
   * @param options.limit Maximum number of records; an integer, 0 or more. Default: no limit.
   * @throws TypeError (as a rejection) when an option is not valid or does not exist.
   * @throws The errors of the call, each with `resume`, the position of the page that failed.
   * @example
   * const lists = await v2.lists.list().toArray({ limit: 5_000 });
   */
  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<T[]> {
    const { limit } = assertOptions("options", options, { limit: true });
    const most = optionOr("limit", limit, Infinity, assertCount);
    const items: T[] = [];
    if (most === 0) return items;
    // A page is consumed at once, so nothing is gained by reading the next one ahead.
    const pages = new PageIterator(this.#reader, this.#reader.start, false);
    for await (const item of new ItemIterator(pages)) {
      items.push(item);
      if (items.length === most) break;
    }
    return items;
  }
}

const LIST_OPTIONS: OptionNames<ListRequestOptions> = {
  prefetch: true,
  signal: true,
  timeout: true,
  totalTimeout: true,
  retry: true,
  headers: true,
  validateRequests: true,
  responseValidation: true,
  onEvent: true,
};

/**
 * Returns the pages of an endpoint.
 *
 * @param toInput Makes the input of the endpoint. It runs at once; if it throws, the call rejects with that error.
 */
export const paginate = <Input, T>(
  send: Send,
  endpoint: PagedEndpoint<Input, T>,
  toInput: () => NoInfer<Input> & EndpointInput,
  options: ListRequestOptions = {},
): PagePromise<T> => {
  try {
    const { prefetch, ...each } = assertOptions("options", options, LIST_OPTIONS);
    optionOr("signal", each.signal, undefined, assertSignal);
    const isAhead = optionOr("prefetch", prefetch, false, assertBoolean);
    return new PagePromise(new PageReader(send, endpoint, toInput(), each), isAhead);
  } catch (thrown) {
    return new PagePromise(refusedReader(send, endpoint, options, thrown), false);
  }
};

/** Returns a reader whose calls reject with whatever was thrown, before anything is sent. */
const refusedReader = <Input, T>(
  send: Send,
  endpoint: PagedEndpoint<Input, T>,
  options: ListRequestOptions | null,
  thrown: unknown,
): PageReader<T> => {
  const refused = {
    ...endpoint,
    params: {},
    refine: () => {
      throw thrown;
    },
  };
  // Goes through `send`, so that listeners receive this failure like any other.
  const onEvent = options?.onEvent;
  return new PageReader(send, refused, {}, typeof onEvent === "function" ? { onEvent } : {});
};
