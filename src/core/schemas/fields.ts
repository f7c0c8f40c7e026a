import * as z from "zod/mini";
import { isTimestamp, timestampProblems } from "../rules/dates.ts";
import type { Problem } from "../rules/problem.ts";

/**
 * Returns a function that makes a value on its first call, and returns the same value on every later call. Making all schemas in
 * advance would take longer than the rest of an import.
 */
// @__NO_SIDE_EFFECTS__
export const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Returns the message for a field that is missing or has the wrong type. */
// @__NO_SIDE_EFFECTS__
export const mustBe = (what: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? `is required and must be ${what}` : `must be ${what}`,
});

/** Adds a problem to the issues of a zod check. `toValidationIssues` reads it from `params`. */
export const addIssue = (issues: z.core.$ZodRawIssue[], input: unknown, problem: Problem): void => {
  const { message, path = [] } = problem;
  issues.push({ code: "custom", message, path: [...path], params: { problem }, input });
};

/** Maximum number of issues of one array. zod fails on more than about a hundred thousand issues at once. */
const ISSUE_LIMIT = 20_000;

/** Definition of a check that {@link rule} returns. The definitions of other checks do not have these fields. */
export interface RuleDefinition {
  readonly matches?: (value: never) => boolean | undefined;
}

/**
 * Returns a check that applies a rule to a value of the right type, even if a field or an item of the value already has
 * issues. It drops issues beyond the maximum.
 *
 * @param bag Parts of the rule that zod can express in JSON Schema.
 * @param matches Faster test of whether a value has no problem.
 */
// @__NO_SIDE_EFFECTS__
export const rule = <T>(
  problemsOf: (value: T) => Generator<Problem>,
  bag?: object,
  matches: RuleDefinition["matches"] = (value: T) => problemsOf(value).next().done,
) => {
  const definition: RuleDefinition = { matches };
  const check = z.check<T>(
    ({ value, issues }) => {
      for (const problem of problemsOf(value)) addIssue(issues, value, problem);
      issues.splice(ISSUE_LIMIT);
    },
    { when: ({ issues }) => issues.every(({ path = [] }) => path.length > 0), ...definition },
  );
  check._zod.onattach.push(({ _zod }) => Object.assign(_zod.bag, bag));
  return check;
};

/**
 * Returns a check for an integer. `z.int` would report an integer that is too large as `too_big`, and turn off the rules of every
 * object that contains it.
 */
// @__NO_SIDE_EFFECTS__
const wholeNumber = (message: string) =>
  rule<number>(
    function* (value) {
      if (!Number.isSafeInteger(value)) yield { code: "invalid_type", type: "integer", message };
    },
    { format: "safeint" },
    Number.isSafeInteger,
  );

/** Returns a request's schema that removes response-only fields, because a caller may send back an object that it received. */
// @__NO_SIDE_EFFECTS__
export const withoutFieldsOf = <T extends z.ZodMiniObject>(response: z.ZodMiniObject, request: T) =>
  request.check(
    z.overwrite((value) => {
      const isSent = (name: string) => name in request.shape || !(name in response.shape);
      return Object.fromEntries(Object.entries(value).filter(([name]) => isSent(name))) as never;
    }),
  );

export const string = /* @__PURE__ */ once(() => z.string(mustBe("a string")));
export const boolean = /* @__PURE__ */ once(() => z.boolean(mustBe("true or false")));
export const integer = /* @__PURE__ */ once(() =>
  z.number(mustBe("an integer")).check(wholeNumber("must be an integer")),
);
export const number = /* @__PURE__ */ once(() => z.number(mustBe("a number")));
/** ISO 8601. */
export const timestamp = /* @__PURE__ */ once(() =>
  string().check(rule(timestampProblems, { format: "date-time" }, isTimestamp)),
);

export const stringOrNull = /* @__PURE__ */ once(() => z.nullable(string()));
export const booleanOrNull = /* @__PURE__ */ once(() => z.nullable(boolean()));
export const integerOrNull = /* @__PURE__ */ once(() => z.nullable(integer()));
export const timestampOrNull = /* @__PURE__ */ once(() => z.nullable(timestamp()));

export const optionalString = /* @__PURE__ */ once(() => z.optional(string()));
export const optionalBoolean = /* @__PURE__ */ once(() => z.optional(boolean()));
export const optionalBooleanOrNull = /* @__PURE__ */ once(() => z.optional(booleanOrNull()));
export const optionalStringOrNull = /* @__PURE__ */ once(() => z.optional(stringOrNull()));

// @__NO_SIDE_EFFECTS__
export const listOf = <const T extends z.ZodMiniType>(item: T) => z.array(item, mustBe("an array"));

// @__NO_SIDE_EFFECTS__
export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, mustBe(`one of ${values.join(", ")}`));

/** Returns the schema of a string from an open set: the documented values, and any value that the service may add. */
// @__NO_SIDE_EFFECTS__
export const openEnum = <const T extends readonly string[]>(_known: T) =>
  // Any string passes; the type lets an editor suggest the known values.
  string() as z.ZodMiniType<T[number] | (string & {}), T[number] | (string & {})>;

/** Returns the schema of an object that keeps undocumented fields. Its type does not name them. */
// @__NO_SIDE_EFFECTS__
export const looseObject = <T extends z.core.$ZodShape>(shape: T) =>
  // The schema is loose at run time. If its type were loose too, every misspelled field would compile.
  z.looseObject(shape, mustBe("an object")) as unknown as z.ZodMiniObject<T, z.core.$strip>;

/** Returns the schema of an object without undocumented fields. */
// @__NO_SIDE_EFFECTS__
export const strictObject = <T extends z.core.$ZodShape>(
  shape: T,
  messageOf: (issue: { readonly code?: string }) => string,
) =>
  // The mapped type that zod returns would lose the comments of the fields in published declarations.
  z.strictObject(shape, { error: messageOf }) as unknown as z.ZodMiniObject<T, z.core.$strict>;

/** Returns a check for a number within inclusive limits. It is smaller than the two checks of zod. */
// @__NO_SIDE_EFFECTS__
export const within = (
  minimum: number,
  maximum?: number,
  tooSmall = `must be at least ${minimum}`,
) => {
  const details = { type: "number", inclusive: true, exact: false };
  return rule<number>(
    function* (value) {
      if (value < minimum) yield { code: "too_small", minimum, ...details, message: tooSmall };
      if (maximum !== undefined && value > maximum) {
        yield { code: "too_big", maximum, ...details, message: `must be at most ${maximum}` };
      }
    },
    { minimum, maximum },
  );
};

const POSITIVE_INTEGER = "must be a positive integer";

/** Id of a list or a report. */
export const idSchema = /* @__PURE__ */ once(() =>
  z
    .number({
      error: ({ input }) =>
        typeof input === "string" ? "must be a number, not a string" : POSITIVE_INTEGER,
    })
    .check(wholeNumber(POSITIVE_INTEGER), within(1, undefined, POSITIVE_INTEGER)),
);

/** Phone number of a subscriber, in the format in which the service stores it. */
export const subscriberIdSchema = /* @__PURE__ */ once(() =>
  z.string("must be a string: the subscriber's phone_number"),
);

/** Yields the problem of a path parameter. A zod union would report `invalid_union` instead of a type. */
function* pathParamProblems(value: unknown): Generator<Problem> {
  if (typeof value === "string" || Number.isFinite(value)) return;
  yield { code: "invalid_type", type: "string", message: "must be a string or a number" };
}

/** Path parameter of `request()`. */
export const pathParamSchema = /* @__PURE__ */ once(() =>
  z.unknown().check(rule(pathParamProblems)),
);
