import type { PagePosition } from "../errors.ts";
import { maxPageSize } from "../schemas/page.ts";
import type { PageData, Position } from "./page.ts";

/** State of a walk after the pages that it has read. */
export type WalkState = NonNullable<PagePosition["after"]>;

/** Position in a walk after its first page. */
export type ResumedPosition = PagePosition & { readonly after: WalkState };

type Id = WalkState["ids"][number];

/** Minimum number of records that a walk remembers, even if its pages are smaller. */
const MIN_REMEMBERED = 100;

export const isResumed = (position: Position): position is ResumedPosition =>
  position.after !== undefined;

/** Returns the id of a record; `undefined` if it has no id, or an id that may be ambiguous. */
export const idOf = (item: unknown): Id | undefined => {
  const { id } = (item ?? {}) as { readonly id?: unknown };
  // Beyond 2^53, JSON.parse may read two ids as the same number.
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as Id) : undefined;
};

export const idsOf = (items: readonly unknown[]): readonly Id[] =>
  items.map(idOf).filter((id) => id !== undefined);

/** Returns whether a page size that the service reports is plausible: 1 to 1000. */
export const isPageSize = (size: unknown): size is number =>
  Number.isSafeInteger(size) && Number(size) >= 1 && Number(size) <= maxPageSize;

/** Returns the size of a full page: the requested size, or a smaller size that the service reports. */
const fullPage = ({ per_page }: PageData<unknown>, asked: number): number =>
  isPageSize(per_page) ? Math.min(per_page, asked) : asked;

/** Returns whether a count has fallen since the previous page was read, which shows that records have disappeared. */
export const hasShrunk = ({ count, pages_count }: PageData<unknown>, before: WalkState): boolean =>
  pages_count < before.pages_count || count < (before.count ?? 0);

/** Estimates, from the counts, the first page that shifted records may now be on. */
export const earliestPage = (
  page: PageData<unknown>,
  { page: number, per_page, after }: ResumedPosition,
): number => {
  const size = fullPage(page, per_page);
  const gone =
    after.count !== undefined && page.count < after.count
      ? after.count - page.count
      : (after.pages_count - page.pages_count) * size;
  // Records that were added in the meantime hide the same number of records that disappeared.
  return Math.max(1, number - 1 - Math.ceil((gone + after.ids.length) / size));
};

/** Returns whether a full page looks like the previous one: all ids are known, and the last id is the same. */
export const isRepeated = (
  page: PageData<unknown>,
  { page: number, per_page, after }: ResumedPosition,
  known: ReadonlySet<unknown>,
): boolean =>
  page.page === number &&
  page.pages_count <= after.pages_count &&
  page.items.length >= fullPage(page, per_page) &&
  after.last === idOf(page.items.at(-1)) &&
  unknownOf(page.items, known).length === 0;

/** Returns whether two pages hold the same records in the same order. */
export const hasSameIds = (one: PageData<unknown>, other: PageData<unknown>): boolean =>
  one.items.length === other.items.length &&
  one.items.every((item, index) => idOf(item) === idOf(other.items[index]));

/** Returns the records after the last known record; `undefined` if no record is known. */
export const afterLastKnown = <T>(
  items: readonly T[],
  known: ReadonlySet<unknown>,
): readonly T[] | undefined => {
  const last = items.findLastIndex((item) => known.has(idOf(item)));
  return last < 0 ? undefined : items.slice(last + 1);
};

/** Returns the unknown records. A record without an id is always unknown. */
export const unknownOf = <T>(items: readonly T[], known: ReadonlySet<unknown>): readonly T[] =>
  items.filter((item) => !known.has(idOf(item)));

/**
 * Merges the ids of a page into the known ones, in the order of the list. A known id that should be on this page but is not
 * has been removed.
 */
const mergeIds = (known: ReadonlySet<Id>, onPage: readonly Id[]): readonly Id[] => {
  const before = [...known];
  const ids = new Set(onPage);
  const first = before.findIndex((id) => ids.has(id));
  const last = before.findLastIndex((id) => ids.has(id));
  return [...before.slice(0, first), ...onPage, ...before.slice(last + 1)];
};

/** Adds the ids of a page to the known ones, and forgets the oldest. */
const remember = (known: Set<Id>, onPage: readonly Id[], most: number): void => {
  const added = onPage.some((id) => known.has(id)) ? mergeIds(known, onPage) : onPage;
  if (added !== onPage) known.clear();
  for (const id of added) known.add(id);
  for (const id of known) {
    // If the rules are turned off, the page size may not be a number: then nothing is forgotten.
    if (!(known.size > most)) break;
    known.delete(id);
  }
};

/**
 * Returns the state of a walk after a page.
 *
 * @param known Ids that the walk has remembered so far. It becomes the set that the walk now remembers, because a new set for
 * each page takes longer than a small page.
 * @param onPage Ids of the page's records, in the order of the list.
 */
export const stateAfter = (
  path: string,
  { items, count, pages_count }: PageData<unknown>,
  known: Set<Id>,
  onPage: readonly Id[],
  perPage: number,
): WalkState => {
  const last = onPage.at(-1);
  remember(known, onPage, Math.max(MIN_REMEMBERED, perPage));
  return {
    path,
    // A count no larger than the page may cover only this page.
    ...(Number.isSafeInteger(count) && count > items.length ? { count } : {}),
    pages_count,
    ...(last === undefined ? {} : { last }),
    ids: [...known],
  };
};
