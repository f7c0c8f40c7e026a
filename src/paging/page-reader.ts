import type { PagePosition } from "../errors.ts";
import { copyQuery } from "../http/build-request.ts";
import type { ApiResponse, Send } from "../http/methods.ts";
import type { RequestOptions } from "../http/settings.ts";
import { DEFAULT_PER_PAGE, maxPageSize } from "../schemas/page.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import { filtersOf, foreignFilters, type PageData, type PlainPage, type Position } from "./page.ts";

/** Endpoint that returns a page. */
export type PagedEndpoint<Input, T> = Endpoint<Input, never, PageData<T>>;

/** Returns whether a page size that the service reports is plausible: 1 to 1000. */
const isPageSize = (size: unknown): size is number =>
  Number.isSafeInteger(size) && Number(size) >= 1 && Number(size) <= maxPageSize;

/** Reads the pages of a list by their positions. */
export class PageReader<T> {
  readonly #send: Send;
  readonly #endpoint: PagedEndpoint<unknown, T>;
  readonly #input: EndpointInput;
  readonly #options: RequestOptions;
  readonly #filters: ReturnType<typeof filtersOf>;
  /** Position that the caller passed. */
  readonly first: Position;

  /** @param input Input of the endpoint. Its query may be a position. */
  constructor(
    send: Send,
    endpoint: PagedEndpoint<unknown, T>,
    input: EndpointInput,
    options: RequestOptions,
  ) {
    const { page, per_page, ...query }: Position = copyQuery(Object(input.query));
    this.first = { page, per_page };
    this.#send = send;
    this.#endpoint = {
      ...endpoint,
      refine: (given, validate) => [
        ...(validate ? foreignFilters(query, endpoint) : []),
        ...(endpoint.refine?.(given, validate) ?? []),
      ],
    };
    this.#input = { ...input, query };
    this.#options = options;
    this.#filters = filtersOf(query);
  }

  /** Position at which a walk begins. */
  get start(): PagePosition {
    const { page, per_page = maxPageSize } = this.first;
    // If the rules are turned off, the page may be a string.
    return { ...this.#filters, page: Number(page ?? 1), per_page };
  }

  /**
   * Requests the page at a position.
   *
   * @param signal Signal that fires when the caller leaves the walk.
   */
  read({ page, per_page }: Position, signal?: AbortSignal): Promise<ApiResponse<PageData<T>>> {
    const { first } = this;
    // The first page is requested exactly as the caller wrote it.
    const asGiven = Object.is(page, Number(first.page ?? 1)) ? first.page : page;
    const query = { page: asGiven, per_page, ...this.#input.query };
    const options = signal ? this.#withSignal(signal) : this.#options;
    return this.#send(this.#endpoint, { ...this.#input, query }, options).withResponse();
  }

  /** Returns the content of the page at a position. A page beyond the last page is empty, even if the service sends its last one. */
  toPlain(data: PageData<T>, position: Position): PlainPage<T> {
    const page = Number(position.page ?? 1);
    const { per_page = isPageSize(data.per_page) ? data.per_page : DEFAULT_PER_PAGE } = position;
    const next = page < data.pages_count ? { ...this.#filters, page: page + 1, per_page } : null;
    return { ...data, page, items: data.page === page ? data.items : [], next };
  }

  #withSignal(signal: AbortSignal): RequestOptions {
    const callerSignal = this.#options.signal;
    // Without `any`, a page under way does not end with the walk.
    const anySignal = callerSignal && (AbortSignal.any?.([callerSignal, signal]) ?? callerSignal);
    return { ...this.#options, signal: anySignal ?? signal };
  }
}
