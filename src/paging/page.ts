import * as z from "zod/mini";
import { customIssue, type PagePosition, type ValidationIssue } from "../errors.ts";
import { assertObject, invalidOption } from "../options.ts";
import { quoteName } from "../quote.ts";
import {
  atLeast,
  integer,
  listOf,
  looseObject,
  mustBe,
  once,
  rule,
  string,
} from "../schemas/fields.ts";
import { toValidationIssues } from "../schemas/validation-issues.ts";

/** Content of one page of a list (specification: "Pagination envelope"). */
export interface PageData<T> {
  /** Records of this page; in a walk, without records that an earlier page held. */
  readonly items: readonly T[];
  /** Number of this page, starting at 1. */
  readonly page: number;
  /** Page size: the number of records on a full page. */
  readonly per_page: number;
  /** Number of records on all pages; for scheduled messages, the number on this page. */
  readonly count: number;
  /** Number of pages; 0 when there are no records. */
  readonly pages_count: number;
}

/** One page of a list. Iterating it yields the records from this page onwards. */
export interface Page<T> extends PageData<T>, AsyncIterable<T> {
  /**
   * Position of the next page, a plain JSON value that you can store and pass to the same `list` call; `null` on the last page.
   * `list(null)` rejects with a `TypeError`, because there is nothing left to read.
   */
  readonly next: PagePosition | null;
  /** Returns whether there is a next page. */
  hasNextPage(): boolean;
  /**
   * Reads the next page, without records that an earlier page held.
   *
   * @throws {@link MessagingServiceError} if the page cannot be read.
   * @throws RangeError (as a rejection) on the last page: check `hasNextPage()` first.
   */
  getNextPage(): Promise<Page<T>>;
}

/** Content of a page and the position of the next, without the methods of a {@link Page}. */
export type PlainPage<T> = PageData<T> & Pick<Page<T>, "next">;

/** Position of a page. The service has defaults for absent fields. */
export interface Position extends Pick<PagePosition, "after"> {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

const nonNegative = () => integer().check(atLeast(0));

/** Id of a record. */
const id = () => z.union([string(), integer()], mustBe("an integer or a string"));

const stateSchema = /* @__PURE__ */ once(() =>
  looseObject({
    path: string(),
    count: z.optional(nonNegative()),
    pages_count: nonNegative(),
    last: z.optional(id()),
    // An empty rule limits the number of issues.
    ids: listOf(id()).check(rule(function* () {})),
  }),
);

/**
 * Returns the parameters of a list call, which may be a position.
 *
 * @throws TypeError if they are not an object. `null` is the `next` of the last page. If it meant "from the start", a finished
 * job would begin again.
 */
export const assertPosition = <T extends object>(params: T): T => {
  if (params !== null) return assertObject("params", params);
  throw invalidOption("params", "an object; `null` is the `next` of the last page");
};

/** Copies the state in a position: the caller may change it while the walk goes on. A malformed state is rejected as it is. */
export const copyState = (state: Position["after"]): Position["after"] =>
  state && ((z.safeParse(stateSchema(), state).data as Position["after"]) ?? state);

/**
 * Yields the issues of a position that the caller passed: it may come from a database, or belong to a different list.
 *
 * @param path Path of the list.
 */
export function* positionIssues(position: Position, path: string): Generator<ValidationIssue> {
  if (position.after === undefined) return;
  for (const name of ["page", "per_page"] as const) {
    if (position[name] !== undefined) continue;
    yield customIssue("is required beside `after`", [name]);
  }
  const { data, error } = z.safeParse(stateSchema(), position.after);
  yield* toValidationIssues(error?.issues ?? [], ["after"]);
  if (data && data.path !== path) {
    // The id in the path is the caller's.
    yield customIssue(`must be ${quoteName(path)}: this is a position in another list`, [
      "after",
      "path",
    ]);
  }
}
