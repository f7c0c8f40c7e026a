import { assertUsage } from "../assert-usage.ts";

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Returns whether a string is an existing date or time in ISO 8601. */
const isTimestamp = (value: string): boolean => {
  if (!ISO_8601.test(value) || Number.isNaN(Date.parse(value))) return false;
  // `Date.parse` reads February 30 as March 2.
  const day = value.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
};

/** @throws TypeError that names the field without a valid timestamp. */
export const assertTimestamps = <T extends object>(
  call: string,
  resource: T,
  fields: readonly (keyof T & string)[],
  prefix = "",
): void => {
  for (const field of fields) {
    const value: unknown = resource[field];
    if (value === null || value === undefined) continue;
    const isTime = typeof value === "string" && isTimestamp(value);
    assertUsage(call, isTime, `${prefix}${field} must be a time in ISO 8601`);
  }
};
