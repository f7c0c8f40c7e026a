import { ignoreErrors, invalidOption } from "../options.ts";
import { joinChunks, MAX_KEPT_BODY } from "../responses/received.ts";
import { NO_CONTENT } from "./response-body.ts";
import {
  asCarrier,
  type Carrier,
  NO_LIMITS,
  type RuntimeFetch,
  repeatError,
} from "./runtime-fetch.ts";

/** Part of an undici dispatcher (version 6, 7 or 8) that {@link fetchFrom} uses. */
export interface DispatcherLike {
  /** Makes one request and reports its progress to a handler. */
  dispatch(options: object, handler: object): unknown;
}

/** Control over a running request. */
interface Controller {
  abort(reason?: unknown): void;
  pause?(): void;
  resume?(): void;
}

/** Buffer, or a string, which ignores the encoding. */
interface Latin1 {
  readonly length: number;
  toString(encoding: "latin1"): string;
}
/** Headers of a response by their names in lowercase. */
type Fields = Readonly<Record<string, Latin1 | readonly Latin1[]>>;
/** Headers of undici 6, in which names and values take turns. */
type RawFields = (Latin1 | readonly Latin1[])[];

/** Options that turn off what undici and its interceptors would do by themselves. */
const NO_REPEATS = {
  maxRedirections: 0,
  retryOptions: {
    statusCodes: [],
    retry: (error: unknown, _context: unknown, done: (error: unknown) => void) => done(error),
  },
} as const;

/** Headers of every request, as Node's `fetch` has them. */
const DEFAULT_HEADERS = {
  "accept-encoding": "gzip",
  "user-agent": "undici",
  pragma: "no-cache",
  "cache-control": "no-cache",
};

/** Returns the codings of a body, separated by commas. */
const codingsOf = (fields: Fields | RawFields): string =>
  String(
    Array.isArray(fields)
      ? fields.filter(
          (_, index, { [index - 1]: name }) =>
            // Names of other lengths need not be decoded. `test` converts a name that is a buffer.
            index % 2 && name?.length === 16 && /content-encoding/i.test(name as string),
        )
      : (fields["content-encoding"] ?? ""),
  );

/** Creates a class of responses that parse their headers when they are first read: most are never read. */
const createResponseClass = () =>
  class extends Response {
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
  };

