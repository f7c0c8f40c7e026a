// A host of files on loopback, like an object store: it serves ranges, and breaks off at given bytes.
import type { Loopback, Responder } from "./loopback.ts";

/** Secret part of a link. */
export const SIGNATURE = "X-Amz-Signature=5f3a9c71e2d4b806";

/** Returns the link to the file of a host. */
export const linkTo = ({ baseUrl }: Loopback, path = "/reports/7.csv"): string =>
  `${baseUrl}${path}?${SIGNATURE}`;

export interface FileOptions {
  /** Number of bytes that each request receives before the connection breaks. The last number is used for all further requests. Default: all. */
  readonly pieces?: readonly number[];
  /** Event at the end of a piece. Default: the connection breaks. */
  readonly ending?: "break" | "stall" | "end without a length";
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether ranges are served. Default: `true`. */
  readonly ranges?: boolean;
  /** Entity tag in each response. The last one is used for all further responses. Default: the same tag each time. */
  readonly tags?: readonly string[];
  /** Date of the last change in each response. The last one is used for all further responses. Default: none. */
  readonly dates?: readonly string[];
  /** Whether `If-Range` is respected. Default: `true`. */
  readonly ifRange?: boolean;
}

const at = <T>(values: readonly T[], index: number): T | undefined =>
  values[Math.min(index, values.length - 1)];

/** Serves a file to each request. */
export const serve = (file: Buffer, options: FileOptions = {}): Responder => {
  const { pieces = [], ending = "break", headers = {}, ranges = true } = options;
  const { tags = ['"v1"'], dates = [], ifRange = true } = options;
  let served = 0;
  return ({ request, response }) => {
    // An object store refuses credentials in addition to those in the link.
    if (request.headers.authorization) {
      response.writeHead(400).end("one credential only");
      return;
    }
    const tag = at(tags, served) ?? "";
    const date = at(dates, served) ?? "";
    const piece = at(pieces, served) ?? file.length;
    served += 1;
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const asked = request.headers["if-range"];
    const isCurrent = !ifRange || [tag, date].some((version) => version && version === asked);
    const isRest = ranges && from > 0 && isCurrent;
    const rest = isRest ? file.subarray(from) : file;
    const range = { "content-range": `bytes ${from}-${file.length - 1}/${file.length}` };
    response.writeHead(isRest ? 206 : 200, {
      "content-type": "text/csv",
      ...(ending === "end without a length" ? {} : { "content-length": rest.length }),
      ...(tag ? { etag: tag } : {}),
      ...(date ? { "last-modified": date } : {}),
      ...(isRest ? range : {}),
      ...headers,
    });
    if (piece >= rest.length || ending === "end without a length") {
      response.end(rest.subarray(0, piece));
      return;
    }
    response.write(rest.subarray(0, piece), () => {
      // The written bytes must arrive before the connection breaks.
      if (ending === "break") setTimeout(() => response.socket?.end(), 20);
    });
  };
};
