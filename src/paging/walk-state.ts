import type { Resume } from "../errors/base.ts";
import type { PageData } from "./page.ts";

/** What a walk remembers of the pages that it has read. */
export type WalkState = NonNullable<Resume["after"]>;

/** Position in the middle of a walk. */
export type Continued = Resume & { readonly after: WalkState };

type Id = WalkState["ids"][number];

/** Records that a walk remembers when its pages are smaller than this. */
const MIN_REMEMBERED = 100;

/** Returns the id of a record; `undefined` where it has none that identifies it for certain. */
export const idOf = (item: unknown): Id | undefined => {
  const { id } = (item ?? {}) as { readonly id?: unknown };
  // Beyond 2^53, two ids may be read as the same number.
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as Id) : undefined;
};

export const idsOf = (items: readonly unknown[]): readonly Id[] =>
  items.map(idOf).filter((id) => id !== undefined);

/**
 * Puts the ids of a page among those that are known, in the order of the list: an id between two of the page that is
 * not on the page itself is gone.
 */
const mergeIds = (known: readonly Id[], onPage: readonly Id[]): readonly Id[] => {
  const ids = new Set(onPage);
  const first = known.findIndex((id) => ids.has(id));
  if (first < 0) return [...known, ...onPage];
  const last = known.findLastIndex((id) => ids.has(id));
  return [...known.slice(0, first), ...onPage, ...known.slice(last + 1)];
};

/**
 * Returns what a walk remembers after a page.
 *
 * @param onPage the ids that were found, in the order of the list.
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