/** Decodes a body as `fetch` does. A body with an unknown coding stays as it is. */
const decodeBody = (body: ReadableStream, codings: string): ReadableStream => {
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

/** Input and callbacks of one request. */
interface DispatchAttempt {
  readonly url: string;
  readonly init: RequestInit;
  /** Attempt of a client, which takes the body from here; `undefined` if a wrapper calls, which may read it as a stream. */
  readonly runtime: RuntimeFetch | undefined;
  readonly Response: ReturnType<typeof createResponseClass>;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Handler of one request, with the callbacks of undici 7 and 8, followed by those of undici 6. It is also the listener of the
 * signal, and the source of a body that is a stream.
 *
 * It lets go of everything when the request ends. undici keeps the handler in objects that have become old, and what it
 * referred to could be collected only with them: a send took a sixth more processor time.
 */
class DispatchHandler implements EventListenerObject, UnderlyingDefaultSource<Uint8Array> {
  /** The request, until it ends. */
  #attempt: DispatchAttempt | undefined;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #controller: Controller | undefined;
  #response: Response | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(attempt: DispatchAttempt) {
    this.#attempt = attempt;
  }

  onRequestStart(controller: Controller): void {
    this.#attempt?.runtime?.connected();
    if (this.#controller) this.fail(repeatError());
    if (this.#attempt) this.#controller = controller;
    else controller.abort();
  }

  onResponseStart(_: unknown, status: number, fields: Fields | RawFields, statusText = ""): void {
    // Informational responses come before the response.
    if (status < 200 || this.#response || !this.#attempt) return;
    const { url, init, runtime, Response, resolve } = this.#attempt;
    const codings = codingsOf(fields);
    const isEmpty = init.method === "HEAD" || status === 304 || NO_CONTENT.includes(status);
    let body = isEmpty || (runtime && !codings) ? null : new ReadableStream(this);
    if (body && codings) body = decodeBody(body, codings);
    this.#response = new Response(
      body,
      { status, statusText: statusText.replace(/[^\t -~\x80-\xff]/g, "") },
      fields,
      url,
    );
    if (body || isEmpty) resolve(this.#response);
  }

  /** Returns whether more data may follow at once. */
  onResponseData(_: unknown, chunk: Uint8Array): boolean {
    // A parser that is resumed begins with an empty chunk; a pause after it would have no end.
    if (!this.#attempt || !chunk.length) return true;
    const stream = this.#stream;
    if (stream) {
      stream.enqueue(chunk);
      const hasRoom = (stream.desiredSize as number) > 0;
      if (!hasRoom) this.#controller?.pause?.();
      return hasRoom;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // The rest of an error's body is not needed, nor is the body of a response that must not have one.
    const isNeeded = this.#response?.ok && !NO_CONTENT.includes(this.#response.status);
    if (!isNeeded && this.#size >= MAX_KEPT_BODY) this.cancel();
    return true;
  }

  onResponseEnd(): void {
    if (this.#response) this.#end();
    else this.fail();
  }

  onResponseError(_: unknown, error: unknown): void {
    // A request that never began was not sent.
    if (!this.#controller) this.#attempt?.runtime?.failed(error);
    this.fail(error);
  }

  onConnect(abort: () => void): void {
    this.onRequestStart({ abort });
  }

  onHeaders(status: number, raw: RawFields, resume: () => void, statusText: string): boolean {
    if (this.#controller) this.#controller.resume = resume;
    this.onResponseStart(undefined, status, raw, statusText);
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    return this.onResponseData(undefined, chunk);
  }

  onComplete(): void {
    this.onResponseEnd();
  }

  onError(error: unknown): void {
    this.onResponseError(undefined, error);
  }

  handleEvent(): void {
    this.cancel();
  }

  start(stream: ReadableStreamDefaultController<Uint8Array>): void {
    this.#stream = stream;
  }

  pull(): void {
    this.#controller?.resume?.();
  }

  cancel(reason: unknown = this.#attempt?.init.signal?.reason): void {
    const controller = this.#controller;
    this.fail(reason, reason);
    controller?.abort(reason);
  }

  fail(cause?: unknown, error: unknown = new TypeError("fetch failed", { cause })): void {
    this.#end(error);
  }

  /** Ends the request, if it has not ended, with what has arrived or with an error. */
  #end(error?: unknown): void {
    if (!this.#attempt) return;
    const { init, runtime, resolve, reject } = this.#attempt;
    const stream = this.#stream;
    const response = this.#response;
    const bytes = joinChunks(this.#chunks, this.#size);
    this.#attempt = this.#controller = this.#response = this.#stream = undefined;
    this.#chunks = [];
    init.signal?.removeEventListener("abort", this);
    if (stream) {
      if (error === undefined) stream.close();
      else stream.error(error);
    } else if (response) {
      // Of an error's body, as much is kept as arrived.
      const read = response.ok ? (error ?? bytes) : bytes.subarray(0, MAX_KEPT_BODY);
      if (runtime) runtime.body = read as Uint8Array;
      resolve(response);
    } else reject(error);
  }
}

/**
 * Creates a carrier that makes each attempt by one call of `dispatch`.
 *
 * @throws TypeError if the dispatcher is known to repeat requests.
 */
export const dispatchWith = (dispatcher: DispatcherLike): Carrier => {
  if (/^retry/i.test(dispatcher.constructor?.name)) {
    throw invalidOption("source", "a dispatcher that does not retry");
  }
  const Response = createResponseClass();
  // Sends all have the same URL.
  let target: URL | undefined;
  return asCarrier(
    (url, init, runtime) =>
      new Promise((resolve, reject) => {
        const { headers, signal } = init;
        signal?.throwIfAborted();
        if (url !== target?.href) target = new URL(url);
        const handler = new DispatchHandler({ url, init, runtime, Response, resolve, reject });
        if (runtime) runtime.phase.work = handler;
        else signal?.addEventListener("abort", handler);
        try {
          dispatcher.dispatch(
            {
              ...NO_REPEATS,
              origin: target.origin,
              path: target.pathname + target.search,
              method: init.method ?? "GET",
              headers: {
                ...DEFAULT_HEADERS,
                // A client's own have lowercase names already.
                ...(runtime && !(headers instanceof Headers)
                  ? headers
                  : Object.fromEntries(new Headers(headers))),
              },
              body: init.body,
              ...(runtime ? runtime.limits : NO_LIMITS),
            },
            handler,
          );
        } catch (thrown) {
          handler.fail(thrown);
        }
      }),
  );
};
