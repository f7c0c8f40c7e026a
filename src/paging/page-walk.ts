import { MessagingServiceError, type Resume, ValidationError } from "../errors.ts";
import type { Page } from "./page.ts";
import { DONE, Steps } from "./steps.ts";

/** Function that reads the page at a position of a walk. The signal fires when the caller leaves the walk. */
export type GetPage<T> = (position: Resume, signal: AbortSignal) => Promise<Page<T>>;

export interface PageWalkOptions<T> {
  /** Position of the first page. */
  readonly start: Resume;
  /** The first page, if it was already read. */
  readonly first?: Page<T> | undefined;
  /** Whether the next page is read while the current one is consumed. */
  readonly prefetch: boolean;
}

/** Adds the position to continue from to an error, unless the request broke a rule, which it would break again. */
export const withResume = (error: unknown, resume: Resume): unknown =>
  MessagingServiceError.is(error) && !ValidationError.is(error)
    ? Object.assign(error, { resume })
    : error;

/** Iterates over pages by the position after each. */
export class PageWalk<T> implements AsyncIterableIterator<Page<T>> {
  readonly #getPage: GetPage<T>;
  readonly #prefetch: boolean;
  readonly #steps = new Steps<Page<T>>();
  /** Controller that ends the requests under way when the walk ends. */
  readonly #controller = new AbortController();
  /** The next page, if it was requested ahead. */
  #ahead: Promise<Page<T>> | undefined;
  /** Position of the next page to return; `null` when the walk has ended. */
  #position: Resume | null;

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
    if (position === null) return DONE;
    try {
      const page = await (this.#ahead ?? this.#getPage(position, this.#controller.signal));
      if (this.#steps.isLeft) return DONE;
      if (page.next) this.#goOn(page.next);
      else this.#end();
      return { done: false, value: page };
    } catch (error) {
      this.#end();
      throw withResume(error, position);
    }
  }

  #goOn(next: Resume): void {
    this.#position = next;
    this.#ahead = this.#prefetch ? this.#getPage(next, this.#controller.signal) : undefined;
    // Its failure is reported if and when its turn comes.
    this.#ahead?.catch(() => {});
  }

  #end(): void {
    this.#position = null;
    this.#ahead = undefined;
    this.#controller.abort();
  }
}
