/** Rule for the name of a batch and for a key, as an error states it. */
export const NAME_RULE = "a string that is not empty, without NUL and without lone surrogates";

/** Returns whether a value can name a batch or be a key. A database refuses NUL, and replaces lone surrogates, so that two keys become one. */
export const isName = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && !value.includes("\0") && !/\p{Cs}/u.test(value);
