import { abortError, brokenError, codeOf, stallError } from "./download-errors.ts";
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

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** Returns whether the response is compressed, so that its length is not that of the file. */
const isEncoded = ({ headers }: Response): boolean =>
  !/^(identity)?$/i.test(headers.get("content-encoding") ?? "");

/** Returns the size of the whole file in bytes, if a response states it. */
const sizeOf = (response: Response): number | undefined => {
  const length = response.headers.get("content-length") ?? "";
  return !isEncoded(response) && /^\d+$/.test(length) ? Number(length) : undefined;
};

/** Returns the validator of this version of the file for `If-Range`: a strong entity tag, or else a date. */
const validatorOf = (response: Response): string | undefined => {
  const { headers } = response;
  if (isEncoded(response) || headers.get("accept-ranges") === "none") return undefined;
  const tag = headers.get("etag") ?? "";
  return tag.startsWith('"') ? tag : (headers.get("last-modified") ?? undefined);
};

/** Download of one file, over as many requests as it takes. */
export class FileDownload {
  readonly #settings: DownloadSettings;
  #controller = new AbortController();
  #response: Response | undefined;
  #reader: Reader | undefined;
  #received = 0;
  /** Number of interruptions since a byte last arrived. */
  #breaks = 0;
  readonly #onAbort = () => this.#controller.abort();

  constructor(settings: DownloadSettings) {
    this.#settings = settings;
    settings.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Size of the whole file in bytes, once the first response has stated it. */
  get size(): number | undefined {
    return this.#response && sizeOf(this.#response);
  }

  /** Requests the file, and returns the first response. */
  async start(): Promise<Response> {
    try {
      const response = await this.#request({});
      this.#response = response;
      this.#reader = response.body?.getReader();
      return response;
    } catch (thrown) {
      throw this.#ended(thrown);
    }
  }

  /** Returns the next bytes, from another request if one breaks off; `undefined` at the end of the file. */
  async read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      for (;;) {
        const chunk = await this.#readOnce();
        if (chunk !== "broken") return chunk;
        await this.#resume();
      }
    } catch (thrown) {
      throw this.#ended(thrown);
    }
  }

  /** Ends the download and closes its connection. */
  cancel(): void {
    this.#settings.signal?.removeEventListener("abort", this.#onAbort);
    this.#controller.abort();
  }

  /** Returns the error that ends the download. */
  #ended(thrown: unknown): unknown {
    const { signal } = this.#settings;
    this.cancel();
    return signal?.aborted ? abortError(signal) : thrown;
  }

  async #request(headers: Record<string, string>): Promise<Response> {
    const { signal } = this.#settings;
    if (signal?.aborted) throw abortError(signal);
    this.#controller = new AbortController();
    return requestFile(this.#settings, headers, this.#controller.signal);
  }

  /** Error for the end of the current request, thrown if the file cannot be continued. */
  #problem: Error = brokenError("the file broke off");

  async #readOnce(): Promise<Uint8Array<ArrayBuffer> | undefined | "broken"> {
    const { onProgress } = this.#settings;
    let chunk: Awaited<ReturnType<Reader["read"]>> | undefined;
    try {
      chunk = await this.#readBeforeStall();
    } catch (thrown) {
      if (this.#settings.signal?.aborted) throw thrown;
      this.#problem = brokenError(`the file broke off${codeOf(thrown)}`);
    }
    if (!chunk) return "broken";
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
    const { size } = this;
    const total = size !== undefined && this.#received <= size ? { total: size } : {};
    onProgress?.({ received: this.#received, ...total });
    return chunk.value;
  }

  /**
   * Returns whether the file is incomplete. A browser hides the `Content-Encoding` of another origin, so that the
   * stated length may be that of the compressed file.
   */
  #isShort(): boolean {
    return this.#response?.type !== "cors" && this.#received < (this.size ?? 0);
  }

  /** Reads the next chunk; `undefined` if none arrives in time. */
  async #readBeforeStall() {
    const { stallTimeoutMs } = this.#settings;
    const reading = this.#reader?.read() ?? Promise.resolve({ done: true, value: undefined });
    if (stallTimeoutMs === Number.POSITIVE_INFINITY) return reading;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stalled = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        this.#problem = stallError(stallTimeoutMs);
        resolve(undefined);
        this.#controller.abort();
      }, stallTimeoutMs);
    });
    try {
      return await Promise.race([reading, stalled]);
    } finally {
      clearTimeout(timer);
      reading.catch(() => {});
    }
  }

  /** Continues the file at the exact byte; throws if that cannot be done. */
  async #resume(): Promise<void> {
    const { retries } = this.#settings;
    const validator = this.#response && validatorOf(this.#response);
    if (validator === undefined || this.#breaks >= retries) throw this.#problem;
    this.#breaks += 1;
    this.#controller.abort();
    const headers = { range: `bytes=${this.#received}-`, "if-range": validator };
    const response = await this.#request(headers);
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get("content-range") ?? "");
    const [, from, total = "*"] = range ?? [];
    const isRest =
      response.status === 206 &&
      Number(from) === this.#received &&
      (total === "*" || this.size === undefined || Number(total) === this.size) &&
      !isEncoded(response);
    if (!isRest) throw brokenError("the file broke off, and its host cannot continue it");
    this.#reader = response.body?.getReader();
  }
}
