// Checks of input by a schema, and the errors for invalid input.
import * as z from "zod/mini";
import { assertOptions, type OptionNames, withoutUndefined } from "../../core/options.ts";
import { quoteName } from "../../core/quote.ts";
import { parsePhone } from "../../core/rules/phone.ts";
import type { FieldProblem } from "./fake-fields.ts";

/** Name of the function whose options several files check. */
export const CREATE = "createFakeService";

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

/** @throws UsageError unless the condition is true. Its message is `expected`, about the field at `path`. */
export function assertUsage(
  call: string,
  holds: boolean,
  expected: string,
  ...path: string[]
): asserts holds {
  if (!holds) throw new UsageError(call, [{ path, message: expected }]);
}

/** @throws UsageError that names every field that breaks a rule, each prefixed with `path`. */
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
 * Checks options by their schema. An option that is `undefined` counts as not given.
 *
 * @throws TypeError that names an unknown option or every option that breaks a rule, or `name` if `options` is not an object.
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

/** @throws UsageError unless the fields are an object or `undefined`. */
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
