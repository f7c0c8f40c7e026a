import type { Resume } from "../errors/base.ts";
import type { PageData } from "./page.ts";

/** State that a walk keeps of the pages that it has read. */
export type WalkState = NonNullable<Resume["after"]>;

/** Position after the first page of a walk. */
export type Continued = Resume & { readonly after: WalkState };

type Id = WalkState["ids"][number];

/** Minimum number of records that a walk remembers, even if its pages are smaller. */
const MIN_REMEMBERED = 100;

/** Returns the id of a record; `undefined` if it has none that certainly identifies it. */
export const idOf = (item: unknown): Id | undefined => {
  const { id } = (item ?? {}) as { readonly id?: unknown };
  // Beyond 2^53, two ids may be read as the same number.
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as Id) : undefined;
};

export const idsOf = (items: readonly unknown[]): readonly Id[] =>
  items.map(idOf).filter((id) => id !== undefined);

/**
 * Merges the ids of a page into the known ones, in the order of the list. A known id between two ids of the page that is
 * not on the page itself has disappeared.
 */
const mergeIds = (known: readonly Id[], onPage: readonly Id[]): readonly Id[] => {
  const ids = new Set(onPage);
  const first = known.findIndex((id) => ids.has(id));
  if (first < 0) return [...known, ...onPage];
  const last = known.findLastIndex((id) => ids.has(id));
  return [...known.slice(0, first), ...onPage, ...known.slice(last + 1)];
};

/**
 * Returns the state of a walk after a page.
 *
 * @param onPage Ids that were found, in the order of the list.
 */
export const stateAfter = (
  path: string,
  { items, count, pages_count }: PageData<unknown>,
  known: readonly Id[],
  onPage: readonly Id[],
  perPage: number,
): WalkState => {
  const last = onPage.at(-1);
  return {
    path,
    // A count that is no more than this page's says nothing about the whole list.
    ...(Number.isSafeInteger(count) && count > items.length ? { count } : {}),
    pages_count,
    ...(last === undefined ? {} : { last }),
    ids: mergeIds(known, onPage).slice(-Math.max(MIN_REMEMBERED, perPage)),
  };
};
