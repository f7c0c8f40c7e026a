// Lets a page download the file of a report, and tells what became of it.
import { MessagingServiceError } from "messaging-service-client";
import { downloadReport } from "messaging-service-client/reports";

/** How a page downloads a file. */
export interface Download {
  readonly link: string;
  readonly stallTimeout?: number;
  /** Whether the download is aborted 100 ms after its first bytes. */
  readonly isAborted?: boolean;
}

export interface Downloaded {
  /** Size that the download states. */
  readonly size?: number;
  /** Rows of the file. */
  readonly rows?: readonly string[][];
  /** Code of the error, and its outcome. */
  readonly error?: string;
}

const download = async (options: Download): Promise<Downloaded> => {
  const { link, stallTimeout, isAborted } = options;
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
    const rows: string[][] = [];
    for await (const row of file.rows()) rows.push(row);
    return { ...(file.size === undefined ? {} : { size: file.size }), rows };
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    return { error: `${error.code}, ${error.outcome}` };
  }
};

Object.assign(globalThis, { download });
