import { invalidOption } from "../options.ts";
import { toBasic } from "../wire/basic.ts";

/** Returns an environment variable; `undefined` if it is empty, or the runtime has none or forbids to read it. */
const readEnvironment = (name: string): string | undefined => {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
};

/**
 * Returns a string option, or else the value of its environment variable.
 *
 * @throws TypeError that names the option and the variable if both are missing, or the option is malformed.
 */
export const requiredText = (name: string, value: unknown, variable: string): string => {
  const text = value === undefined ? readEnvironment(variable) : value;
  if (typeof text === "string" && text !== "") return text;
  const problem = text === undefined ? "is missing" : "must be a string that is not empty";
  throw new TypeError(`option \`${name}\` ${problem}: give it, or set ${variable}`);
};

/** Converts an API key to the value of an `x-api-key` header; the error never quotes it. */
export const toApiKeyHeader = (apiKey: string): string => {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw invalidOption("apiKey", "printable ASCII without spaces, as a header value");
};

/** Converts credentials to the value of an `Authorization` header; the error never quotes them. */
export const toBasicHeader = (email: string, apiKey: string): string => {
  if (email.includes(":")) throw invalidOption("email", "an e-mail address without a colon");
  for (const [name, text] of Object.entries({ email, apiKey })) {
    if (/[\p{Cc}\p{Cs}]/u.test(text))
      throw invalidOption(name, "a well-formed string without control characters");
  }
  return toBasic(email, apiKey);
};
