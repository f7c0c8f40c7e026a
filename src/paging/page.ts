import type * as z from "zod/mini";
import { customIssue, type PagePosition, type ValidationIssue } from "../errors.ts";
import { assertObject, invalidOption } from "../options.ts";
import type { Endpoint } from "../wire/endpoint.ts";

/** Content of one page of a list. */
export interface PageData<T> {
  /** Records of this page; in a walk, without records that an earlier page held. */
  readonly items: readonly T[];
  /** Number of this page, starting at 1. */
  readonly page: number;
  /** Page size: the number of records on a full page. */
  readonly per_page: number;
  /** Number of records on all pages; for scheduled messages, the number on this page. */
  readonly count: number;
  /** Number of pages; 0 when there are no records. */
  readonly pages_count: number;
}

/** One page of a list. Iterating it yields the records from this page onwards. */
export interface Page<T> extends PageData<T>, AsyncIterable<T> {
  /**
   * Position of the next page, a plain JSON value that you can store and pass to the same `list` call; `null` on the last page.
   * `list(null)` rejects with a `TypeError`, because there is nothing left to read.
   */
  readonly next: PagePosition | null;
  /** Returns whether there is a next page. */
  hasNextPage(): boolean;
  /**
   * Reads the next page, without records that this page holds.
   *
   * @throws A {@link MessagingServiceError} if the page cannot be read.
   * @throws RangeError (as a rejection) on the last page: check `hasNextPage()` first.
   */
  getNextPage(): Promise<Page<T>>;
}

/** Content of a page and the position of the next, without the methods of a {@link Page}. */
export type PlainPage<T> = PageData<T> & Pick<Page<T>, "next">;

/** Position of a page. The service has defaults for absent fields. */
export interface Position {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

type Filters = Omit<PagePosition, "page" | "per_page">;

/** Documented filters of all lists. */
const FILTERS: Readonly<Record<keyof Filters, true>> = {
  include_deleted: true,
  start_date: true,
  end_date: true,
};

/**
 * Returns the parameters of a list call, which may be a position.
 *
 * @throws TypeError if they are not an object. `null` is the `next` of the last page. If it meant "from the start", a finished
 * job would begin again.
 */
export const assertPosition = <T extends object>(params: T): T => {
  if (params !== null) return assertObject("params", params);
  throw invalidOption("params", "an object; `null` is the `next` of the last page");
};

/** Returns the filters that a position includes. Undocumented filters are left out: their values may not belong in an error or a log. */
export const filtersOf = (query: object): Filters =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => Object.hasOwn(FILTERS, name) && value !== undefined,
    ),
  );

/** Yields an issue for each filter of a different list: a position may come from a database, and belong there. */
export function* foreignFilters(
  query: object,
  { query: toSchema }: Endpoint,
): Generator<ValidationIssue> {
  const { shape = {} } = (toSchema?.() ?? {}) as Partial<z.ZodMiniObject>;
  for (const name of Object.keys(filtersOf(query))) {
    if (!Object.hasOwn(shape, name)) yield customIssue("is a filter of a different list", [name]);
  }
}
