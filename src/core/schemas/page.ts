import * as z from "zod/mini";
import * as f from "./fields.ts";

export const DEFAULT_PER_PAGE = 10;

/**
 * Maximum page size in records: the largest `per_page` that the service accepts.
 *
 * @category Rules
 */
export const maxPageSize = 1000;

export const pageSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Status of the response: `OK`. */
    status: f.string(),
    /** Number of records per page. */
    per_page: f.integer(),
    /** Number of items found; for scheduled messages, the number of items returned. */
    count: f.integer(),
    /** Number of this page, starting at 1. */
    page: f.integer(),
    /** Number of pages; 0 when there are no items. */
    pages_count: f.integer(),
  }),
);

/** Returns the schema of the whole body of a list-returning call: the envelope, and the items under their name. */
// @__NO_SIDE_EFFECTS__
export const pageOf = <T extends z.core.$ZodShape>(items: T) =>
  /* @__PURE__ */ f.looseObject({ ...pageSchema().shape, ...items });

const pageQuerySchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Number of the page to read, or of the first page of an iteration; an integer, 1 or more. Default: 1. */
    page: z.optional(f.integer().check(f.within(1))),
    /** Number of records per page, an integer from 1 to 1000. Default: 10 for a single page, 1000 for iteration. */
    per_page: z.optional(f.integer().check(f.within(1, maxPageSize))),
  }),
);

// A query extends this type in addition to the type of its own schema, because a type inferred in a different file loses its
// comments in the published declarations. The compiler checks that the two types agree.
/** Query fields of every list-returning call. A position, such as `page.next`, also has them. */
export interface PageQuery extends z.input<ReturnType<typeof pageQuerySchema>> {}

// @__NO_SIDE_EFFECTS__
export const pageQuery = <T extends z.core.$ZodShape>(filters: T) =>
  f.looseObject({ ...pageQuerySchema().shape, ...filters });
