import type { FetchLike } from "../http/transport.ts";
import {
  assertCount,
  assertFunction,
  assertObject,
  assertOptions,
  assertSignal,
  type OptionNames,
  optionOr,
  toTimeLimit,
} from "../options.ts";
import type { MomtReport } from "../schemas/momt-report.ts";
import { csvRows } from "./csv-rows.ts";
import { decodeText } from "./decode-text.ts";
import { type DownloadProgress, FileDownload } from "./file-download.ts";
import { toFileUrl } from "./request-file.ts";

/** Options of {@link downloadReport}. */
export interface DownloadOptions {
  /** Signal that ends the download with an `AbortError`, at any byte. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Callback for each chunk that arrives. Its promise is awaited before the next chunk is read; an error that it throws ends
   * the download. Default: none.
   */
  readonly onProgress?: ((progress: DownloadProgress) => unknown) | undefined;
  /**
   * Longest time in milliseconds without a byte, above 0, before the response or within its body; `false`: no limit.
   * Default: 30 000.
   */
  readonly stallTimeout?: number | false | undefined;
  /**
   * Maximum number of retries of a failed request, and of consecutive continuations without a byte; 0 turns both off.
   * Default: 2.
   */
  readonly retry?: number | undefined;
  /** Fetch-compatible function. Default: `globalThis.fetch`, looked up at each request. */
  readonly fetch?: FetchLike | undefined;
}

const DOWNLOAD_OPTIONS: OptionNames<DownloadOptions> = {
  signal: true,
  onProgress: true,
  stallTimeout: true,
  retry: true,
  fetch: true,
};

/** The file of a report. Read its body once, or cancel it: until then, it holds a connection. */
export interface DownloadedReport {
  /** Media type, if the host states it. */
  readonly contentType?: string;
  /** Size in bytes; absent if the host does not state it, or sends the file compressed. */
  readonly size?: number;
  /**
   * Stream of the file's bytes, in constant memory. If the host states the file's length, the stream ends after the whole
   * file, or fails. Without a stated length, a closed connection looks like the end of the file.
   */
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Reads the body as a string. Its byte order mark or else the charset that the host declares says how; otherwise it is UTF-8.
   *
   * @throws `ResponseValidationError` when the runtime cannot decode the charset, or the bytes are not of it.
   */
  text(): Promise<string>;
  /**
   * Reads the body as CSV, row by row in bounded memory; the first row is the header, if the file has one. It is decoded like
   * `text()`.
   *
   * @throws `ResponseValidationError` when the file cannot be decoded, a quote is never closed, a field has more than 16 MiB,
   * or a row more than 64 MiB.
   */
  rows(): AsyncGenerator<string[]>;
}

/**
 * Downloads the file of a finished report from the host behind its `s3_url`.
 *
 * The host receives no credential and none of a client's headers. Failed requests are retried, and redirects are followed
 * within https. A file that breaks off or stalls is continued at the exact byte if the host supports ranges and still has
 * the same version; otherwise the download ends with an error. The link is a secret and appears in no error.
 *
 * @throws `ValidationError` at `["s3_url"]` when the report has no file yet, or the link is not an https URL.
 * @throws `PermissionDeniedError` when the link may have expired: retrieve the report again.
 * @throws `ApiError` for any other status of the host outside 2xx.
 * @throws `ResponseValidationError` for a 2xx status other than 200.
 * @throws `TimeoutError` when no byte arrives for `stallTimeout`.
 * @throws `ConnectionError` when the connection fails and the file cannot be continued.
 * @throws `AbortError` when the signal fires.
 * @throws TypeError that names a malformed or unknown option.
 * @throws whatever `onProgress` throws.
 * @example
 * const report = await v2.momtReports.waitUntilFinished(3);
 * const { body } = await downloadReport(report, { onProgress: ({ received }) => console.log(received) });
 * await writeFile("report.csv", body);
 */
export async function downloadReport(
  report: Pick<MomtReport, "s3_url">,
  options: DownloadOptions = {},
): Promise<DownloadedReport> {
  const { signal, onProgress, stallTimeout, retry, fetch } = assertOptions(
    "options",
    options,
    DOWNLOAD_OPTIONS,
  );
  const download = new FileDownload({
    link: toFileUrl(assertObject("report", report).s3_url),
    signal: optionOr("signal", signal, undefined, assertSignal),
    onProgress: optionOr("onProgress", onProgress, undefined, assertFunction),
    stallTimeoutMs: optionOr("stallTimeout", stallTimeout, 30_000, toTimeLimit),
    retries: optionOr("retry", retry, 2, assertCount),
    fetch: optionOr("fetch", fetch, undefined, assertFunction),
  });
  const { headers } = await download.start();
  const { size } = download;
  const contentType = headers.get("content-type");
  const body = toStream(download);
  return {
    ...(contentType === null ? {} : { contentType }),
    ...(size === undefined ? {} : { size }),
    body,
    text: async () => {
      let text = "";
      for await (const piece of decodeText(body, contentType)) text += piece;
      return text;
    },
    rows: () => csvRows(decodeText(body, contentType)),
  };
}

/** Creates a stream that reads nothing ahead: a slow reader slows the host down instead of filling the memory. */
const toStream = (download: FileDownload) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const chunk = await download.read();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: () => download.cancel(),
    },
    { highWaterMark: 0 },
  );
