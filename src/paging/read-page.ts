import type { Resume } from "../errors.ts";
import type { ApiResponse } from "../http/api-promise.ts";
import { DEFAULT_PER_PAGE } from "../schemas/shared/page.ts";
import {
  afterLastKnown,
  earliestPage,
  hasSameIds,
  hasShrunk,
  isPageSize,
  isRepeated,
  unknownOf,
} from "./list-changes.ts";
import type { PageData } from "./page.ts";
import { type Continued, idOf, idsOf, stateAfter } from "./walk-state.ts";

/** Position of a page. The service decides about absent fields. */
export interface Position extends Pick<Resume, "after"> {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** A list that the service returns in pages. */
export interface PagedList<T> {
  /** Path of the list, with its parameters filled in. */
  readonly path: string;
  /** Documented filters that were given. */
  readonly filters: Omit<Resume, "page" | "per_page" | "after">;
  /** Requests the page at a position. A page that repeats the previous one is refused with an error. */
  send(
    position: Position,
    signal?: AbortSignal,
    isRefused?: (page: PageData<T>) => boolean,
  ): Promise<ApiResponse<PageData<T>>>;
}

/** A page, and the position after it; `null` after the last page. */
export type ReadPage<T> = PageData<T> & { readonly next: Resume | null };

export const isContinued = (position: Position): position is Continued =>
  position.after !== undefined;

/**
 * Reads the earlier pages again, from the last to the first, until one holds a known record: a list that shrinks moves
 * records to an earlier page. Returns the records after that one. If no known record is left, it returns nothing, because
 * the records there may have been returned long ago.
 */
const readMoved = async <T>(
  list: PagedList<T>,
  page: PageData<T>,
  position: Continued,
  known: ReadonlySet<unknown>,
  signal: AbortSignal | undefined,
): Promise<readonly T[]> => {
  const moved: (readonly T[])[] = [];
  const { per_page } = position;
  const earliest = earliestPage(page, position);
  for (let at = Math.min(position.page - 1, page.pages_count); at >= earliest; at -= 1) {
    const again = at === page.page ? page : (await list.send({ page: at, per_page }, signal)).data;
    // The list has become even shorter.
    if (again.page !== at) continue;
    const rest = afterLastKnown(again.items, known);
    moved.unshift(rest ?? again.items);
    if (rest) return moved.flat().filter((item) => idOf(item) !== undefined);
  }
  return [];
};

/** Returns the records of a page of a walk, after those that have moved to an earlier page. */
const withMoved = async <T>(
  list: PagedList<T>,
  page: PageData<T>,
  items: readonly T[],
  position: Continued,
  known: ReadonlySet<unknown>,
  signal: AbortSignal | undefined,
): Promise<readonly T[]> => {
  const isBehind = hasShrunk(page, position.after) && afterLastKnown(items, known) === undefined;
  const moved = isBehind ? await readMoved(list, page, position, known, signal) : [];
  return moved.length === 0 ? items : [...moved, ...unknownOf(items, new Set(idsOf(moved)))];
};

/**
 * Requests the page at a position. A page that seems to repeat the previous one is valid if new records have moved the
 * old ones there, so that another page precedes it now. Otherwise it is requested again, and refused.
 */
const requestPage = async <T>(
  list: PagedList<T>,
  position: Position,
  known: ReadonlySet<unknown>,
  signal: AbortSignal | undefined,
): Promise<ApiResponse<PageData<T>>> => {
  const response = await list.send(position, signal);
  if (!isContinued(position) || !isRepeated(response.data, position, known)) return response;
  const { page, per_page } = position;
  const before = (await list.send({ page: page - 1, per_page }, signal)).data;
  const isRefused = (again: PageData<T>) => again.page === page && hasSameIds(again, before);
  return isRefused(response.data) ? list.send(position, signal, isRefused) : response;
};

/**
 * Reads the page at a position. In a walk, each record comes once, and records that moved in the meantime are included. A page
 * after the last one is empty.
 */
export const readPage = async <T>(
  list: PagedList<T>,
  position: Position,
  signal?: AbortSignal,
): Promise<ApiResponse<ReadPage<T>>> => {
  const known = new Set(position.after?.ids);
  const response = await requestPage(list, position, known, signal);
  const page = Number(position.page ?? 1);
  // A service may send its last page if the list has become too short for the requested one.
  const onPage = response.data.page === page ? response.data.items : [];
  const found = isContinued(position)
    ? await withMoved(list, response.data, onPage, position, known, signal)
    : onPage;
  const data = { ...response.data, page, items: unknownOf(found, known), next: null };
  if (page >= data.pages_count) return { ...response, data };
  const { per_page = isPageSize(data.per_page) ? data.per_page : DEFAULT_PER_PAGE } = position;
  const after = stateAfter(list.path, response.data, known, idsOf(found), per_page);
  const next = { ...list.filters, page: page + 1, per_page, after };
  return { ...response, data: { ...data, next } };
};
