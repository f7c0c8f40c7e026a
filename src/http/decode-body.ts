/** Part of a stream of Node that decodes bodies. */
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

interface NodeGlobals {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
}

/** Returns whether this runtime decodes bodies: Node from 22.3 on. */
export const canDecode = (): boolean =>
  (globalThis as NodeGlobals).process?.getBuiltinModule !== undefined;

/**
 * Creates the decoders of a body, in the order in which its bytes pass them, as Node's `fetch` does, and with its tolerance. A body
 * with an unknown coding stays as it is: it has none.
 *
 * @param firstByte First byte of the body. It tells whether `deflate` has the header of zlib: some servers leave it out.
 */
export const createDecoders = (codings: string, firstByte: number): readonly Decoder[] => {
  // Loaded for the first coded body.
  const { process } = globalThis as NodeGlobals;
  const zlib = process?.getBuiltinModule?.("node:zlib") as Zlib | undefined;
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
