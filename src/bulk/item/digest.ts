/** Returns a copy with the keys of every object in order, so that equal content has equal JSON. */
const toCanonical = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toCanonical);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, toCanonical(inner)]));
};

/**
 * Returns the SHA-256 of JSON content in hexadecimal. It depends neither on the order of keys nor on
 * the `ref`, which is new at every try.
 */
export const digestOf = async (content: unknown, ref: string): Promise<string> => {
  const text = JSON.stringify(toCanonical(content)).replaceAll(ref, "");
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Returns 128 random bits in base64url: 22 characters that need no escaping in a URL. */
export const randomId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .slice(0, 22);
