import * as z from "zod/mini";
import { integer, open, text } from "./fields.ts";

/** Page size where a request names none (specification: "Limits"). */
export const DEFAULT_PER_PAGE = 10;

/** The most records that one call returns (specification: "Limits"). */
export const MAX_PER_PAGE = 1000;

/** Specification: "Pagination envelope". The items stand beside these fields, in an array of their own name. */
export const pageSchema = /* @__PURE__ */ open({
  /** `OK`. */
  status: text,
  /** Records per page. */
  per_page: integer,
  /** Items found; of scheduled messages, those returned. */
  count: integer,
  /** This page, starting at 1. */
  page: integer,
  /** All pages; 0 when there are no items. */
  pages_count: integer,
});

/** The whole body of a list-returning call: the envelope, and the items under their name. */
// @__NO_SIDE_EFFECTS__
export const pageOf = <T extends z.core.$ZodShape>(items: T) =>
  /* @__PURE__ */ open({ ...pageSchema.shape, ...items });

/** Specification: "Page navigation"; the query of a list-returning call. */
// @__NO_SIDE_EFFECTS__
export const pageQuery = <T extends z.core.$ZodShape>(filters: T) =>
  /* @__PURE__ */ open({
    /** The page to begin at. Default: 1. */
    page: /* @__PURE__ */ z.optional(
      /* @__PURE__ */ z
        .int("must be an integer")
        .check(/* @__PURE__ */ z.gte(1, "must be at least 1")),
    ),
    /** Records per page, 1 to 1000. Default: 10 for a single page; 1000 when iterated. */
    per_page: /* @__PURE__ */ z.optional(
      z
        .int("must be an integer")
        .check(
          /* @__PURE__ */ z.gte(1, "must be at least 1"),
          /* @__PURE__ */ z.lte(MAX_PER_PAGE, "must be at most 1000"),
        ),
    ),
    ...filters,
  });
