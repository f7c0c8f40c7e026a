import {
  MessagingServiceError,
  type PagePosition,
  startStackHere,
  ValidationError,
} from "../errors.ts";
import type { Page, PageData, PageReader, PlainPage } from "./page.ts";

/**
 * Number of records after which a walk forgets earlier records. It knows at least this many of the latest records, and at most
 * twice as many. One page of records would suffice if the list never shifted by more than a page between two requests, but it may
 * do so a few times.
 */
const KNOWN_RECORDS = 5000;

/** Returns the id of a record; `undefined` if it has no id, or an id that may be ambiguous. */
const idOf = (item: unknown): unknown => {
  const { id } = (item ?? {}) as { readonly id?: unknown };
  // Beyond 2^53, JSON.parse may read two ids as the same number.
  return typeof id === "string" || Number.isSafeInteger(id) ? id : undefined;
};

/** Returns a function that copies the ids of this moment. Most pages need no copy, and each would take as long as the page. */
const snapshotOf = (ids: ReadonlySet<unknown>) => {
  const { size } = ids;
  // Ids are only ever added, at the end.
  return () => [...ids].slice(0, size);
};

/** Returns whether a page is empty although it is not the last one. */
const isGap = ({ items, pages_count }: PageData<unknown>, page: number): boolean =>
  items.length === 0 && pages_count > page;

/** Returns whether a count has fallen since the previous page was read, which shows that records have disappeared. */
const hasShrunk = ({ count, pages_count }: PageData<unknown>, before: PageData<unknown>): boolean =>
  pages_count < before.pages_count ||
  // A count no larger than the page may cover only that page.
  (before.count > before.items.length && count < before.count);

/**
 * Iterates over pages. Each page leaves out records that the walk has already yielded, and includes records that have moved to
 * the previous page.
 *
 * @param first Page that was read before the walk.
 * @param earlier Returns the ids of the records of that page and of the pages that led to it.
 */
export const walkPages = <T>(
  reader: PageReader<T>,
  start: PagePosition,
  prefetch: boolean,
  first?: PlainPage<T>,
  earlier?: () => readonly unknown[],
): AsyncGenerator<Page<T>, undefined> => {
  /** Aborts running requests when the consumer leaves. */
  const controller = new AbortController();
  const { signal } = controller;
  /** Ids of the latest records that the walk has read. */
  let known = new Set(earlier?.());
  let before: PageData<T> | undefined;
  let latestPosition = start;

  const isKnown = (item: T): boolean => {
    const id = idOf(item);
    return id !== undefined && known.has(id);
  };

  /** Remembers a record. Returns whether it is new. A record without an id is always new. */
  const remember = (item: T): boolean => {
    const isNew = !isKnown(item);
    known.add(idOf(item));
    return isNew;
  };

  const readAt = async (position: PagePosition): Promise<PageData<T>> => {
    latestPosition = position;
    const data = await reader.read(position, { signal });
    // An endless series of empty pages would use up the calls of an hour, so an empty page must be the last one. The page is read
    // a second time, because the list may have changed while it was read.
    return isGap(data, position.page) ? reader.read(position, { signal, isFilled: true }) : data;
  };

  const read = async (position: PagePosition): Promise<PlainPage<T>> => {
    const data = await readAt(position);
    const page = reader.toPlain(data, position);
    const moved = before && hasShrunk(data, before) ? await readMoved(before, data, position) : [];
    before = data;
    return newOf(page, [...moved, ...page.items]);
  };

  /** Reads the previous pages again, or the last pages that still exist, because records move there if a list shrinks. */
  const readMoved = async (
    { count }: PageData<T>,
    data: PageData<T>,
    position: PagePosition,
  ): Promise<readonly T[]> => {
    const moved: T[] = [];
    const last = Math.min(position.page - 1, data.pages_count);
    let latest = data;
    // Reads one page, and further pages as long as records may have moved beyond the pages already read.
    for (let page = last; page >= 1; page -= 1) {
      const pagesBack = position.page - 1 - page;
      if (page < last && !(count - latest.count > pagesBack * latest.per_page)) break;
      // A service may send its last page if the list has become too short for the requested page.
      latest = data.page === page ? data : await readAt({ ...position, page });
      const lastKnown = latest.items.findLastIndex(isKnown);
      moved.unshift(...latest.items.slice(lastKnown + 1).filter((item) => idOf(item) != null));
      // The walk has also read every record before a known record, even if it has forgotten some of them.
      if (lastKnown >= 0) break;
    }
    return moved;
  };

  const newOf = (page: PlainPage<T>, items: readonly T[]): PlainPage<T> => {
    const newItems = items.filter(remember);
    // Forgets the earlier half if enough records are known without it. New records may move a record of this page to the next one,
    // and to every later one, so all records of this page stay known.
    if (known.size >= 2 * KNOWN_RECORDS) {
      known = new Set([...[...known].slice(-KNOWN_RECORDS), ...page.items.map(idOf)]);
    }
    return { ...page, items: newItems };
  };

  async function* walk(): AsyncGenerator<Page<T>, undefined> {
    let position: PagePosition | null = start;
    let ahead: Promise<PlainPage<T>> | undefined;
    try {
      // The records of a page of a walk may all be known. A gap before the walk is read again, like any other.
      if (first && (earlier || !isGap(first, start.page))) {
        before = first;
        ahead = Promise.resolve(earlier ? first : newOf(first, first.items));
      }
      while (position !== null) {
        const page: PlainPage<T> = await (ahead ?? read(position));
        position = page.next;
        ahead = prefetch && position ? read(position) : undefined;
        // A failure is reported when the consumer asks for this page, if ever.
        ahead?.catch(() => {});
        yield toPage(reader, page, prefetch, snapshotOf(known));
      }
    } catch (error) {
      // A consumer that has left receives no error.
      if (!signal.aborted) throw startStackHere(withResume(error, latestPosition));
    }
  }

  return leavingAtOnce(walk(), () => controller.abort());
};

