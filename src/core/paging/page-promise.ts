import type { ApiPromise, ApiResponse } from "../call/api-promise.ts";
import { bindMethods } from "../call/bind-methods.ts";
import type { Send } from "../call/send-of.ts";
import { CALL_OPTIONS, copyOptions, type ListRequestOptions } from "../call/settings.ts";
import {
  assertBoolean,
  assertCount,
  assertOptions,
  assertSignal,
  or,
  orUndefined,
  readOptions,
} from "../options.ts";
import type { EndpointInput } from "../wire/endpoint.ts";
import {
  createPageReader,
  type Page,
  type PageData,
  type PagedEndpoint,
  type PageReader,
} from "./page.ts";
import { toPage, walkItems, walkPages } from "./walk.ts";

/** Page that was requested alone, and its call, which makes a complete `Response` only for `withResponse()`. */
interface SinglePage<T> {
  readonly call: ApiPromise<PageData<T>>;
  readonly page: Page<T>;
}

/**
 * Promise of one page of a list, and iterable of all records of the list. The first request is sent once you use it.
 *
 * @example
 * const page = await v2.lists.list({ page: 2, per_page: 50 });
 * for await (const list of v2.lists.list()) console.log(list.name);
 */
export class PagePromise<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #reader: PageReader<T>;
  readonly #prefetch: boolean;
  #single: Promise<SinglePage<T>> | undefined;

  /** @internal */
  constructor(reader: PageReader<T>, prefetch: boolean) {
    this.#reader = reader;
    this.#prefetch = prefetch;
    bindMethods(this);
  }

  /** Name of the class, for `Object.prototype.toString`. */
  get [Symbol.toStringTag](): string {
    return "PagePromise";
  }

  /** Requests one page, as `await` does. Awaiting it twice sends one request. */
  // biome-ignore lint/suspicious/noThenProperty: a promise that sends its request when `then` is called.
  then<R = Page<T>, E = never>(
    onFulfilled?: ((page: Page<T>) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#read()
      .then(({ page }) => page)
      .then(onFulfilled, onRejected);
  }

  /** Requests one page and handles its failure, as `catch` of any promise does. */
  catch<E = never>(
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<Page<T> | E> {
    return this.then(undefined, onRejected);
  }

  /** Requests one page and runs a callback after its success or failure, as `finally` of any promise does. */
  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onFinally);
  }

  /** Returns a promise of one page, the whole body and the response. */
  async withResponse(): Promise<ApiResponse<Page<T>>> {
    const { call, page } = await this.#read();
    return { ...(await call.withResponse()), data: page };
  }

  /**
   * Iterates over the pages of the list, starting at `page` (default: 1), with `per_page` records each (default: 1000). A record
   * that shifts onto a later page is not repeated. On the last page, `next` is `null`. The last page may be empty, because the
   * list may shrink during the walk.
   *
   * @returns Iterator over the pages.
   * @throws A {@link MessagingServiceError}, in iteration, with `resume`, the position of the page that failed, unless a
   * parameter is invalid.
   * @example
   * for await (const page of v2.lists.list().pages()) console.log(page.items.length);
   */
  pages(): AsyncIterableIterator<Page<T>> {
    return walkPages(this.#reader, this.#reader.start(), this.#prefetch);
  }

  /** Iterates over the records of all pages, page by page, in constant memory. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return walkItems(walkPages(this.#reader, this.#reader.start(), this.#prefetch));
  }

  /**
   * Collects the records of all pages in an array, up to a limit. No page beyond the limit is requested.
   *
   * @param options.limit Maximum number of records, an integer, 0 or more. Default: no limit.
   * @returns Records, in the order of the list.
   * @throws A {@link MessagingServiceError} with `resume`, the position of the page that failed, unless a parameter is invalid.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * const lists = await v2.lists.list().toArray({ limit: 5_000 });
   */
  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<T[]> {
    const { limit } = readOptions("options", options, { limit: or(assertCount, Infinity) });
    const items: T[] = [];
    if (limit === 0) return items;
    // Each page is consumed immediately, so prefetching would gain nothing.
    for await (const page of walkPages(this.#reader, this.#reader.start(), false)) {
      for (const item of page.items) {
        items.push(item);
        if (items.length === limit) return items;
      }
    }
    return items;
  }

  #read(): Promise<SinglePage<T>> {
    const reader = this.#reader;
    // `await` calls `then` before it starts to wait. An error that is created now would have no line of the caller in its stack.
    this.#single ??= Promise.resolve().then(async () => {
      const call = reader.read(reader.first);
      const plain = reader.toPlain(await call, reader.first);
      return { call, page: toPage(reader, plain, this.#prefetch) };
    });
    return this.#single;
  }
}

/**
 * Creates the promise of an endpoint's pages. `toInput` runs synchronously; if it throws, the promise rejects with that error.
 */
export const paginate = <Input, T>(
  send: Send,
  endpoint: PagedEndpoint<Input, T>,
  toInput: () => NoInfer<Input> & EndpointInput,
  options: ListRequestOptions = {},
): PagePromise<T> => {
  try {
    const names = { ...CALL_OPTIONS, prefetch: true };
    const { prefetch, ...callOptions } = assertOptions("options", options, names);
    or(assertSignal)("signal", callOptions.signal);
    const isPrefetched = or(assertBoolean, false)("prefetch", prefetch);
    return new PagePromise(
      createPageReader(send, endpoint, toInput(), copyOptions(callOptions)),
      isPrefetched,
    );
  } catch (thrown) {
    // The error may come from reading an option.
    const onEvent = orUndefined(() => options.onEvent);
    const callOptions = typeof onEvent === "function" ? { onEvent } : {};
    const refuse = () => {
      throw thrown;
    };
    const rejecting: Send = (of, _input, given) => send(of, refuse, given);
    return new PagePromise(createPageReader(rejecting, endpoint, {}, callOptions), false);
  }
};
