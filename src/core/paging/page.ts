import type { ApiPromise } from "../call/api-promise.ts";
import { copyQuery } from "../call/build-request.ts";
import type { Send } from "../call/send-of.ts";
import type { RequestOptions } from "../call/settings.ts";
import { customIssue, type PagePosition } from "../errors.ts";
import { assertObject, invalidOption } from "../options.ts";
import { DEFAULT_PER_PAGE, maxPageSize } from "../schemas/page.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";

/** One page of a list. Iterating over it yields the records from this page onwards. */
export interface Page<T> extends AsyncIterable<T> {
  /** Records of this page; in a walk, without records that an earlier page contained. */
  readonly items: readonly T[];
  /** Number of this page, starting at 1. */
  readonly page: number;
  /** Page size: the number of records on a full page. */
  readonly per_page: number;
  /** Number of records on all pages; for scheduled messages, the number on this page. */
  readonly count: number;
  /** Number of pages; 0 when there are no records. */
  readonly pages_count: number;
  /**
   * Position of the next page, a plain JSON value that you can store and pass to the same `list` call; `null` on the last page.
   * `list(null)` rejects with a `TypeError`, because there is nothing left to read.
   */
  readonly next: PagePosition | null;
  /** Returns whether there is a next page. */
  hasNextPage(): boolean;
  /**
   * Reads the next page, without records that this page contains, or a page that led to it.
   *
   * @throws A {@link MessagingServiceError} if the page cannot be read.
   * @throws RangeError (as a rejection) on the last page. Check `hasNextPage()` first.
   */
  getNextPage(): Promise<Page<T>>;
}

/** Content of a page, as the service sends it. */
export type PageData<T> = Pick<Page<T>, "items" | "page" | "per_page" | "count" | "pages_count">;

/** Content of a page and the position of the next page, without the methods of a {@link Page}. */
export type PlainPage<T> = PageData<T> & Pick<Page<T>, "next">;

/** Position of a page. The service has defaults for absent fields. */
export interface Position {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

type Filters = Omit<PagePosition, "page" | "per_page">;

const FILTERS: Readonly<Record<keyof Filters, true>> = {
  include_deleted: true,
  start_date: true,
  end_date: true,
};

/**
 * Returns the parameters of a list call, which may be a position. `null` is the `next` of the last page. If `null` meant "from
 * the start", a finished job would start again.
 */
export const assertPosition = <T extends object>(params: T): T => {
  if (params !== null) return assertObject("params", params);
  throw invalidOption("params", "an object; `null` is the `next` of the last page");
};

/**
 * Returns the filters that a position includes. Undocumented filters are left out, because their values may not belong in an
 * error or a log.
 */
export const filtersOf = (query: object): Filters =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => Object.hasOwn(FILTERS, name) && value !== undefined,
    ),
  );

export type PagedEndpoint<Input, T> = Endpoint<Input, never, PageData<T>>;

const isPageSize = (size: unknown): size is number =>
  Number.isSafeInteger(size) && Number(size) >= 1 && Number(size) <= maxPageSize;

interface WalkOptions {
  readonly signal?: AbortSignal;
  readonly isFilled?: boolean;
}

/** Returns an endpoint whose response is refused if a page before the last one has no records. */
const filled = <T>(endpoint: PagedEndpoint<unknown, T>): PagedEndpoint<unknown, T> => {
  const { requiredFields = {}, unwrap } = endpoint;
  const [name = "items"] = Object.keys(requiredFields).filter(
    (key) => requiredFields[key] === "array",
  );
  return {
    ...endpoint,
    responseIssue: (body, sent) => {
      const issue = endpoint.responseIssue?.(body, sent);
      const { items, page, pages_count } = unwrap(body);
      if (issue || items.length > 0 || page >= pages_count) return issue;
      return customIssue("must have records, because it is not the last page", [name]);
    },
  };
};

export type PageReader<T> = ReturnType<typeof createPageReader<T>>;

/**
 * Creates a reader of the pages of a list by their positions.
 *
 * @param input Input of the endpoint. Its query may be a position.
 */
export const createPageReader = <T>(
  send: Send,
  endpoint: PagedEndpoint<unknown, T>,
  input: EndpointInput,
  options: RequestOptions,
) => {
  const { page: firstPage, per_page, ...query }: Position = copyQuery(Object(input.query));
  /** Position that the caller passed. */
  const first: Position = { page: firstPage, per_page };
  // If the rules are turned off, the page may be a string.
  const firstNumber = Number(firstPage ?? 1);
  const filters = filtersOf(query);

  const withSignal = (signal: AbortSignal): RequestOptions => {
    const callerSignal = options.signal;
    // Without `AbortSignal.any`, leaving the walk does not abort the request for a page.
    const anySignal = callerSignal && (AbortSignal.any?.([callerSignal, signal]) ?? callerSignal);
    return { ...options, signal: anySignal ?? signal };
  };

  return {
    first,

    /** Returns the position at which a walk starts. */
    start(): PagePosition {
      const { per_page = maxPageSize } = first;
      return { ...filters, page: firstNumber, per_page };
    },

    /**
     * @param walk.signal Signal that fires when the caller leaves the walk.
     * @param walk.isFilled Whether a page without records must be the last one.
     */
    read(
      { page, per_page }: Position,
      { signal, isFilled = false }: WalkOptions = {},
    ): ApiPromise<PageData<T>> {
      // The first page is requested exactly as the caller wrote it.
      const asGiven = Object.is(page, firstNumber) ? firstPage : page;
      return send(
        isFilled ? filled(endpoint) : endpoint,
        { ...input, query: { page: asGiven, per_page, ...query } },
        signal ? withSignal(signal) : options,
      );
    },

    /**
     * Returns the content of the page at a position. A page beyond the last page is empty, even if the service sends its last
     * page.
     */
    toPlain(data: PageData<T>, position: Position): PlainPage<T> {
      const page = Number(position.page ?? 1);
      const { per_page = isPageSize(data.per_page) ? data.per_page : DEFAULT_PER_PAGE } = position;
      const next = page < data.pages_count ? { ...filters, page: page + 1, per_page } : null;
      return { ...data, page, items: data.page === page ? data.items : [], next };
    },
  };
};
