// The fields of the service's schemas, for those of the fake, which are made at the import; and how input is checked by a schema.
import * as z from "zod/mini";
import { assertOptions, type OptionNames, withoutUndefined } from "../../options.ts";
import { quoteName } from "../../quote.ts";
import { parsePhone } from "../../rules/phone.ts";
import * as fields from "../../schemas/fields.ts";
import { rcsTextMessageSchema } from "../../schemas/index.ts";

export { withoutUndefined } from "../../options.ts";
export { listOf, mustBe, oneOf, rule } from "../../schemas/fields.ts";

export const string = /* @__PURE__ */ fields.string();
export const boolean = /* @__PURE__ */ fields.boolean();
export const integer = /* @__PURE__ */ fields.integer();
export const number = /* @__PURE__ */ fields.number();
export const stringOrNull = /* @__PURE__ */ fields.stringOrNull();
export const optionalBoolean = /* @__PURE__ */ fields.optionalBoolean();

/** Returns a check that a condition holds for a value. */
// @__NO_SIDE_EFFECTS__
export const that = <T>(message: string, holds: (value: T) => boolean, bag?: object) =>
  fields.rule<T>(function* (value) {
    if (!holds(value)) yield { code: "custom", message };
  }, bag);

/**
 * @param what Name of such a number, for the error.
 * @param bag What zod can say of the condition in JSON Schema.
 */
// @__NO_SIDE_EFFECTS__
export const numberThat = (what: string, holds: (value: number) => boolean, bag?: object) =>
  z.number(fields.mustBe(what)).check(that(`must be ${what}`, holds, bag));

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
  );

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
 * Builds the schema of an object. Its type keeps the fields as they are written: declaration files would otherwise lose
 * their comments.
 */
export const objectOf = <T extends z.core.$ZodShape>(shape: T) =>
  z.object(shape, fields.mustBe("an object")) as unknown as z.ZodMiniObject<T, z.core.$strip>;

/** U.S. or Canadian phone number in any common format; converted to E.164. */
export const phoneSchema = rcsTextMessageSchema.shape.phoneNumber;
/** Count, 0 or more. */
export const countSchema = integer.check(z.minimum(0, "must be 0 or more"));
/** Any JSON value. Its key is required in a type, but absent from JSON if the value is `undefined`. */
export const anyJson = z.optional(z.unknown()) as z.ZodMiniType<unknown>;

/** Name of the function whose options several files check. */
export const CREATE = "createFakeService";

export const problemSchema = objectOf({
  /** Keys and indexes that lead to the field. */
  path: fields.listOf(z.union([z.string(), z.number()])),
  /** Message for people: the problem, then what would be right. */
  message: z.string(),
});

/** Field that broke a rule. */
export interface FieldProblem extends DeepReadonly<z.infer<typeof problemSchema>> {}

/** Error for a misused method or option of the fake. Its message names each field as the caller wrote it. */
export class UsageError extends TypeError {
  readonly #problems: readonly FieldProblem[];

  constructor(call: string, problems: readonly FieldProblem[]) {
    const sentences = problems.map(({ path, message }) =>
      path.length === 0 ? message : `${quoteName(path.join("."))} ${message}`,
    );
    super(`${call}: ${sentences.join("; ")}`);
    this.#problems = problems;
  }

  /** Every field that broke a rule. */
  get problems(): readonly FieldProblem[] {
    return this.#problems;
  }
}

/** @throws UsageError that states `expected`, of the field at `path`, unless the condition holds. */
export const assertUsage: (
  call: string,
  holds: boolean,
  expected: string,
  ...path: string[]
) => asserts holds = (call, holds, message, ...path) => {
  if (!holds) throw new UsageError(call, [{ path, message }]);
};

/**
 * @param path Path of the value within the caller's fields or options.
 * @throws UsageError that names every field that breaks a rule.
 */
export const parseUsage = <T extends z.ZodMiniType>(
  call: string,
  schema: T,
  value: unknown,
  ...path: string[]
): z.output<T> => {
  const { data, error } = z.safeParse(schema, value);
  if (!error) return data;
  const problems = error.issues.flatMap((issue): FieldProblem[] => {
    const { code, message } = issue;
    const at = [...path, ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))];
    if (code !== "unrecognized_keys") return [{ path: at, message }];
    return issue.keys.map((key) => ({ path: [...at, key], message: "is not a known field" }));
  });
  throw new UsageError(call, problems);
};

/**
 * Checks an object of options by its schema; an option that is `undefined` counts as not given.
 *
 * @param name Name of the object, for the error if it is not an object.
 * @param path Path of the object within the caller's options.
 * @throws TypeError that names an unknown option, and the option that was probably meant.
 * @throws UsageError that names every option that breaks a rule.
 */
export const parseOptions = <T extends z.ZodMiniObject>(
  call: string,
  schema: T,
  options: object,
  name: string,
  ...path: string[]
): z.output<T> => {
  assertOptions(
    name,
    options,
    schema.shape as OptionNames<object>,
    path.map((key) => `${key}.`).join(""),
  );
  return parseUsage(call, schema, withoutUndefined(options), ...path);
};

/** @throws UsageError unless the fields are an object, or are not given. */
export const assertFields = (call: string, fields: unknown): void => {
  const isObject = fields === undefined || Object(fields) === fields;
  assertUsage(call, isObject, "fields must be in an object, such as { id: 17 }");
};

/** @throws UsageError that says why it is not a phone number. */
export const toPhoneNumber = (call: string, phoneNumber: unknown): string => {
  const parsed = parsePhone(phoneNumber);
  if ("e164" in parsed) return parsed.e164;
  throw new UsageError(call, [{ path: [], message: `the phone number ${parsed.message}` }]);
};

export const thrownMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
