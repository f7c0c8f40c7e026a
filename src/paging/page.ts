/** What a page of a list-returning call holds (specification: "Pagination envelope"). */
export interface PageData<T> {
  /** The records of this page. */
  readonly items: readonly T[];
  /** This page, starting at 1. */
  readonly page: number;
  /** Records per page. */
  readonly per_page: number;
  /** Items found; of scheduled messages, those returned. */
  readonly count: number;
  /** All pages; 0 when there are no items. */
  readonly pages_count: number;
}

/** One page; iterating it gives the items from this page onwards. */
export interface Page<T> extends PageData<T>, AsyncIterable<T> {
  /** Whether another page follows. */
  hasNextPage(): boolean;
  /**
   * The page that follows.
   *
   * @throws RangeError (as a rejection) when this is the last page: ask `hasNextPage()` first.
   */
  getNextPage(): Promise<Page<T>>;
}
