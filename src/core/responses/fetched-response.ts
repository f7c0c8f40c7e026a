import type { Outcome } from "../errors.ts";
import type { Redactor } from "./redact.ts";

/** Key of the whole response in a head. */
export const WHOLE: unique symbol = /* @__PURE__ */ Symbol("whole response");

/**
 * Start of a response. Most callers ask for no more, and making a `Response` takes longer than all else that the client does after
 * it has read the body.
 */
export interface ResponseHead extends Pick<Response, "ok" | "status" | "statusText" | "headers"> {
  readonly [WHOLE]?: Response;
}

/** Returns the response that a caller may see. */
export const toWhole = (head: ResponseHead): Response => head[WHOLE] ?? (head as Response);

export interface FetchedResponse {
  readonly response: ResponseHead;
  /** Outcome of the attempt, unless the response is a success that has the expected data. */
  readonly outcome: Outcome;
  /** Body as a string, outside 2xx of at most 64 KiB. `undefined` if it cannot be read. */
  readonly body: string | undefined;
  /** Whether the body is longer than {@link MAX_BODY}. */
  readonly isTooLong?: boolean;
}

/** What an error says of a body that was read before or broke off at once. */
export const UNREADABLE = "its body broke off or was read before";

/** Maximum size of a decoded body in bytes, which no documented response reaches: a compressed megabyte can become a gigabyte. */
export const MAX_BODY = 134_217_728;

/** What an error says of a body that is longer than {@link MAX_BODY}. */
export const TOO_LONG = "its body is longer than 128 MiB";

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

type Chunk = Uint8Array<ArrayBuffer>;

interface ChunkReader {
  read(): Promise<IteratorResult<Chunk, unknown>>;
  /** Gives up the rest of the body. */
  cancel(): Promise<unknown>;
}

/** Returns a reader of a body that is a stream, of the web or, as that of node-fetch, of Node. */
export const readerOf = (response: Response): ChunkReader | undefined => {
  const body = response.body as (ReadableStream<Chunk> & AsyncIterable<Chunk>) | null | undefined;
  if (body?.getReader) return body.getReader();
  const iterator = body?.[Symbol.asyncIterator]?.();
  return iterator && { read: () => iterator.next(), cancel: async () => iterator.return?.() };
};

/** Reads a body, and adds its text to the parts. Returns whether it is longer than the limit, and gives up its rest. */
const readInto = async (parts: string[], response: Response, limit: number): Promise<boolean> => {
  // React Native has no streams, and jsdom no `TextDecoder`.
  const reader = globalThis.TextDecoder && readerOf(response);
  if (!reader) {
    parts.push(await response.text());
    return false;
  }
  const decoder = new TextDecoder();
  for (let left = limit; left >= 0; ) {
    const { done, value } = await reader.read();
    if (done) {
      parts.push(decoder.decode());
      return false;
    }
    parts.push(decoder.decode(value.subarray(0, left), { stream: true }));
    left -= value.byteLength;
  }
  reader.cancel().catch(() => {});
  return true;
};

/**
 * Reads the body of a response: after a 2xx all of it, otherwise its start.
 *
 * @throws A `RangeError` for a body that is too long.
 */
export const readBody = async (response: Response): Promise<FetchedResponse["body"]> => {
  // A function around `fetch` has read it.
  if (response.bodyUsed) return undefined;
  const parts: string[] = [];
  if (response.ok) {
    if (await readInto(parts, response, MAX_BODY)) throw new RangeError(TOO_LONG);
    // A mock may give anything.
    return parts.every((part) => typeof part === "string") ? parts.join("") : undefined;
  }
  let isBroken = false;
  try {
    await readInto(parts, response, MAX_KEPT_BODY);
  } catch {
    // The status alone decides how the call ends. If the body breaks off, its error has what arrived.
    isBroken = true;
  }
  const body = keptPart(parts.join(""));
  return isBroken && body === "" ? undefined : body;
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
