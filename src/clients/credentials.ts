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
 * Returns string options, each with its environment variable as its default.
 *
 * @throws TypeError that names the options and the variables if any is missing in both places, or an option is malformed.
 */
export const requiredStrings = <Name extends string>(
  options: Readonly<Record<Name, readonly [value: unknown, variable: string]>>,
): Readonly<Record<Name, string>> => {
  const strings: Record<string, string> = {};
  const missing: string[] = [];
  for (const name in options) {
    const [given, variable] = options[name];
    const value = given === undefined ? readEnvironment(variable) : given;
    if (value === undefined)
      missing.push(`option \`${name}\` is missing: give it, or set ${variable}`);
    else if (typeof value === "string" && value !== "") strings[name] = value;
    else throw invalidOption(name, "a string that is not empty");
  }
  if (missing.length > 0) throw new TypeError(missing.join("; "));
  return strings as Record<Name, string>;
};

/** Converts an API key to the value of an `x-api-key` header; the error never quotes it. */
export const toApiKeyHeader = (apiKey: string): string => {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw invalidOption("apiKey", "printable ASCII without spaces, as a header value");
};

/** Converts credentials to the value of an `Authorization` header; the error never quotes them. */
export const toBasicHeader = (email: string, apiKey: string): string => {
  if (email.includes(":")) throw invalidOption("email", "an e-mail address without a colon");
  for (const [name, value] of Object.entries({ email, apiKey })) {
    if (/[\p{Cc}\p{Cs}]/u.test(value))
      throw invalidOption(name, "a well-formed string without control characters");
  }
  return toBasic(email, apiKey);
};
