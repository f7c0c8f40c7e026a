// A host of files on loopback, like an object store, that breaks off at given bytes.
import type { Loopback, Responder } from "./loopback.ts";

/** Secret part of a link. */
export const SIGNATURE = "X-Amz-Signature=5f3a9c71e2d4b806";

/** Returns the link to the file of a host. */
export const linkTo = ({ baseUrl }: Loopback, path = "/reports/7.csv"): string =>
  `${baseUrl}${path}?${SIGNATURE}`;

export interface FileOptions {
  /** Number of bytes that each request receives before the connection breaks. The last number is repeated. Default: all. */
  readonly pieces?: readonly number[];
  /** Event at the end of a piece. Default: the connection breaks. */
  readonly ending?: "break" | "stall" | "end without a length";
  readonly headers?: Readonly<Record<string, string>>;
}

const at = <T>(values: readonly T[], index: number): T | undefined =>
  values[Math.min(index, values.length - 1)];

/** Serves a file to each request. */
export const serve = (file: Buffer, options: FileOptions = {}): Responder => {
  const { pieces = [], ending = "break", headers = {} } = options;
  let served = 0;
  return ({ request, response }) => {
    // An object store refuses credentials in addition to those in the link.
    if (request.headers.authorization) {
      response.writeHead(400).end("one credential only");
      return;
    }
    const piece = at(pieces, served) ?? file.length;
    served += 1;
    response.writeHead(200, {
      "content-type": "text/csv",
      ...(ending === "end without a length" ? {} : { "content-length": file.length }),
      ...headers,
    });
    if (piece >= file.length || ending === "end without a length") {
      response.end(file.subarray(0, piece));
      return;
    }
    response.write(file.subarray(0, piece), () => {
      // The written bytes must arrive before the connection breaks.
      if (ending === "break") setTimeout(() => response.socket?.end(), 20);
    });
  };
};
