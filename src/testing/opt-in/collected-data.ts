import type { collectedDataTypes } from "../../rules/opt-in-steps.ts";

/** Formats of valid replies. The specification names the data but not their formats: these are the fake's own. */
const FORMATS: Readonly<Record<(typeof collectedDataTypes)[number], RegExp>> = {
  // A ZIP code, with or without its four additional digits, or a Canadian postal code.
  zip_code: /^(\d{5}(-\d{4})?|[a-z]\d[a-z][ -]?\d[a-z]\d)$/i,
  email_address: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/,
  first_name: /^\p{L}[\p{L}\p{M}' -]{0,49}$/u,
  yes: /^y(es)?$/i,
};

/** Returns whether a reply is valid for the data that a step collects; unknown data accept any reply. */
export const isValidReply = (collectedData: string, reply: string): boolean =>
  Object.hasOwn(FORMATS, collectedData)
    ? FORMATS[collectedData as keyof typeof FORMATS].test(reply.trim())
    : reply.trim() !== "";
