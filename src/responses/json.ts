/** Returns whether a parsed JSON value is an object, neither an array nor `null`. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
