import { readerOf } from "../core/responses/fetched-response.ts";
import { waitFor } from "../core/wait-for.ts";
import { codingsOf, sizeOf } from "./redirects.ts";
import {
  abortError,
  brokenError,
  type FileRequest,
  requestFile,
  stallError,
} from "./request-file.ts";

export interface DownloadSettings extends FileRequest {
  readonly signal: AbortSignal | undefined;
  readonly onProgress:
    | ((progress: { readonly received: number; readonly total?: number }) => unknown)
    | undefined;
}

type Chunk = Uint8Array<ArrayBuffer>;

export interface FileStream {
  readonly response: Response;
  /** Size of the file in bytes, if its host states it. */
  readonly size: number | undefined;
  readonly body: ReadableStream<Chunk>;
  /** Whether the body has been read from or canceled. */
  isRead: boolean;
  /** Error with which the file broke off. */
  brokenBy?: unknown;
}

type Read = () => Promise<IteratorResult<Chunk, unknown>>;

async function* inOnePiece(response: Response): AsyncGenerator<Chunk, undefined> {
  yield new Uint8Array(await response.arrayBuffer());
}

/** Returns a function that reads the next bytes of a response as `fetch` provides them. */
const fetchedBytes = (response: Response): Read => {
  const reader = readerOf(response);
  if (reader) return () => reader.read();
  const chunks = inOnePiece(response);
  return () => chunks.next();
};

/** First byte of a gzip file. No text begins with it. */
const GZIP = 0x1f;

/** Decodes a file that `fetch` has left compressed. Fails if fewer bytes arrive than the host states. */
const unzip = async (read: Read, length: number): Promise<Read> => {
  let next: ReturnType<Read> | undefined = read();
  const first = await next;
  const readNext = () => {
    const result = next ?? read();
    next = undefined;
    return result;
  };
  if (first.done || first.value[0] !== GZIP) return readNext;
  let missing = length;
  const encoded = new ReadableStream<Chunk>({
    pull: async (stream) => {
      const { done, value } = await readNext();
      if (done && missing > 0) throw new Error("the file broke off");
      if (done) return stream.close();
      missing -= value.byteLength;
      stream.enqueue(value);
    },
  });
  const reader = encoded.pipeThrough(new DecompressionStream("gzip")).getReader();
  return () => reader.read();
};

/** Returns a function that reads the next bytes of a file. If there is a label next to its coding, `fetch` may not decode it. */
const fileBytes = (response: Response): Read => {
  const read = fetchedBytes(response);
  const { codings, isLabeled } = codingsOf(response);
  if (codings.length === 0 || !isLabeled) return read;
  const length = Number(response.headers.get("content-length"));
  let decoded: Promise<Read> | undefined;
  return async () => {
    decoded ??= unzip(read, length);
    return (await decoded)();
  };
};

/**
 * Requests a file and returns its bytes as a stream that does not read ahead, so a slow reader slows the host down instead of
 * filling the memory. The stream ends after the whole file, or with an error.
 */
export const openFile = async (settings: DownloadSettings): Promise<FileStream> => {
  const { signal, stallTimeoutMs, onProgress } = settings;
  const controller = new AbortController();
  const end = () => {
    signal?.removeEventListener("abort", end);
    controller.abort();
  };
  signal?.addEventListener("abort", end);
  const step = async <T>(work: () => PromiseLike<T>, limitMs = Infinity): Promise<T> => {
    try {
      if (signal?.aborted) throw abortError(signal);
      const result = await waitFor(work(), limitMs, controller.signal);
      if (result === "stopped") throw controller.signal.reason;
      if (result === "late") throw stallError(limitMs);
      return result.value;
    } catch (thrown) {
      end();
      throw signal?.aborted ? abortError(signal) : thrown;
    }
  };

  const response = await step(() => requestFile(settings, controller.signal));
  const size = sizeOf(response, response.headers.get("content-length"));
  const total = size === undefined ? {} : { total: size };
  const readChunk = fileBytes(response);
  let received = 0;
  const read = async (): Promise<Chunk | undefined> => {
    try {
      const { done, value } = await step(
        () =>
          readChunk().catch((thrown: unknown) => {
            throw brokenError("the file broke off", thrown);
          }),
        stallTimeoutMs,
      );
      if (!done) return value;
      // A browser may hide that a file of another origin is compressed, but still state the compressed length.
      const isCertain = response.type !== "cors";
      if (isCertain && received < (size ?? 0)) throw brokenError("the file broke off");
      return undefined;
    } catch (thrown) {
      file.brokenBy = signal?.aborted ? undefined : thrown;
      throw thrown;
    }
  };

  const body = new ReadableStream<Chunk>(
    {
      pull: async (stream) => {
        file.isRead = true;
        const chunk = await read();
        if (!chunk) {
          end();
          return stream.close();
        }
        received += chunk.byteLength;
        await step(async () => onProgress?.({ received, ...total }));
        stream.enqueue(chunk);
      },
      cancel: () => {
        file.isRead = true;
        end();
      },
    },
    { highWaterMark: 0 },
  );
  const file: FileStream = { response, size, body, isRead: false };
  return file;
};
