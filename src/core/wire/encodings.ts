// Encoding of credentials and decoding of JSON, for the clients and for the fake service.
import { orUndefined } from "../options.ts";

/** Converts an e-mail address and an API key to the value of an `Authorization` header (RFC 7617, UTF-8). */
export const toBasic = (email: string, apiKey: string): string => {
  // The escapes are the bytes in UTF-8. jsdom has no `TextEncoder` under Jest.
  const escaped = encodeURIComponent(`${email}:${apiKey}`);
  const bytes = escaped.replace(/%(..)/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return `Basic ${btoa(bytes)}`;
};

/** Parses a string as JSON. Returns `undefined`, which no JSON text can represent, if it is not JSON. */
export const parseJson = (json: string): unknown => orUndefined(() => JSON.parse(json));
