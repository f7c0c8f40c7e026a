import { ignoreErrors } from "../options.ts";
import { NO_CONTENT, type ResponseHead, WHOLE } from "../responses/fetched-response.ts";
import { builtInModule, runtime } from "../runtime.ts";

/** Buffer, or a string, whose `toString` ignores the encoding. */
interface Latin1 {
  readonly length: number;
  toString(encoding: "latin1"): string;
}
export type Fields = Readonly<Record<string, Latin1 | readonly Latin1[]>>;
/** Headers of undici 6, in which names and values alternate. */
export type RawFields = (Latin1 | readonly Latin1[])[];

/** Returns whether a field is the name of a header. Comparing the bytes is faster than decoding the names of all fields. */
const isNamed = (field: RawFields[number] | undefined, name: string): boolean => {
  if (field?.length !== name.length) return false;
  if (!(field instanceof Uint8Array)) return String(field).toLowerCase() === name;
  // This bit turns a capital letter into a lowercase letter, and leaves a hyphen unchanged.
  return field.every((byte, at) => (byte | 0x20) === name.charCodeAt(at));
};

/** Returns a header of a response, with multiple values separated by commas; `""` if the header is absent. */
export const headerOf = (fields: Fields | RawFields, name: string): string => {
  if (!Array.isArray(fields)) return String(fields[name] ?? "");
  let value = "";
  for (let index = 1; index < fields.length; index += 2) {
    if (isNamed(fields[index - 1], name)) value += `${value && ","}${fields[index]}`;
  }
  return value;
};

export const lengthOf = (fields: Fields | RawFields): number =>
  Number(headerOf(fields, "content-length")) || 0;

export const isWithoutBody = (status: number): boolean =>
  status === 304 || NO_CONTENT.includes(status);

/** Start of a response, as a dispatcher reports it. */
interface RawHead {
  readonly status: number;
  readonly statusText: string;
  readonly fields: Fields | RawFields;
  readonly url: string;
}

const toHeaders = (fields: Fields | RawFields): Headers => {
  const headers = new Headers();
  const raw = Array.isArray(fields) ? fields : Object.entries(fields).flat();
  for (let index = 0; index < raw.length; index += 2) {
    // The name may be a buffer, which `append` converts to a string.
    const name = raw[index] as string;
    for (const value of [raw[index + 1]].flat() as Latin1[]) {
      // `Headers` rejects some values that a lenient parser accepts.
      ignoreErrors(() => headers.append(name, value.toString("latin1")));
    }
  }
  return headers;
};

const MAX_STATUS = 599;

export const toResponse = (
  body: BodyInit | null,
  { status, statusText, fields, url }: RawHead,
): Response => {
  // `Response` rejects some values that a lenient parser accepts.
  const response = new Response(body, {
    status: Math.min(status, MAX_STATUS),
    statusText: statusText.replace(/[^\t -~\x80-\xff]/g, ""),
    headers: toHeaders(fields),
  });
  Object.defineProperty(response, "url", { value: url });
  if (status > MAX_STATUS) Object.defineProperty(response, "status", { value: status });
  return response;
};

/** Head of a dispatched response. It parses its headers on first read, because most headers are never read. */
export class DispatchedHead implements ResponseHead {
  readonly status: number;
  readonly ok: boolean;
  readonly statusText: string;
  readonly #head: RawHead;
  #headers: Headers | undefined;
  #whole: Response | undefined;

  constructor(head: RawHead) {
    this.status = head.status;
    this.ok = head.status >= 200 && head.status < 300;
    this.statusText = head.statusText;
    this.#head = head;
  }

  get headers(): Headers {
    this.#headers ??= toHeaders(this.#head.fields);
    return this.#headers;
  }

  get [WHOLE](): Response {
    if (!this.#whole) {
      this.#whole = toResponse(isWithoutBody(this.status) ? null : new Uint8Array(), this.#head);
      // The client has read the body, although not from a stream. It cannot be read a second time.
      void this.#whole.body?.cancel();
      Object.defineProperty(this.#whole, "body", { value: null });
    }
    return this.#whole;
  }
}

export interface Decoder {
  write(chunk: Uint8Array): boolean;
  end(): void;
  on(event: "data" | "drain" | "end" | "error", listener: (value: never) => void): this;
  pipe(next: Decoder): Decoder;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

type Create = (options: object) => Decoder;

interface Zlib {
  readonly constants: Readonly<Record<string, number>>;
  readonly createGunzip: Create;
  readonly createInflate: Create;
  readonly createInflateRaw: Create;
  readonly createBrotliDecompress: Create;
  /** Missing in Node before 22.15. */
  readonly createZstdDecompress?: Create;
}

/** Returns whether this module can decode bodies in this runtime: it needs the `getBuiltinModule` of Node 22.3 or newer. */
export const canDecode = (): boolean => runtime().getBuiltinModule !== undefined;

/**
 * Creates the decoders of a body, in the order in which the bytes pass through them. They are as tolerant as those of Node's
 * `fetch`. If a coding is unknown, the result is empty, and the body stays as it is.
 *
 * @param firstByte First byte of the body. It shows whether a `deflate` body has the header of zlib, which some servers omit.
 */
export const createDecoders = (codings: string, firstByte: number): readonly Decoder[] => {
  // Loaded only when a body is encoded.
  const zlib = builtInModule<Zlib>("node:zlib");
  if (!zlib) return [];
  const { constants } = zlib;
  const flushing = (flush: number | undefined, finishFlush = flush) => ({ flush, finishFlush });
  const create = (coding: string, index: number): Decoder | undefined => {
    const lenient = flushing(constants.Z_SYNC_FLUSH);
    switch (coding.trim()) {
      case "gzip":
      case "x-gzip":
        return zlib.createGunzip(lenient);
      case "deflate":
        return index > 0 || (firstByte & 0x0f) === 0x08
          ? zlib.createInflate(lenient)
          : zlib.createInflateRaw(lenient);
      case "br":
        return zlib.createBrotliDecompress(flushing(constants.BROTLI_OPERATION_FLUSH));
      case "zstd":
        return zlib.createZstdDecompress?.(
          flushing(constants.ZSTD_e_continue, constants.ZSTD_e_end),
        );
      default:
        return undefined;
    }
  };
  const decoders = codings.toLowerCase().split(",").reverse().map(create);
  return decoders.includes(undefined) ? [] : (decoders as Decoder[]);
};
