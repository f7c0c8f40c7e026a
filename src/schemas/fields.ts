import * as z from "zod/mini";
import type { Problem } from "../rules/problem.ts";

/** What a field that is missing, or of another type, is told. */
// @__NO_SIDE_EFFECTS__
export const mustBe = (what: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? `is required and must be ${what}` : `must be ${what}`,
});

export const text = /* @__PURE__ */ z.string(mustBe("a string"));
export const flag = /* @__PURE__ */ z.boolean(mustBe("true or false"));
export const integer = /* @__PURE__ */ z.int(mustBe("an integer"));
export const amount = /* @__PURE__ */ z.number(mustBe("a number"));
export const textOrNull = /* @__PURE__ */ z.nullable(text);
export const flagOrNull = /* @__PURE__ */ z.nullable(flag);
export const integerOrNull = /* @__PURE__ */ z.nullable(integer);

// @__NO_SIDE_EFFECTS__
export const listOf = <const T extends z.ZodMiniType>(item: T) => z.array(item, mustBe("an array"));

/** One of a closed set. */
// @__NO_SIDE_EFFECTS__
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, mustBe(`one of ${values.join(", ")}`));

/** A text of an open set: the values that are documented, and those that the service may add. */
// @__NO_SIDE_EFFECTS__
export const openSet = <const T extends readonly string[]>(_known: T) =>
  // Any string passes; the type tells an editor which ones are known.
  text as z.ZodMiniType<T[number] | (string & {}), T[number] | (string & {})>;

/** An object whose undocumented fields are kept, though its type does not name them. */
// @__NO_SIDE_EFFECTS__
export const open = <T extends z.core.$ZodShape>(shape: T) =>
  // At run time it is loose; typed so, every misspelt field would compile.
  z.looseObject(shape, mustBe("an object")) as unknown as z.ZodMiniObject<T, z.core.$strip>;

/** Reports what a rule finds wrong with a value of the right type, also when a part of it is wrong already. */
// @__NO_SIDE_EFFECTS__
export const follows = <T>(rule: (value: T) => Iterable<Problem>) =>
  z.check<T>(
    ({ value, issues }) => {
      for (const problem of rule(value)) report(issues, value, problem);
    },
    { when: ({ issues }) => issues.every(({ path = [] }) => path.length > 0) },
  );

/** Adds a problem to the issues of a zod check; `toValidationIssues` finds it in `params`. */
export const report = (issues: z.core.$ZodRawIssue[], input: unknown, problem: Problem): void => {
  const { message, path = [] } = problem;
  issues.push({ code: "custom", message, path: [...path], params: { problem }, input });
};
