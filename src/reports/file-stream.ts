import { waitFor } from "../core/wait-for.ts";
import { isCompressed } from "./redirects.ts";
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
  /** Whether a byte was read, or the end. */
  isRead: boolean;
  /** Error with which the file broke off. */
  brokenBy?: unknown;
}

async function* inOnePiece(response: Response): AsyncGenerator<Chunk, undefined> {
  yield new Uint8Array(await response.arrayBuffer());
}

/** Returns a function that reads the next bytes of a response. The body of node-fetch is a stream of Node, without `getReader`. */
const readerOf = (response: Response): (() => Promise<IteratorResult<Chunk, unknown>>) => {
  const body = response.body as (ReadableStream<Chunk> & AsyncIterable<Chunk>) | null | undefined;
  if (body?.getReader) {
    const reader = body.getReader();
    return () => reader.read();
  }
  const chunks = body?.[Symbol.asyncIterator] ? body : inOnePiece(response);
  const iterator = chunks[Symbol.asyncIterator]();
  return () => iterator.next();
};

const sizeOf = (response: Response): number | undefined => {
  const length = response.headers.get("content-length") ?? "";
  return !isCompressed(response) && /^\d+$/.test(length) ? Number(length) : undefined;
};

/**
 * Requests a file, and returns its bytes as a stream that reads nothing ahead: a slow reader slows the host down instead of
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
  const size = sizeOf(response);
  const total = size === undefined ? {} : { total: size };
  const readChunk = readerOf(response);
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
      // A browser may hide that a file of another origin is compressed, and then states the compressed length.
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
