import { ignoreErrors, invalidOption } from "../options.ts";
import { MAX_KEPT_BODY } from "../responses/received.ts";
import { asCarrier, type Carrier, RuntimeFetch } from "./runtime-fetch.ts";

/** Part of the dispatchers of undici 6, 7 and 8 that `fetchFrom` uses. */
export interface DispatcherLike {
  /** Method that makes one request and tells a handler its progress. */
  dispatch(options: object, handler: object): unknown;
}

/** Control over a request under way. */
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
type RawFields = readonly (Latin1 | readonly Latin1[])[];

/** Options that turn off what undici and its interceptors would do by themselves. */
const NO_REPEATS = /* @__PURE__ */ Object.freeze({
  maxRedirections: 0,
  retryOptions: {
    statusCodes: [],
    retry: (error: unknown, _context: unknown, done: (error: unknown) => void) => done(error),
  },
});

/** Headers of every request, as Node's `fetch` has them. */
const DEFAULT_HEADERS = { "accept-encoding": "gzip", "user-agent": "undici" };
const NO_CACHE_HEADERS = { pragma: "no-cache", "cache-control": "no-cache" };

const toRequestHeaders = ({
  headers = {},
  cache,
}: RequestInit): Readonly<Record<string, string>> => {
  const isPlain = Object.getPrototypeOf(headers) === Object.prototype;
  const sent: Record<string, string> = { ...DEFAULT_HEADERS, ...(cache && NO_CACHE_HEADERS) };
  for (const [name, value] of isPlain ? Object.entries(headers) : new Headers(headers)) {
    // `fetch` removes this white space and no other.
    sent[name.toLowerCase()] = value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  }
  return sent;
};

const isRaw = (fields: Fields | RawFields): fields is RawFields => Array.isArray(fields);

/** Returns the codings of a body, separated by commas. Names of undici 6 are read only if they have the right length. */
const codingsOf = (fields: Fields | RawFields): string => {
  if (!isRaw(fields)) return String(fields["content-encoding"] ?? "");
  const isCoding = (name: RawFields[number] | undefined) =>
    name?.length === 16 && /content-encoding/i.test(String(name));
  return String(fields.filter((_, index) => index % 2 > 0 && isCoding(fields[index - 1])));
};

