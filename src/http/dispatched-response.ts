import { ignoreErrors } from "../options.ts";
import { once } from "../schemas/fields.ts";

/** Buffer, or a string, which ignores the encoding. */
interface Latin1 {
  readonly length: number;
  toString(encoding: "latin1"): string;
}
/** Headers of a response by their names in lowercase. */
export type Fields = Readonly<Record<string, Latin1 | readonly Latin1[]>>;
/** Headers of undici 6, in which names and values take turns. */
export type RawFields = (Latin1 | readonly Latin1[])[];

/** Returns the codings of a body, separated by commas. */
export const codingsOf = (fields: Fields | RawFields): string =>
  String(
    Array.isArray(fields)
      ? fields.filter(
          (_, index, { [index - 1]: name }) =>
            // Names of other lengths need not be decoded. `test` converts a name that is a buffer.
            index % 2 && name?.length === 16 && /content-encoding/i.test(name as string),
        )
      : (fields["content-encoding"] ?? ""),
  );

const READERS = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"];

/** Class of responses to requests of a dispatcher. */
type ResponseClass = new (
  body: BodyInit | null,
  init: ResponseInit,
  fields: Fields | RawFields,
  url: string,
) => Response;

/** Makes the classes of responses. An environment may lack `Response`, so they are made when they are first used. */
const makeClasses = (): Readonly<Record<"DispatchedResponse" | "ReadResponse", ResponseClass>> => {
  /** Response that parses its headers when they are first read: most are never read. */
  class DispatchedResponse extends Response {
    #fields: Fields | RawFields;
    readonly #url: string;

    constructor(
      body: BodyInit | null,
      init: ResponseInit,
      fields: Fields | RawFields,
      url: string,
    ) {
      super(body, init);
      this.#fields = fields;
      this.#url = url;
    }

    override get headers(): Headers {
      const headers = super.headers;
      const fields = this.#fields;
      this.#fields = [];
      const raw = Array.isArray(fields) ? fields : Object.entries(fields).flat();
      for (let index = 0; index < raw.length; index += 2) {
        // It may be a buffer, which `append` converts.
        const name = raw[index] as string;
        for (const value of [raw[index + 1]].flat() as Latin1[]) {
          // `Headers` refuses what a lenient parser lets pass.
          ignoreErrors(() => headers.append(name, value.toString("latin1")));
        }
      }
      return headers;
    }

    override get url(): string {
      return this.#url;
    }

    override clone(): Response {
      void this.headers;
      return super.clone();
    }
  }

  /** Response whose body a client has read. As of any response, its body cannot be read a second time. */
  class ReadResponse extends DispatchedResponse {
    override get bodyUsed(): boolean {
      return true;
    }

    override clone(): Response {
      throw bodyUsedError();
    }
  }
  for (const name of READERS) {
    Object.defineProperty(ReadResponse.prototype, name, {
      value: async () => {
        throw bodyUsedError();
      },
    });
  }
  return { DispatchedResponse, ReadResponse };
};

const bodyUsedError = (): TypeError =>
  new TypeError("the client has read the body: `withResponse()` returns it as `body`");

export const responseClasses = /* @__PURE__ */ once(makeClasses);

/** Decodes a body as `fetch` does. A body with an unknown coding stays as it is. */
export const decodeBody = (body: ReadableStream, codings: string): ReadableStream => {
  try {
    const names = codings
      .toLowerCase()
      .replace(/x-|\s/g, "")
      .replace(/\bbr\b/g, "brotli");
    const decoders = names
      .split(",")
      .map((name) => new DecompressionStream(name as CompressionFormat));
    return decoders.reduceRight((stream, decoder) => stream.pipeThrough(decoder), body);
  } catch {
    return body;
  }
};
