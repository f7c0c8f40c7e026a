/** Part of a stream of Node that decodes bodies. */
export interface Decoder {
  write(chunk: Uint8Array, done?: () => void): boolean;
  end(): void;
  on(event: "data", listener: (chunk: Uint8Array) => void): this;
  on(event: "error", listener: (error: unknown) => void): this;
  on(event: "end" | "drain", listener: () => void): this;
  pipe<Next extends Decoder>(next: Next): Next;
  pause(): unknown;
  resume(): unknown;
  destroy(error?: unknown): unknown;
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

interface Transform extends Decoder {
  push(chunk: Uint8Array): unknown;
}
interface Streams {
  readonly Transform: new (options: {
    transform(this: Transform, chunk: Uint8Array, encoding: string, done: () => void): void;
    flush(done: () => void): void;
  }) => Transform;
}

const { process } = globalThis as {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
};

/** Whether this runtime decodes bodies: Node from 22.3 on. */
export const CAN_DECODE = typeof process?.getBuiltinModule === "function";

/** Loads a module of Node when the first coded body arrives. */
const load = (name: string): unknown => process?.getBuiltinModule?.(name);

/** Creates a decoder of `deflate`, whose first byte tells whether it has the header of zlib. Some servers send it without one. */
const createDeflateDecoder = (zlib: Zlib, options: object): Decoder => {
  let inner: Decoder | undefined;
  const { Transform } = load("node:stream") as Streams;
  return new Transform({
    transform(chunk, _, done) {
      if (!inner) {
        const hasHeader = ((chunk[0] as number) & 0x0f) === 0x08;
        inner = hasHeader ? zlib.createInflate(options) : zlib.createInflateRaw(options);
        inner.on("data", (data) => this.push(data)).on("error", (error) => this.destroy(error));
      }
      inner.write(chunk, done);
    },
    flush(done) {
      if (inner) inner.on("end", done).end();
      else done();
    },
  });
};

/** Creates the decoder of one coding, with the tolerance of Node's `fetch`; `undefined` for an unknown coding. */
const createDecoder = (coding: string, zlib: Zlib): Decoder | undefined => {
  const { constants } = zlib;
  const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  if (coding === "gzip" || coding === "x-gzip") return zlib.createGunzip(lenient);
  if (coding === "deflate") return createDeflateDecoder(zlib, lenient);
  if (coding === "br") {
    const flush = constants.BROTLI_OPERATION_FLUSH;
    return zlib.createBrotliDecompress({ flush, finishFlush: flush });
  }
  if (coding !== "zstd") return undefined;
  return zlib.createZstdDecompress?.({
    flush: constants.ZSTD_e_continue,
    finishFlush: constants.ZSTD_e_end,
  });
};

/**
 * Creates the decoders of a body, in the order in which its bytes pass them, as `fetch` does. A body with an unknown coding stays
 * as it is: it has none.
 */
export const createDecoders = (codings: string): readonly Decoder[] => {
  const zlib = codings && (load("node:zlib") as Zlib | undefined);
  if (!zlib) return [];
  const names = codings.toLowerCase().split(",").reverse();
  const decoders = names.map((name) => createDecoder(name.trim(), zlib));
  return decoders.includes(undefined) ? [] : (decoders as Decoder[]);
};
