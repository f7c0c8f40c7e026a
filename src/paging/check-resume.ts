import * as z from "zod/mini";
import type { ValidationIssue } from "../errors.ts";
import { integer, listOf, looseObject, mustBe, string } from "../schemas/shared/fields.ts";
import { toValidationIssues } from "../schemas/shared/validation-issues.ts";
import type { Position } from "./read-page.ts";

const amount = /* @__PURE__ */ integer.check(/* @__PURE__ */ z.gte(0, "must be at least 0"));

const id = /* @__PURE__ */ z.union([integer, string], mustBe("an integer or a string"));

const stateSchema = /* @__PURE__ */ looseObject({
  path: string,
  count: /* @__PURE__ */ z.optional(amount),
  pages_count: amount,
  last: /* @__PURE__ */ z.optional(id),
  ids: /* @__PURE__ */ listOf(id),
});

/**
 * Yields the issues of a position that was passed in: it may come from a database, or from another list.
 *
 * @param path Path of the list.
 */
export function* resumeIssues(position: Position, path: string): Generator<ValidationIssue> {
  if (position.after === undefined) return;
  for (const name of ["page", "per_page"] as const) {
    if (position[name] !== undefined) continue;
    yield { code: "custom", path: [name], message: "is required beside `after`" };
  }
  const { data, error } = z.safeParse(stateSchema, position.after);
  yield* toValidationIssues(error?.issues ?? [], ["after"]);
  if (data && data.path !== path) {
    const message = `must be ${path}: this is a position in another list`;
    yield { code: "custom", path: ["after", "path"], message };
  }
}
