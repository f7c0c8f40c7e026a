import { maxPageSize } from "../schemas/shared/page.ts";
import type { PageData } from "./page.ts";
import { type Continued, idOf, type WalkState } from "./walk-state.ts";

/** Returns whether a page size of the service is plausible. */
export const isPageSize = (size: unknown): size is number =>
  Number.isSafeInteger(size) && Number(size) >= 1 && Number(size) <= maxPageSize;

/** Returns the number of records on a full page: as many as were requested, or fewer if the service reports fewer. */
const fullPage = ({ per_page }: PageData<unknown>, asked: number): number =>
  isPageSize(per_page) ? Math.min(per_page, asked) : asked;

/** Returns whether records have disappeared since the previous page was read, as far as the numbers of the list show. */
export const hasShrunk = ({ count, pages_count }: PageData<unknown>, before: WalkState): boolean =>
  pages_count < before.pages_count || count < (before.count ?? 0);

/** Returns the earliest page that the records of a page may have moved to, as far as the numbers of the list show. */
export const earliestPage = (
  page: PageData<unknown>,
  { page: number, per_page, after }: Continued,
): number => {
  const size = fullPage(page, per_page);
  const gone =
    after.count !== undefined && page.count < after.count
      ? after.count - page.count
      : (after.pages_count - page.pages_count) * size;
  // Records that were added in the meantime hide the same number of records that disappeared.
  return Math.max(1, number - 1 - Math.ceil((gone + after.ids.length) / size));
};

/**
 * Returns whether a full page seems to be the previous page: its records are known, and end with the last of that page.
 */
export const isRepeated = (
  page: PageData<unknown>,
  { page: number, per_page, after }: Continued,
  known: ReadonlySet<unknown>,
): boolean =>
  page.page === number &&
  page.pages_count <= after.pages_count &&
  page.items.length >= fullPage(page, per_page) &&
  after.last !== undefined &&
  after.last === idOf(page.items.at(-1)) &&
  unknownOf(page.items, known).length === 0;

/** Returns whether two pages hold the same records in the same order. */
export const hasSameIds = (one: PageData<unknown>, other: PageData<unknown>): boolean =>
  one.items.length === other.items.length &&
  one.items.every((item, index) => idOf(item) === idOf(other.items[index]));

/** Returns the records after the last known one; `undefined` if none is known. */
export const afterLastKnown = <T>(
  items: readonly T[],
  known: ReadonlySet<unknown>,
): readonly T[] | undefined => {
  const last = items.findLastIndex((item) => known.has(idOf(item)));
  return last < 0 ? undefined : items.slice(last + 1);
};

/** Returns the records that are not known. A record without an id is never known. */
export const unknownOf = <T>(items: readonly T[], known: ReadonlySet<unknown>): readonly T[] =>
  items.filter((item) => !known.has(idOf(item)));
