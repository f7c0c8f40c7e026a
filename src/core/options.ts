import { quoteName } from "./quote.ts";

/** Longest delay of a timer in milliseconds: 2^31 - 1, or 24.8 days. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Check of an option. It returns the value, converted if necessary, or throws a `TypeError` that names the option. */
export type OptionCheck<T, R = T> = (name: string, value: T) => R;

/** Option that is missing, or is not what was expected. */
export interface OptionProblem {
  readonly option: string;
  /** What the option must be; absent if it is missing. */
  readonly expected?: string;
}

/** Returns a `TypeError` with the problems that its message describes. They are not enumerable, so a log does not repeat them. */
export const optionError = (message: string, problems: readonly OptionProblem[]): TypeError =>
  Object.defineProperty(new TypeError(message), "optionProblems", { value: problems });

/**
 * Returns the error for an invalid option. It never quotes the value, which may be a secret.
 *
 * @param unless End of the message, which names a different option that would permit the value.
 */
export const invalidOption = (name: string, expected: string, unless = ""): TypeError => {
  // Does not call `optionError`, because a stack has only ten frames, and must reach the caller.
  const error = new TypeError(`option \`${name}\` must be ${expected}${unless}`);
  return Object.defineProperty(error, "optionProblems", { value: [{ option: name, expected }] });
};

/** Returns the problems of options that an error is about; `undefined` for any other error. */
export const problemsOf = (error: unknown): readonly OptionProblem[] | undefined =>
  error instanceof TypeError && "optionProblems" in error
    ? (error.optionProblems as readonly OptionProblem[])
    : undefined;

/** Returns a function that reads an option with its check and its default. */
export const or =
  <T, R, D = undefined>(check: OptionCheck<T, R>, fallback?: D) =>
  (name: string, value: T | undefined): R | NoInfer<D> =>
    value === undefined ? (fallback as NoInfer<D>) : check(name, value);

export const assertBoolean: OptionCheck<boolean> = (name, value) => {
  if (typeof value === "boolean") return value;
  throw invalidOption(name, "true or false");
};

export const assertString = (name: string, value: string): string => {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} must be a string`);
};

export const assertNotEmpty: OptionCheck<string> = (name, value) => {
  if (typeof value === "string" && value !== "") return value;
  throw invalidOption(name, "a string that is not empty");
};

export const assertCount: OptionCheck<number> = (name, value) => {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidOption(name, "an integer, 0 or more");
};

export const assertPositiveInteger: OptionCheck<number> = (name, value) => {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw invalidOption(name, "a positive integer");
};

export const assertDuration: OptionCheck<number> = (name, value) => {
  if (typeof value === "number" && value >= 0) return value;
  throw invalidOption(name, "milliseconds, 0 or more");
};

/** Converts a time limit to milliseconds; `false` becomes infinity. */
export const toTimeLimit: OptionCheck<number | false, number> = (name, value) => {
  if (value === false) return Infinity;
  if (typeof value === "number" && value > 0 && value <= MAX_TIMER_MS) return value;
  throw invalidOption(name, `false, or milliseconds above 0 and at most ${MAX_TIMER_MS}`);
};

export const assertOneOf =
  <T extends string>(values: readonly T[]): OptionCheck<T> =>
  (name, value) => {
    if (values.includes(value)) return value;
    throw invalidOption(name, `one of ${values.join(", ")}`);
  };

export const assertObject = <T extends object>(name: string, value: T): T => {
  // The entries of a list, a map or a `URLSearchParams` are not properties, so they would be ignored.
  if (typeof value === "object" && value !== null && !(Symbol.iterator in value)) return value;
  throw invalidOption(name, "an object");
};

/** Names of the options of an interface, checked by the compiler to be complete. */
export type OptionNames<Options> = Readonly<Record<keyof Options & string, unknown>>;

/** Returns a name in lowercase, and its variants that lack one letter. */
const slipsOf = (name: string): readonly string[] => {
  const letters = name.toLowerCase();
  return [letters, ...Array.from(name, (_, at) => letters.slice(0, at) + letters.slice(at + 1))];
};

/** Returns whether one typing mistake separates two names: a letter added, omitted, replaced or moved. */
const isNear = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) < 2 &&
  slipsOf(one).some((slip) => slipsOf(other).includes(slip));

/**
 * Returns an object of options. An option that is `undefined` counts as not given.
 *
 * @param prefix Path of the object within the caller's options, ending with a dot.
 * @throws TypeError that names an unknown option, and the option that was probably meant.
 */
export const assertOptions = <T extends object>(
  name: string,
  value: T,
  names: OptionNames<T>,
  prefix = "",
): T => {
  assertObject(name, value);
  for (const [key, given] of Object.entries(value)) {
    if (given === undefined || Object.hasOwn(names, key)) continue;
    const meant = Object.keys(names).find((known) => isNear(known, key));
    const unknown = `option \`${prefix}${quoteName(key)}\` does not exist`;
    throw new TypeError(
      meant === undefined ? unknown : `${unknown}: did you mean \`${prefix}${meant}\`?`,
    );
  }
  return value;
};

type Readers = Readonly<Record<string, (name: string, value: never) => unknown>>;
type ReadersOf<T> = { readonly [K in keyof T & string]-?: (name: string, value: T[K]) => unknown };
export type ReadFrom<R extends Readers> = { readonly [K in keyof R]: ReturnType<R[K]> };

/** Reads the options of a table, which has a check and perhaps a default for each option. Other options are not read. */
export const readEach = <R extends Readers>(
  value: { readonly [K in keyof R]?: Parameters<R[K]>[1] | undefined },
  table: R,
  prefix = "",
): ReadFrom<R> => {
  const read: Record<string, unknown> = {};
  for (const key of Object.keys(table)) {
    read[key] = table[key]?.(prefix + key, value[key] as never);
  }
  return read as ReadFrom<R>;
};

/** Does the same as {@link readEach}, and rejects options that are not in the table. */
export const readOptions = <T extends object, R extends Readers & ReadersOf<T>>(
  name: string,
  value: T,
  table: R,
  prefix = "",
): ReadFrom<R> => readEach(assertOptions(name, value, table, prefix) as object, table, prefix);

/** Returns whether a parsed JSON value is an object, neither an array nor `null`. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const withoutUndefined = <T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

export const orUndefined = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** Runs a callback, and ignores its error or the rejection of its promise. */
export const ignoreErrors = <T>(callback: () => T): T | undefined => {
  try {
    const returned = callback();
    // `resolve` also adopts a promise that comes from a different realm or library.
    if (Object(returned) === returned) Promise.resolve(returned).catch(() => {});
    return returned;
  } catch {
    return undefined;
  }
};

/** Returns an `AbortSignal` option, which may come from a different realm, or throws a `TypeError` that names the option. */
export const assertSignal: OptionCheck<AbortSignal> = (name, value) => {
  const { aborted, addEventListener } = Object(value);
  if (typeof aborted === "boolean" && typeof addEventListener === "function") return value;
  throw invalidOption(name, "an AbortSignal");
};

export const assertFunction = <T>(name: string, value: T): T => {
  if (typeof value === "function") return value;
  throw invalidOption(name, "a function");
};
