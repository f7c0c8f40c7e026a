import { startStackHere } from "../core/errors.ts";
import {
  assertCount,
  assertFunction,
  assertObject,
  assertSignal,
  or,
  readOptions,
  toTimeLimit,
} from "../core/options.ts";
import { MAX_BODY } from "../core/responses/fetched-response.ts";
import type { MomtReport } from "../core/schemas/momt-report.ts";
import { type FetchLike, type FetchOption, isTooLong } from "../core/transport/transport.ts";
import { type FileStream, openFile } from "./file-stream.ts";
import { fileError, toFileUrl } from "./request-file.ts";

/** Options of {@link downloadReport}. */
export interface DownloadOptions {
  /** Signal that ends the download with an `AbortError`, at any byte. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Callback for each chunk that arrives. Its promise is awaited before the next chunk is read; an error that it throws ends
   * the download. Default: none.
   */
  readonly onProgress?:
    | ((progress: {
        /** Number of bytes that have arrived. It starts again at 0 if the whole file is requested again. */
        readonly received: number;
        /** Size of the whole file in bytes, as `size` of {@link DownloadedReport}. */
        readonly total?: number;
      }) => unknown)
    | undefined;
  /** Longest time in milliseconds without a head or a decoded byte, above 0, or `false` for `fetch`'s own. Default: 30 000. */
  readonly stallTimeout?: number | false | undefined;
  /** Maximum number of retries, including a file that breaks off in `bytes()` or `text()`. Default: 2. */
  readonly retry?: number | undefined;
  /**
   * Fetch-compatible function. Its response must have `body` or `arrayBuffer()`. Default: `globalThis.fetch`, looked up at each
   * request.
   */
  readonly fetch?: FetchOption | undefined;
}

/** File of a report. Read it once or cancel its body, because it occupies a connection until then. */
export interface DownloadedReport {
  /** Media type, if the host states it. */
  readonly contentType?: string;
  /**
   * Size in bytes; absent if the host does not state it, or if the file is compressed. A browser can hide that a file from a
   * different origin is compressed, and the size is then that of the compressed file.
   */
  readonly size?: number;
  /**
   * Stream of the file's bytes, in constant memory. It ends after the whole file, and fails if the file breaks off. Without a
   * stated length, a closed connection may look like the end of the file.
   */
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Reads the whole file into memory. Requests it again if it breaks off.
   *
   * @throws A `ResponseValidationError` for a file above 128 MiB that is more than 20 times as long as its host states, or whose
   * host states no length. Read such a file from `body`.
   */
  bytes(): Promise<Uint8Array>;
  /**
   * Reads the whole file as a string, like `bytes()`. Decodes it with the charset that the host declares, or with UTF-8.
   *
   * @throws A `ResponseValidationError` when the runtime cannot decode the charset, or the bytes are invalid in it. `bytes()` then
   * still returns them.
   */
  text(): Promise<string>;
}

/**
 * Downloads the file of a finished report from the host behind its `s3_url`.
 *
 * The host receives no credential and none of a client's headers. A request that fails without a response, or with 408, 429, 500,
 * 502, 503 or 504, is retried, and redirects are followed within https. The link is a secret and appears in no error.
 *
 * @throws A `ValidationError` at `["s3_url"]` when the report has no file yet, or the link is not an https URL or
 * redirects away from https or, outside browsers, more than five times. On loopback, http is allowed.
 * @throws An `ApiError` for an error status of the host, such as a `PermissionDeniedError` when the link may have expired.
 * @throws A `ResponseValidationError` for a 2xx status other than 200, or a compression other than gzip with a further label that
 * keeps `fetch` from decoding it, such as `aws-chunked, br`.
 * @throws A `TimeoutError` when no byte arrives for `stallTimeout`.
 * @throws A `ConnectionError` when the connection fails or the file breaks off.
 * @throws An `AbortError` when the signal fires.
 * @throws A TypeError that names a malformed or unknown option.
 * @throws Whatever `onProgress` throws.
 * @example
 * const report = await v2.momtReports.waitUntilFinished(3);
 * const { body } = await downloadReport(report, { onProgress: ({ received }) => console.log(received) });
 * await writeFile("report.csv", body);
 */
