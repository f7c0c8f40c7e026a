import type { Outcome } from "../errors.ts";
import type { Redactor } from "./redact.ts";

/** Key of the complete response in a head. */
export const WHOLE: unique symbol = /* @__PURE__ */ Symbol("whole response");

/**
 * Start of a response. Most callers need nothing else, and creating a `Response` takes longer than everything else that the
 * client does after it has read the body.
 */
export interface ResponseHead extends Pick<Response, "ok" | "status" | "statusText" | "headers"> {
  readonly [WHOLE]?: Response;
}

/** Returns the complete response of a head, which a caller may receive. */
export const toWhole = (head: ResponseHead): Response => head[WHOLE] ?? (head as Response);

export interface FetchedResponse {
  readonly response: ResponseHead;
  /** Outcome of the attempt, unless the response is a success that has the expected data. */
  readonly outcome: Outcome;
  /** Body as a string; outside 2xx, only its first 64 KiB. `undefined` if it cannot be read. */
  readonly body: string | undefined;
  /** Whether the body is longer than {@link MAX_BODY}. */
  readonly isTooLong?: boolean;
}

/** Part of an error's message for a body that was read before, or that broke off before its first byte. */
export const UNREADABLE = "its body broke off or was read before";

/**
 * Maximum size of a decoded body in bytes. No documented response reaches it, but a compressed megabyte can expand to a gigabyte.
 */
export const MAX_BODY = 134_217_728;

/** Part of an error's message for a body that is longer than {@link MAX_BODY}. */
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

/** Statuses whose responses have no body (RFC 9110). Runtimes differ in how they treat a body that is sent nevertheless. */
export const NO_CONTENT: readonly number[] = [204, 205];

type Chunk = Uint8Array<ArrayBuffer>;

interface ChunkReader {
  read(): Promise<IteratorResult<Chunk, unknown>>;
  /** Discards the rest of the body. */
  cancel(): Promise<unknown>;
}

/** Returns a reader of a streamed body, which is a web stream or, with node-fetch, a Node stream. */
export const readerOf = (response: Response): ChunkReader | undefined => {
  const body = response.body as (ReadableStream<Chunk> & AsyncIterable<Chunk>) | null | undefined;
  if (body?.getReader) return body.getReader();
  const iterator = body?.[Symbol.asyncIterator]?.();
  return iterator && { read: () => iterator.next(), cancel: async () => iterator.return?.() };
};

/**
 * Reads a body and adds its text to the parts. Returns whether the body is longer than the limit, in which case its rest is
 * discarded.
 */
const readInto = async (parts: string[], response: Response, limit: number): Promise<boolean> => {
  // React Native has no streams, and jsdom no `TextDecoder`.
  const reader = globalThis.TextDecoder && readerOf(response);
  if (!reader) {
    const text = await response.text();
    parts.push(text);
    // A mock may return anything. A UTF-16 unit takes at least one byte.
    return text?.length > limit;
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
  // The rest is not needed, whether or not it can be canceled.
  reader.cancel().catch(() => {});
  return true;
};

/**
 * Reads the body of a response. Reads all of it after a 2xx, otherwise only its start.
 *
 * @throws A `RangeError` for a body that is too long.
 */
export const readBody = async (response: Response): Promise<FetchedResponse["body"]> => {
  // A function around `fetch` has already read the body.
  if (response.bodyUsed) return undefined;
  const parts: string[] = [];
  if (response.ok) {
    if (await readInto(parts, response, MAX_BODY)) throw new RangeError(TOO_LONG);
    // A mock may return anything.
    return parts.every((part) => typeof part === "string") ? parts.join("") : undefined;
  }
  let isBroken = false;
  try {
    await readInto(parts, response, MAX_KEPT_BODY);
  } catch {
    // The status alone determines how the call ends. If the body breaks off, the error has the part that arrived.
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
