import { TimeoutError } from "../errors.ts";
import { waitFor } from "../wait-for.ts";
import { abortError, brokenError, stallError, statusError } from "./download-errors.ts";
import { type FileRequest, requestFile } from "./request-file.ts";

/** Progress of a download. */
export interface DownloadProgress {
  /** Number of bytes that arrived, after any decompression. */
  readonly received: number;
  /** Size of the whole file in bytes; absent if the host does not state it, or sends the file compressed. */
  readonly total?: number;
}

/** Settings of a download. */
export interface DownloadSettings extends FileRequest {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: DownloadProgress) => unknown) | undefined;
}

type Chunk = Uint8Array<ArrayBuffer>;
/** Reader of a body, piece by piece. */
interface BodyReader {
  read(): Promise<IteratorResult<Chunk, Chunk | undefined>>;
}

/** Yields a body in one piece, if a package gives it no stream. */
async function* inOnePiece(response: Response): AsyncGenerator<Chunk, undefined> {
  yield new Uint8Array(await response.arrayBuffer());
}

/** Returns a reader for the body of a response. The body of node-fetch is a stream of Node, without `getReader`. */
const readerOf = (response: Response): BodyReader => {
  const body = response.body as (ReadableStream<Chunk> & AsyncIterable<Chunk>) | null | undefined;
  if (body?.getReader) return body.getReader();
  const iterator = (body?.[Symbol.asyncIterator] ? body : inOnePiece(response))[
    Symbol.asyncIterator
  ]();
  return { read: () => iterator.next() };
};

const OTHER_VERSION = "the file broke off, and its host now has a different version of it";
const UNKNOWN_VERSION =
  "the file broke off, and its host does not say that the rest is of the same version";

/** Returns whether the response is compressed. Its length is then not the length of the file. */
const isEncoded = ({ headers }: Response): boolean =>
  !/^(identity)?$/i.test(headers.get("content-encoding") ?? "");

/** Returns the size of the whole file in bytes, if a response states it. */
const statedSize = (response: Response): number | undefined => {
  const length = response.headers.get("content-length") ?? "";
  return !isEncoded(response) && /^\d+$/.test(length) ? Number(length) : undefined;
};

/** Returns the strong entity tag of a response. */
const tagOf = ({ headers }: Response): string | undefined => {
  const tag = headers.get("etag") ?? "";
  return tag.startsWith('"') ? tag : undefined;
};

/** Returns the time of a header; NaN without a time zone, which the third form of HTTP dates lacks. */
const timeOf = ({ headers }: Response, name: string): number => {
  const date = headers.get(name) ?? "";
  return date.endsWith("GMT") ? Date.parse(date) : Number.NaN;
};

/**
 * Returns the date of the last change, if no later version can have the same date: the file may change again within a second
 * (RFC 9110, section 8.8.2.2).
 */
const provingDate = (response: Response): string | undefined => {
  const age = timeOf(response, "date") - timeOf(response, "last-modified");
  return age >= 1000 ? (response.headers.get("last-modified") ?? undefined) : undefined;
};

/** Returns the validator of this version of the file for `If-Range`: a strong entity tag, or else a date. */
const validatorOf = (response: Response): string | undefined => {
  if (isEncoded(response) || response.headers.get("accept-ranges") === "none") return undefined;
  return tagOf(response) ?? provingDate(response);
};

/** Throws unless the rest of a file proves that it has the same version as the beginning. */
const assertSameVersion = (rest: Response, first: Response): void => {
  const date = rest.headers.get("last-modified");
  // With a tag, the date need not be repeated.
  if (date === null && !tagOf(first)) throw brokenError(UNKNOWN_VERSION);
  const isSameDate = date === null || date === first.headers.get("last-modified");
  if (rest.headers.get("etag") === first.headers.get("etag") && isSameDate) return;
  throw brokenError(OTHER_VERSION);
};

/** Download of one file, in as many requests as it takes. */
export class FileDownload {
  readonly #settings: DownloadSettings;
  readonly #onAbort = () => this.#controller.abort();
  #controller = new AbortController();
  #response: Response | undefined;
  #size: number | undefined;
  #reader: BodyReader | undefined;
  #received = 0;
  #isContinued = false;
  #isEnded = false;
  /** Number of interruptions since a byte last arrived. */
  #breaks = 0;
  /** Error for the end of the current request, thrown if the file cannot be continued. */
  #problem: Error = brokenError("the file broke off");

