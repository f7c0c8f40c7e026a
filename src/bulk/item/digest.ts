import { builtInModule } from "../built-in-module.ts";

/** The part of `node:crypto` that hashes at once: Web Crypto wakes a thread, which takes longer than the hash. */
interface NodeCrypto {
  hash(algorithm: "sha256", text: string): string;
}

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
  const { hash } = builtInModule<NodeCrypto>("node:crypto");
  if (hash) return hash("sha256", text);
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Returns 128 random bits in base64url: 22 characters that need no escaping in a URL. */
export const randomId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .slice(0, 22);
