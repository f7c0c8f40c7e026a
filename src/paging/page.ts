import type { Resume } from "../errors/base.ts";

/** Content of one page of a list (specification: "Pagination envelope"). */
export interface PageData<T> {
  /** Records of this page; in a walk, without those that an earlier page held already. */
  readonly items: readonly T[];
  /** Number of this page, starting at 1. */
  readonly page: number;
  /** Page size: the number of records on a full page. */
  readonly per_page: number;
  /** Number of records found in all pages; of scheduled messages, the number on this page. */
  readonly count: number;
  /** Number of pages; 0 when there are no records. */
  readonly pages_count: number;
}

/** One page of a list. Iterating it gives the records from this page onwards. */
export interface Page<T> extends PageData<T>, AsyncIterable<T> {
  /** Position of the page that follows, a plain JSON value to store; absent on the last page. Pass it to the same `list` call. */
  readonly next?: Resume;
  /** Returns whether another page follows. */
  hasNextPage(): boolean;
  /**
   * Reads the page that follows, without the records that an earlier page held already.
   *
   * @throws RangeError (as a rejection) on the last page: ask `hasNextPage()` first.
   */
  getNextPage(): Promise<Page<T>>;
}
