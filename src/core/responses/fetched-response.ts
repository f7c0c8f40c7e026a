import type { Redactor } from "./redact.ts";

export interface FetchedResponse {
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
  // A UTF-16 unit takes at most three bytes.
  if (body.length <= MAX_KEPT_BODY / 3) return body;
  // jsdom has no `TextEncoder` under Jest.
  const Encoder = globalThis.TextEncoder as typeof TextEncoder | undefined;
  const end = Encoder && new Encoder().encodeInto(body, new Uint8Array(MAX_KEPT_BODY)).read;
  return body.slice(0, end ?? MAX_KEPT_BODY / 3);
};

/** Statuses whose responses have no body (RFC 9110). Runtimes differ in what they do if there is one. */
export const NO_CONTENT: readonly number[] = [204, 205];

const readStart = async (response: Response): Promise<FetchedResponse["body"]> => {
  let body = "";
  try {
    // The body of node-fetch has no reader, React Native has no streams, and jsdom no `TextDecoder`.
    const reader = globalThis.TextDecoder && response.body?.getReader?.();
    if (!reader) return keptPart(await response.text());
    const decoder = new TextDecoder();
    let bytes = 0;
    while (bytes < MAX_KEPT_BODY) {
      const { done, value } = await reader.read();
      if (done) return body + decoder.decode();
      body += decoder.decode(value.subarray(0, MAX_KEPT_BODY - bytes), { stream: true });
      bytes += value.byteLength;
    }
    // The error has all that it keeps: it does not matter how the rest ends.
    reader.cancel().catch(() => {});
  } catch {
    // The status alone decides how the call ends. If the body breaks off, its error has what arrived.
  }
  return body || undefined;
};

/** Reads the body of a response: after a 2xx all of it, otherwise its start. */
export const readBody = async (response: Response): Promise<FetchedResponse["body"]> => {
  // A function around `fetch` has read it.
  if (response.bodyUsed) return undefined;
  if (!response.ok) return readStart(response);
  const body = await response.text();
  // A mock may give anything.
  return typeof body === "string" ? body : undefined;
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