  constructor(settings: DownloadSettings) {
    this.#settings = settings;
    settings.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Size of the whole file in bytes, once a response has stated it. */
  get size(): number | undefined {
    return this.#size;
  }

  /** Requests the file, and returns the first response. */
  async start(): Promise<Response> {
    try {
      const response = await this.#request({});
      if (response.status !== 200) throw statusError(response);
      this.#response = response;
      this.#size = statedSize(response);
      this.#reader = readerOf(response);
      return response;
    } catch (thrown) {
      throw this.#toEndError(thrown);
    }
  }

  /** Returns the next bytes, from a new request if the current one breaks off; `undefined` at the end of the file. */
  async read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      for (;;) {
        const chunk = await this.#readOnce();
        if (chunk !== "broken") return chunk;
        await this.#resume();
      }
    } catch (thrown) {
      throw this.#toEndError(thrown);
    }
  }

  /** Ends the download and closes its connection. */
  cancel(): void {
    this.#isEnded = true;
    this.#settings.signal?.removeEventListener("abort", this.#onAbort);
    this.#controller.abort();
  }

  /** Returns the error that ends the download. */
  #toEndError(thrown: unknown): unknown {
    const { signal } = this.#settings;
    this.cancel();
    return signal?.aborted ? abortError(signal) : thrown;
  }

  async #request(headers: Record<string, string>): Promise<Response> {
    const { signal } = this.#settings;
    if (signal?.aborted) throw abortError(signal);
    this.#controller = new AbortController();
    return this.#unlessCanceled(requestFile(this.#settings, headers, this.#controller.signal));
  }

  async #readOnce(): Promise<Uint8Array<ArrayBuffer> | undefined | "broken"> {
    let chunk: IteratorResult<Chunk, Chunk | undefined>;
    try {
      const reading =
        this.#reader?.read() ?? Promise.resolve({ done: true as const, value: undefined });
      chunk = await this.#unlessCanceled(reading, this.#settings.stallTimeoutMs);
    } catch (thrown) {
      if (this.#settings.signal?.aborted) throw thrown;
      this.#problem = TimeoutError.is(thrown) ? thrown : brokenError("the file broke off", thrown);
      return "broken";
    }
    if (chunk.done) {
      if (this.#isShort()) {
        this.#problem = brokenError("the file broke off");
        return "broken";
      }
      this.cancel();
      return undefined;
    }
    this.#breaks = 0;
    this.#received += chunk.value.byteLength;
    if (this.#isContinued && this.#received > (this.#size ?? 0)) {
      throw brokenError(OTHER_VERSION);
    }
    await this.#reportProgress();
    return chunk.value;
  }

  /** Calls `onProgress`, and waits for it if it returns a promise. */
  async #reportProgress(): Promise<void> {
    const { size } = this;
    const total = size !== undefined && this.#received <= size ? { total: size } : {};
    const reported = this.#settings.onProgress?.({ received: this.#received, ...total });
    if (Object(reported) === reported) await this.#unlessCanceled(Promise.resolve(reported));
  }

  /** Settles like the work, or rejects as soon as the download is canceled or the work takes longer than `limitMs`. */
  async #unlessCanceled<T>(work: PromiseLike<T>, limitMs = Infinity): Promise<T> {
    const { signal } = this.#controller;
    const result = await waitFor(work, limitMs, signal);
    if (result === "stopped") throw signal.reason;
    if (result === "late") throw stallError(limitMs);
    return result.value;
  }

  /**
   * Returns whether the file is certainly incomplete. A browser may hide the `Content-Encoding` of another origin: until the
   * file is continued, the stated length may be the length of the compressed file.
   */
  #isShort(): boolean {
    const isKnown = this.#isContinued || this.#response?.type !== "cors";
    return isKnown && this.#received < (this.#size ?? 0);
  }

  /** Continues the file at the exact byte; throws if the host cannot do that. */
  async #resume(): Promise<void> {
    const { retries } = this.#settings;
    const first = this.#response;
    const validator = first && validatorOf(first);
    const mayTry = validator !== undefined && this.#breaks < retries && !this.#isEnded;
    if (!first || !mayTry) throw this.#problem;
    this.#breaks += 1;
    this.#controller.abort();
    const headers = { range: `bytes=${this.#received}-`, "if-range": validator };
    const rest = await this.#request(headers);
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(rest.headers.get("content-range") ?? "");
    const [, from, total = "*"] = range ?? [];
    const size = total === "*" ? this.#size : Number(total);
    const isRest =
      rest.status === 206 &&
      Number(from) === this.#received &&
      // Without a size, a rest that is too short would look complete.
      size !== undefined &&
      size === (this.#size ?? size) &&
      !isEncoded(rest);
    if (!isRest) throw brokenError("the file broke off, and its host cannot continue it");
    assertSameVersion(rest, first);
    this.#size = size;
    this.#isContinued = true;
    this.#reader = readerOf(rest);
  }
}
