// The fields of the service's schemas, for the schemas of the fake, which are built when their modules are imported.
import * as z from "zod/mini";
import * as f from "../../core/schemas/fields.ts";
import { rcsTextMessageSchema } from "../../core/schemas/index.ts";

export { listOf, mustBe, oneOf, rule } from "../../core/schemas/fields.ts";

export const string = /* @__PURE__ */ f.string();
export const boolean = /* @__PURE__ */ f.boolean();
export const integer = /* @__PURE__ */ f.integer();
export const number = /* @__PURE__ */ f.number();
export const stringOrNull = /* @__PURE__ */ f.stringOrNull();
export const optionalBoolean = /* @__PURE__ */ f.optionalBoolean();

/** Returns a check that a value meets a condition. */
// @__NO_SIDE_EFFECTS__
export const that = <T>(message: string, holds: (value: T) => boolean, bag?: object) =>
  f.rule<T>(function* (value) {
    if (!holds(value)) yield { code: "custom", message };
  }, bag);

/** @param bag The condition as far as JSON Schema can express it. */
// @__NO_SIDE_EFFECTS__
export const numberThat = (what: string, holds: (value: number) => boolean, bag?: object) =>
  z.number(f.mustBe(what)).check(that(`must be ${what}`, holds, bag));

// @__NO_SIDE_EFFECTS__
export const numberFrom = (minimum: number, maximum: number) =>
  numberThat(
    `a number from ${minimum} to ${maximum}`,
    (value) => value >= minimum && value <= maximum,
    { minimum, maximum },
  );

// @__NO_SIDE_EFFECTS__
export const valueThat = <T>(what: string, holds: (value: unknown) => boolean) =>
  z.unknown().check(that(`must be ${what}`, holds)) as z.ZodMiniType<T, T>;

// @__NO_SIDE_EFFECTS__
export const integerFrom = (minimum: number, maximum: number) =>
  numberThat(
    `an integer from ${minimum} to ${maximum}`,
    (value) => Number.isSafeInteger(value) && value >= minimum && value <= maximum,
    { format: "safeint", minimum, maximum },
  );

/** Returns the schema of a value that a function converts; the function returns `undefined` for a malformed value. */
// @__NO_SIDE_EFFECTS__
export const parsedBy = <T>(what: string, parse: (value: unknown) => T | undefined) =>
  z.pipe(
    valueThat<unknown>(what, (value) => parse(value) !== undefined),
    z.transform((value) => parse(value) as T),
  ) as z.ZodMiniType<T, T>;

export const positiveInteger = /* @__PURE__ */ numberThat(
  "a positive integer",
  (value) => Number.isSafeInteger(value) && value > 0,
  { format: "safeint", minimum: 1 },
);

/** Type whose fields and items are read-only at any depth. */
export type DeepReadonly<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
      : T;

/**
 * Builds the schema of an object. Its type keeps the fields as they are written, because declaration files would otherwise
 * lose their comments.
 */
export const objectOf = <T extends z.core.$ZodShape>(shape: T) =>
  z.object(shape, f.mustBe("an object")) as unknown as z.ZodMiniObject<T, z.core.$strip>;

/** U.S. or Canadian phone number in any common format; converted to E.164. */
export const phoneSchema = rcsTextMessageSchema.shape.phoneNumber;
const notNegative = z.minimum(0, "must be 0 or more");
export const notNegativeNumber = number.check(notNegative);
/** Count, 0 or more. */
export const countSchema = integer.check(notNegative);
/** Any JSON value. Its key is required in a type, but absent from JSON if the value is `undefined`. */
export const anyJson = z.optional(z.unknown()) as z.ZodMiniType<unknown>;

export const problemSchema = objectOf({
  /** Keys and indexes that lead to the field. */
  path: f.listOf(z.union([z.string(), z.number()])),
  /** Message for people: the problem, then what would be right. */
  message: z.string(),
});

/** Field that broke a rule. */
export interface FieldProblem extends DeepReadonly<z.infer<typeof problemSchema>> {}
