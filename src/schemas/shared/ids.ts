import * as z from "zod/mini";
import type { Problem } from "../../rules/problem.ts";
import { rule } from "./fields.ts";

const POSITIVE_INTEGER = "must be a positive integer";

/** Id of a list or a report. */
export const idSchema = /* @__PURE__ */ z
  .int(POSITIVE_INTEGER)
  .check(/* @__PURE__ */ z.gte(1, POSITIVE_INTEGER));

/** Phone number of a subscriber, in the format in which the service stores it. */
export const subscriberIdSchema = /* @__PURE__ */ z.string(
  "must be a string: the subscriber's phone_number",
);

function* pathParamProblems(value: unknown): Generator<Problem> {
  if (typeof value === "string" || Number.isFinite(value)) return;
  yield { code: "invalid_type", type: "string", message: "must be a string or a number" };
}

/** Path parameter of an operation that this package has no method for. A union of zod's own would weigh 350 bytes. */
export const pathParamSchema = /* @__PURE__ */ z
  .unknown()
  .check(/* @__PURE__ */ rule(pathParamProblems));
