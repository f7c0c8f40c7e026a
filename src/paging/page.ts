import type { Resume } from "../errors.ts";

/** Content of one page of a list (specification: "Pagination envelope"). */
export interface PageData<T> {
  /** Records of this page; in a walk, without those that an earlier page already held. */
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

/** One page of a list. Iterating it yields the records from this page onwards. */
export interface Page<T> extends PageData<T>, AsyncIterable<T> {
  /**
   * Position of the next page, a plain JSON value that you can store; `null` on the last page. Pass it to the same `list`
   * call, unless it is `null`: that call would be rejected, because there is nothing left to read.
   */
  readonly next: Resume | null;
  /** Returns whether there is a next page. */
  hasNextPage(): boolean;
  /**
   * Reads the next page, without the records that an earlier page already held.
   *
   * @throws RangeError (as a rejection) on the last page: check `hasNextPage()` first.
   */
  getNextPage(): Promise<Page<T>>;
}