export async function downloadReport(
  report: Pick<MomtReport, "s3_url">,
  options: DownloadOptions = {},
): Promise<DownloadedReport> {
  const { fetch, stallTimeout, retry, ...others } = readOptions("options", options, {
    signal: or(assertSignal),
    onProgress: or(assertFunction<DownloadOptions["onProgress"]>),
    stallTimeout: or(toTimeLimit, 30_000),
    retry: or(assertCount, 2),
    fetch: or(assertFunction<FetchOption>),
  });
  const settings = {
    ...others,
    fetch: fetch as FetchLike | undefined,
    stallTimeoutMs: stallTimeout,
    retriesLeft: retry,
    link: toFileUrl(assertObject("report", report).s3_url),
  };
  const open = async () => {
    try {
      return await openFile(settings);
    } catch (error) {
      throw startStackHere(error);
    }
  };
  const first = await open();
  let undecoded: Uint8Array<ArrayBuffer> | undefined;
  const bytes = async () => {
    if (undecoded) return undecoded;
    if (first.isRead) throw new TypeError("the body of this file has already been read");
    for (let file = first; ; file = await open()) {
      try {
        return await bytesOf(file);
      } catch (error) {
        if (error !== file.brokenBy || settings.retriesLeft === 0) throw startStackHere(error);
      }
      settings.retriesLeft -= 1;
    }
  };
  const { size, body, response } = first;
  const contentType = response.headers.get("content-type");
  return {
    ...(contentType === null ? {} : { contentType }),
    ...(size === undefined ? {} : { size }),
    body,
    bytes,
    text: async () => {
      // If `decode` throws, the bytes stay available to `bytes()`.
      undecoded = await bytes();
      const text = decode(undecoded, contentType);
      undecoded = undefined;
      return text;
    },
  };
}

/** Maximum number of bytes in memory for each byte that the host states. A compressed megabyte can become a gigabyte. */
const MAX_GROWTH = 20;

const bytesOf = async ({ body, response }: FileStream): Promise<Uint8Array<ArrayBuffer>> => {
  const stated = Number(response.headers.get("content-length"));
  const max = Math.max(MAX_BODY, stated * MAX_GROWTH);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.byteLength;
    if (size > max) {
      await reader.cancel();
      const states = stated > 0 ? `states ${stated} bytes` : "states no length";
      throw fileError(
        `the file is longer than ${max} bytes, and its host ${states}: download it again and read body`,
      );
    }
    chunks.push(value);
  }
};

const decode = (bytes: Uint8Array<ArrayBuffer>, contentType: string | null): string => {
  const declared = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? "")?.[1];
  const charset = declared
    ? `the charset "${declared.replace(/[^\w.:+-]/g, "").slice(0, 40)}" that its host declares`
    : "UTF-8 (its host declares no charset)";
  const textError = (problem: string) => fileError(`the file cannot be read as text: ${problem}`);
  // For UTF-16, a mark at the start of the file states the byte order, which `TextDecoder` does not read.
  const isMarked = /^utf-16$/i.test(declared ?? "") && bytes[0] === 0xfe && bytes[1] === 0xff;
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(isMarked ? "utf-16be" : declared, { fatal: true });
  } catch {
    // The constructor throws only for a charset that the runtime cannot decode.
    throw textError(`this runtime cannot decode ${charset}`);
  }
  try {
    return decoder.decode(bytes);
  } catch (thrown) {
    const size = `its ${bytes.length} bytes`;
    if (isTooLong(thrown)) throw textError(`${size} are more than a string can hold: use bytes()`);
    throw textError(`not all of ${size} are valid in ${charset}`);
  }
};
