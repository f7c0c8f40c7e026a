import type { Redactor } from "./redact.ts";

/** Response whose body has been read. */
export interface Received {
  readonly response: Response;
  /** Body as a string, outside 2xx of at most 64 KiB. `undefined` if it cannot be read. */
  readonly body: string | undefined;
}

/** What an error says of a body that was read before, broke off at once, or is too long for the runtime. */
export const UNREADABLE = "its body broke off, was read before, or is too long";

/** Maximum size of a body that an error keeps, in bytes: 64 KiB. */
export const MAX_KEPT_BODY = 65_536;

/** Returns the start of a body that an error keeps. A string is cut between two characters. */
export const keptPart = (body: string): string => {
  let [end, bytes] = [0, 0];
  for (const character of body) {
    // The size of the character in UTF-8. There may be no `TextEncoder`.
    const code = character.codePointAt(0) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > MAX_KEPT_BODY) break;
    end += character.length;
  }
  return body.slice(0, end);
};

/** Joins the chunks of a body. A single chunk is returned as it is: an allocation takes as long as parsing its JSON. */
export const joinChunks = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};

const ID_HEADERS = ["x-request-id", "x-amzn-requestid", "request-id"];

/** Returns the service's id of a request, if it sent one, without any string that the caller sent. */
export const requestIdOf = (headers: Headers, redactor: Redactor): string | undefined => {
  for (const name of ID_HEADERS) {
    const id = headers.get(name);
    if (id) return redactor.token(id);
  }
  return undefined;
};
