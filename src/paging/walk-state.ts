import type { Resume } from "../errors.ts";
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
const mergeIds = (known: ReadonlySet<Id>, onPage: readonly Id[]): readonly Id[] => {
  const before = [...known];
  if (!onPage.some((id) => known.has(id))) return [...before, ...onPage];
  const ids = new Set(onPage);
  const first = before.findIndex((id) => ids.has(id));
  const last = before.findLastIndex((id) => ids.has(id));
  return [...before.slice(0, first), ...onPage, ...before.slice(last + 1)];
};

/**
 * Returns the state of a walk after a page.
 *
 * @param known Ids that the walk has remembered so far.
 * @param onPage Ids that were found, in the order of the list.
 */
export const stateAfter = (
  path: string,
  { items, count, pages_count }: PageData<unknown>,
  known: ReadonlySet<Id>,
  onPage: readonly Id[],
  perPage: number,
): WalkState => {
  const last = onPage.at(-1);
  return {
    path,
    // A count that is no more than this page's reveals nothing about the whole list.
    ...(Number.isSafeInteger(count) && count > items.length ? { count } : {}),
    pages_count,
    ...(last === undefined ? {} : { last }),
    ids: mergeIds(known, onPage).slice(-Math.max(MIN_REMEMBERED, perPage)),
  };
};
