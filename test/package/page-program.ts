// Downloads the file of a report in a page and returns the result.
import { MessagingServiceError } from "messaging-service-client";
import { downloadReport } from "messaging-service-client/reports";

/** How a page downloads a file. */
export interface Download {
  readonly link: string;
  readonly stallTimeout?: number;
  /** Whether to abort the download 100 ms after its first bytes. */
  readonly isAborted?: boolean;
  /** Whether to read `body`, which is not requested again after an interruption. */
  readonly isBody?: boolean;
}

export interface Downloaded {
  /** Size that the download reports. */
  readonly size?: number;
  /** Text of the file. */
  readonly text?: string;
  /** Code and outcome of the error. */
  readonly error?: string;
}

/** Reads a stream chunk by chunk. A `Response` created from the stream would replace its error. */
const readAll = async (body: ReadableStream<Uint8Array>): Promise<string> => {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
};

const download = async (options: Download): Promise<Downloaded> => {
  const { link, stallTimeout, isAborted, isBody } = options;
  const controller = new AbortController();
  const onProgress = async () => {
    if (!isAborted) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
  };
  try {
    const { signal } = controller;
    const file = await downloadReport(
      { s3_url: link },
      { signal, onProgress, ...(stallTimeout ? { stallTimeout } : {}) },
    );
    const text = isBody ? await readAll(file.body) : await file.text();
    return { ...(file.size === undefined ? {} : { size: file.size }), text };
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    return { error: `${error.code}, ${error.outcome}` };
  }
};

Object.assign(globalThis, { download });