/** Iterates over the records of pages. Concurrent calls of `next` wait for each other in the generator's own queue. */
export const walkItems = <T>(
  pages: AsyncGenerator<Page<T>, undefined>,
): AsyncGenerator<T, undefined> => {
  async function* walk(): AsyncGenerator<T, undefined> {
    for await (const { items } of pages) {
      for (const item of items) yield item;
    }
  }
  return leavingAtOnce(walk(), () => void pages.return(undefined));
};

/** Returns a generator that can be left while it waits for a request. Otherwise, `return` would first wait for the response. */
const leavingAtOnce = <T>(
  generator: AsyncGenerator<T, undefined>,
  leave: () => void,
): AsyncGenerator<T, undefined> => {
  const close = generator.return.bind(generator);
  return Object.defineProperty(generator, "return", {
    value: () => {
      leave();
      return close(undefined);
    },
  });
};

export const toPage = <T>(
  reader: PageReader<T>,
  page: PlainPage<T>,
  prefetch: boolean,
  known?: () => readonly unknown[],
): Page<T> => {
  const { page: number, per_page, next } = page;
  const walkOn = (ahead: boolean) =>
    walkPages(reader, { page: number, per_page }, ahead, page, known);
  return {
    ...page,
    hasNextPage: () => next !== null,
    getNextPage: async () => {
      const pages = walkOn(false);
      await pages.next();
      const { value } = await pages.next();
      if (value) return value;
      throw new RangeError(`there is no next page: this is page ${number} of ${page.pages_count}`);
    },
    [Symbol.asyncIterator]: () => walkItems(walkOn(prefetch)),
  };
};

/** Adds the position to continue from to an error, unless the client refused the request, because it would refuse it again. */
const withResume = (error: unknown, resume: PagePosition): unknown =>
  MessagingServiceError.is(error) && !(ValidationError.is(error) && error.source === "client")
    ? Object.assign(error, { resume })
    : error;
