import * as z from "zod/mini";

const POSITIVE_INTEGER = "must be a positive integer";

/** Id of a list or a report. */
export const idSchema = /* @__PURE__ */ z
  .int(POSITIVE_INTEGER)
  .check(/* @__PURE__ */ z.gte(1, POSITIVE_INTEGER));

/** Phone number of a subscriber, in the format in which the service stores it. */
export const subscriberIdSchema = /* @__PURE__ */ z.string(
  "must be a string: the subscriber's phone_number",
);

/** Path parameter of an operation that this package has no method for. */
export const pathParamSchema = /* @__PURE__ */ z.union(
  [/* @__PURE__ */ z.string(), /* @__PURE__ */ z.number()],
  "must be a string or a number",
);
