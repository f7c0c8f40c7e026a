import { invalidOption } from "../options/assertions.ts";

/** An environment variable, where the runtime has any and lets it be read; an empty one is missing. */
const readEnvironment = (name: string): string | undefined => {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
};

/** A text that is given as an option, or else by an environment variable. */
export const requiredText = (name: string, value: unknown, variable: string): string => {
  const text = value === undefined ? readEnvironment(variable) : value;
  if (typeof text === "string" && text !== "") return text;
  const problem = text === undefined ? "is missing" : "must be a string that is not empty";
  throw new TypeError(`option \`${name}\` ${problem}: give it, or set ${variable}`);
};

/** The value of an `x-api-key` header; the error never quotes it. */
export const toApiKeyHeader = (apiKey: string): string => {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw invalidOption("apiKey", "printable ASCII without spaces, as a header value");
};

/** The value of an `Authorization` header (RFC 7617, UTF-8). */
export const toBasicHeader = (email: string, apiKey: string): string => {
  if (email.includes(":")) throw invalidOption("email", "an e-mail address without a colon");
  for (const [name, text] of Object.entries({ email, apiKey })) {
    if (/[\p{Cc}\p{Cs}]/u.test(text))
      throw invalidOption(name, "well-formed text, no control characters");
  }
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
};