/** Creates the class of responses whose headers cost nothing until they are read. */
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
      const raw = isRaw(fields) ? fields : Object.entries(fields).flat();
      for (let index = 0; index < raw.length; index += 2) {
        for (const value of [raw[index + 1]].flat() as Latin1[]) {
          // `Headers` refuses what a lenient parser lets pass.
          ignoreErrors(() =>
            headers.append((raw[index] as Latin1).toString("latin1"), value.toString("latin1")),
          );
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

/** Decodes a body as `fetch` does, which leaves a body with an unknown coding as it is. */
const decodeBody = (body: ReadableStream, codings: string): ReadableStream => {
  try {
    const decoders = codings.split(",").map((coding) => {
      const name = coding.trim().toLowerCase().replace(/^x-/, "");
      return new DecompressionStream((name === "br" ? "brotli" : name) as CompressionFormat);
    });
    return decoders.reduceRight((stream, decoder) => stream.pipeThrough(decoder), body);
  } catch {
    return body;
  }
};

/** What one request needs. */
interface DispatchAttempt {
  readonly url: string;
  readonly init: RequestInit;
  /** Receives the body, and learns what happened. Without it, the body is a stream. */
  readonly runtime: RuntimeFetch | undefined;
  readonly Response: ReturnType<typeof createResponseClass>;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** Handler of one request, with the callbacks of undici 7 and 8, followed by those of undici 6. */
class DispatchHandler {
  readonly #attempt: DispatchAttempt;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #controller: Controller | undefined;
  #response: Response | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isPaused = false;
  #hasEnded = false;

  constructor(attempt: DispatchAttempt) {
    this.#attempt = attempt;
    attempt.init.signal?.addEventListener("abort", this);
  }

  onRequestStart(controller: Controller): void {
    this.#attempt.runtime?.connected();
    // undici repeats what was under way on a connection that ends; only the client knows what may be repeated.
    if (this.#controller) this.fail(new Error("the dispatcher repeats the request"));
    this.#controller = controller;
    if (this.#hasEnded) controller.abort();
  }

  onResponseStart(_: unknown, status: number, fields: Fields | RawFields, statusText = ""): void {
    // Informational responses come before the response.
    if (status < 200 || this.#response || this.#hasEnded) return;
    const { url, init, runtime, Response, resolve } = this.#attempt;
    const text = /^[\t -~\x80-\xff]*$/.test(statusText) ? statusText : "";
    const codings = codingsOf(fields);
    const isEmpty = init.method === "HEAD" || [204, 205, 304].includes(status);
    let body: ReadableStream | null = null;
    if (!isEmpty && (codings || !runtime)) {
      const source = new ReadableStream<Uint8Array>({
        start: (stream) => {
          this.#stream = stream;
        },
        pull: () => {
          this.#isPaused = false;
          this.#controller?.resume?.();
        },
        cancel: (reason) => {
          if (this.#end()) this.#controller?.abort(reason);
        },
      });
      body = codings ? decodeBody(source, codings) : source;
    }
    this.#response = new Response(body, { status, statusText: text }, fields, url);
    if (body) resolve(this.#response);
  }

  onResponseData(controller: Controller | undefined, chunk: Uint8Array): void {
    // A parser that is resumed begins with an empty chunk; a pause after it would have no end.
    if (this.#hasEnded || chunk.length === 0) return;
    if (this.#stream) {
      this.#stream.enqueue(chunk);
      this.#isPaused = (this.#stream.desiredSize ?? 0) <= 0;
      if (this.#isPaused) controller?.pause?.();
      return;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#response?.ok || this.#size < MAX_KEPT_BODY) return;
    this.onResponseEnd();
    this.#controller?.abort();
  }

  onResponseEnd(): void {
    if (!this.#response) this.fail(new Error("the dispatcher gave no response"));
    if (!this.#end()) return;
    if (this.#stream) this.#stream.close();
    else this.#settle(this.#read());
  }

  onResponseError(_: unknown, error: unknown): void {
    // A request that never began was not sent.
    if (!this.#controller && !this.#response) this.#attempt.runtime?.failed(error);
    this.fail(error);
  }

  onConnect(abort: Controller["abort"]): void {
    this.onRequestStart({ abort });
  }

  onHeaders(status: number, raw: RawFields, resume: () => void, statusText: string): boolean {
    if (this.#controller) this.#controller.resume = resume;
    this.onResponseStart(undefined, status, raw, statusText);
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    this.onResponseData(undefined, chunk);
    return !this.#isPaused;
  }

  onComplete(): void {
    this.onResponseEnd();
  }

  onError(error: unknown): void {
    this.onResponseError(undefined, error);
  }

  /** Ends the request when its signal fires. */
  handleEvent(): void {
    const { reason } = this.#attempt.init.signal as AbortSignal;
    this.fail(reason, reason);
    this.#controller?.abort(reason);
  }

  fail(cause: unknown, error: unknown = new TypeError("fetch failed", { cause })): void {
    if (!this.#end()) return;
    if (this.#stream) this.#stream.error(error);
    else if (!this.#response) this.#attempt.reject(error);
    // Of an error's body, as much is kept as arrived.
    else this.#settle(this.#response.ok ? error : this.#read());
  }

  /** Returns whether the request was still under way. */
  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#attempt.init.signal?.removeEventListener("abort", this);
    return true;
  }

  #settle(body: unknown): void {
    const { runtime, resolve } = this.#attempt;
    if (runtime) runtime.body = body as Uint8Array;
    resolve(this.#response as Response);
  }

  #read(): Uint8Array {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return this.#response?.ok ? bytes : bytes.subarray(0, MAX_KEPT_BODY);
  }
}

/** Returns whether a dispatcher is known to repeat requests. */
const isRetrying = (dispatcher: DispatcherLike): boolean =>
  [dispatcher.constructor?.name, dispatcher.dispatch.name].some((name) => /^retry/i.test(name));

/**
 * Creates the carrier that makes each attempt by one call of `dispatch`.
 *
 * @throws TypeError when the dispatcher is known to repeat requests.
 */
export const dispatchWith = (dispatcher: DispatcherLike): Carrier => {
  if (isRetrying(dispatcher)) {
    throw invalidOption("dispatcher", "one that repeats no requests, because the client does");
  }
  const Response = createResponseClass();
  return asCarrier(
    (url, init, runtime) =>
      new Promise((resolve, reject) => {
        init.signal?.throwIfAborted();
        const { origin, pathname, search } = new URL(url);
        const handler = new DispatchHandler({ url, init, runtime, Response, resolve, reject });
        const { limits } = runtime ?? new RuntimeFetch();
        const { method = "GET", body } = init;
        const request = {
          origin,
          path: pathname + search,
          method,
          headers: toRequestHeaders(init),
          body,
        };
        try {
          dispatcher.dispatch({ ...request, ...NO_REPEATS, ...limits }, handler);
        } catch (thrown) {
          handler.fail(thrown);
        }
      }),
  );
};
