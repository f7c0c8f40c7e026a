import { MessagingServiceError, type Resume } from "../errors/base.ts";
import { ValidationError } from "../errors/validation-error.ts";
import type { Page } from "./page.ts";
import { DONE, Steps } from "./steps.ts";

/** Reads the page at a position of a walk. The signal fires when the walk is left. */
export type GetPage<T> = (position: Resume, signal: AbortSignal) => Promise<Page<T>>;

export interface PageWalkOptions<T> {
  /** Position of the first page. */
  readonly start: Resume;
  /** The first page, where it was read before. */
  readonly first?: Page<T> | undefined;
  /** Whether the next page is read while this one is consumed. */
  readonly prefetch: boolean;
}

/** Adds to an error where to go on. A request that broke a rule would break it again. */
export const withResume = (error: unknown, resume: Resume): unknown =>
  MessagingServiceError.is(error) && !ValidationError.is(error)
    ? Object.assign(error, { resume })
    : error;

/** Returns whether a page is the one at a position, and not what a service sends for a page after the last. */
const isThere = ({ page, pages_count, items }: Page<unknown>, position: Resume): boolean =>
  page === position.page && (items.length > 0 || page <= Math.max(1, pages_count));

/** Walks from page to page by the position after each. */
export class PageWalk<T> implements AsyncIterableIterator<Page<T>> {
  readonly #getPage: GetPage<T>;
  readonly #prefetch: boolean;
  readonly #steps = new Steps<Page<T>>();
  /** Ends the requests that are under way when the walk ends. */
  readonly #controller = new AbortController();
  /** The next page, where it was read or requested ahead. */
  #ahead: Promise<Page<T>> | undefined;
  /** Position of the page to hand out next; `undefined` when the walk has ended. */
  #position: Resume | undefined;

  constructor(getPage: GetPage<T>, { start, first, prefetch }: PageWalkOptions<T>) {
    this.#getPage = getPage;
    this.#position = start;
    this.#ahead = first && Promise.resolve(first);
    this.#prefetch = prefetch;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Page<T>, undefined>> {
    return this.#steps.run(() => this.#step());
  }

  async return(): Promise<IteratorResult<Page<T>, undefined>> {
    this.#steps.leave();
    this.#end();
    return DONE;
  }

  async #step(): Promise<IteratorResult<Page<T>, undefined>> {
    const position = this.#position;
    if (position === undefined) return DONE;
    try {
      const page = await (this.#ahead ?? this.#getPage(position, this.#controller.signal));
      if (this.#steps.isLeft) return DONE;
      if (page.next) this.#goOn(page.next);
      else this.#end();
      return isThere(page, position) ? { done: false, value: page } : DONE;
    } catch (error) {
      this.#end();
      throw withResume(error, position);
    }
  }

  #goOn(next: Resume): void {
    this.#position = next;
    this.#ahead = this.#prefetch ? this.#getPage(next, this.#controller.signal) : undefined;
    // Its failure is reported when its turn comes, if it ever does.
    this.#ahead?.catch(() => {});
  }

  #end(): void {
    this.#position = undefined;
    this.#ahead = undefined;
    this.#controller.abort();
  }
}
