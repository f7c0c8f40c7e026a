import { toCallError, ValidationError } from "../core/errors.ts";
import { invalidOption } from "../core/options.ts";

/** Maximum number of bytes of a batch name or a key. A Postgres index entry contains both and is limited to 2704 bytes. */
const MAX_NAME_BYTES = 1_024;

/** Mark at the start of many files with Unicode text. Many parsers leave it in the first field. */
const BYTE_ORDER_MARK = "\uFEFF";

const nameRule = (): string =>
  `a string of 1 to ${MAX_NAME_BYTES} bytes in UTF-8, without NUL, without lone surrogates, and without a byte order mark at its start`;

const byteLengthOf = (value: string): number => new TextEncoder().encode(value).length;

/**
 * Returns whether a value can name a batch or be a key. Databases refuse NUL and replace lone surrogates, so two keys could
 * become one. A key with a byte order mark would change when its file is saved without the mark.
 */
export const isName = (value: unknown): value is string =>
  typeof value === "string" &&
  value !== "" &&
  !value.includes("\0") &&
  !/\p{Cs}/u.test(value) &&
  !value.startsWith(BYTE_ORDER_MARK) &&
  byteLengthOf(value) <= MAX_NAME_BYTES;

export const assertName = (option: string, name: string): string => {
  if (isName(name)) return name;
  if (name === undefined) throw new TypeError(`option \`${option}\` is required`);
  throw invalidOption(option, nameRule());
};

export const toKeyError = (endpoint: string): ValidationError => {
  const issue = { code: "custom", message: `must be ${nameRule()}`, path: ["phoneNumber"] };
  return toCallError(new ValidationError([issue]), { endpoint });
};

/** Describes a value without quoting it, because it may be personal data. */
const describeValue = (value: unknown): string => {
  if (value === undefined || value === null) return `${value}`;
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") {
    return typeof Object(value).then === "function" ? "a promise" : "an object";
  }
  if (typeof value !== "string") return `a ${typeof value}`;
  if (value === "") return "an empty string";
  if (value.startsWith(BYTE_ORDER_MARK)) return "a string that begins with a byte order mark";
  if (value.includes("\0")) return "a string with NUL";
  return /\p{Cs}/u.test(value)
    ? "a string with a lone surrogate"
    : `a string of ${byteLengthOf(value)} bytes`;
};

export const callbackError = (
  callback: string,
  returned: unknown,
  expected: string,
  { index }: { readonly index: number },
): TypeError => {
  const wrong = `\`${callback}\` returned ${describeValue(returned)} for the item at index ${index}`;
  return new TypeError(`${wrong}, and must return ${expected}`);
};

export const keyOfItem = <Item>(
  keyOf: ((item: Item) => string) | undefined,
  read: { readonly item: Item; readonly index: number },
): string | undefined => {
  if (!keyOf) return undefined;
  const key = keyOf(read.item);
  if (isName(key)) return key;
  throw callbackError("keyOf", key, nameRule(), read);
};
