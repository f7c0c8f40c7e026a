import * as z from "zod/mini";

const POSITIVE_INTEGER = "must be a positive integer";

/** The id of a list or a report. */
export const idSchema = /* @__PURE__ */ z
  .int(POSITIVE_INTEGER)
  .check(/* @__PURE__ */ z.gte(1, POSITIVE_INTEGER));

/** A subscriber's phone number, in whatever format it is stored. */
export const subscriberIdSchema = /* @__PURE__ */ z.string(
  "must be a string: the subscriber's phone_number",
);

/** A path parameter of an operation that this package does not know. */
export const pathParamSchema = /* @__PURE__ */ z.union(
  [/* @__PURE__ */ z.string(), /* @__PURE__ */ z.number()],
  "must be a string or a number",
);
