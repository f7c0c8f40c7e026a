import type { IncomingMessage } from "node:http";

/** Largest body of a request in bytes. */
export const MAX_BODY_BYTES = 1_048_576;

/** Reads the body of a request; `undefined` when it is larger than {@link MAX_BODY_BYTES}. */
export const readBody = async (message: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};
