import { ignoreErrors, invalidOption } from "../options.ts";
import { MAX_KEPT_BODY } from "../responses/received.ts";
import { asCarrier, type Carrier, RuntimeFetch } from "./runtime-fetch.ts";

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

/** Headers of a response by lowercase name. */
type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A buffer, or a string, whose `toString` ignores the encoding. */
interface Latin1 {
  toString(encoding: "latin1"): string;
}
/** Headers as undici 6 passes them: names and values alternate. */
type RawFields = readonly (Latin1 | readonly Latin1[])[];

/** Options that turn off redirects and retries of undici and its interceptors. */
const NO_REPEATS = /* @__PURE__ */ Object.freeze({
  maxRedirections: 0,
  retryOptions: {
    statusCodes: [],
    retry: (error: unknown, _context: unknown, done: (error: unknown) => void) => done(error),
  },
});

/** Headers that are added to every request, as `fetch` adds its own. */
const DEFAULT_HEADERS = { "accept-encoding": "gzip", "user-agent": "undici" };
const NO_CACHE_HEADERS = { pragma: "no-cache", "cache-control": "no-cache" };

const toRequestHeaders = ({
  headers = {},
  cache,
}: RequestInit): Readonly<Record<string, string>> => {
  const isPlain = Object.getPrototypeOf(headers) === Object.prototype;
  const given = isPlain ? headers : Object.fromEntries(new Headers(headers));
  const sent: Record<string, string> = { ...DEFAULT_HEADERS, ...(cache && NO_CACHE_HEADERS) };
  for (const [name, value] of Object.entries(given)) {
    // `fetch` removes only this white space.
    sent[name.toLowerCase()] = value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  }
  return sent;
};

const toFields = (raw: RawFields): Fields => {
  const fields: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] as Latin1).toString("latin1").toLowerCase();
    const values = [raw[index + 1]].flat() as Latin1[];
    fields[name] = [...(fields[name] ?? []), ...values.map((value) => value.toString("latin1"))];
  }
  return fields;
};

/** Creates a class of responses that parse their headers when they are first read: most are never read. */
const createResponseClass = () =>
  class extends Response {
    #fields: Fields | undefined;
    readonly #url: string;

    constructor(body: BodyInit | null, init: ResponseInit, fields: Fields, url: string) {
      super(body, init);
      this.#fields = fields;
      this.#url = url;
    }

    override get headers(): Headers {
      const headers = super.headers;
      const fields = this.#fields;
      this.#fields = undefined;
      for (const name in fields) {
        for (const value of [fields[name]].flat() as string[]) {
          // `Headers` rejects some values that a lenient parser accepts.
          ignoreErrors(() => headers.append(name, value));
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
    const decoders = codings.split(",").map((coding) => {
      const name = coding.trim().toLowerCase().replace(/^x-/, "");
      return new DecompressionStream((name === "br" ? "brotli" : name) as CompressionFormat);
    });
    return decoders.reduceRight((stream, decoder) => stream.pipeThrough(decoder), body);
  } catch {
    return body;
  }
};

/** Input and callbacks of one request. */
interface DispatchAttempt {
  readonly url: string;
  readonly init: RequestInit;
  readonly runtime: RuntimeFetch;
  /** Whether the caller takes the body from `runtime` and needs no stream. */
  readonly isDirect: boolean;
  readonly Response: ReturnType<typeof createResponseClass>;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** Handler of one request. The callbacks of undici 7 and 8 come first, then the callbacks of undici 6. */
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
    this.#attempt.runtime.connected();
    // undici repeats the requests of a connection that ends, but only the client knows what may be repeated.
    if (this.#controller) this.fail(new Error("the dispatcher repeats the request"));
    this.#controller = controller;
    if (this.#hasEnded) controller.abort();
  }

  onResponseStart(_: unknown, status: number, fields: Fields, statusText = ""): void {
    // Informational (1xx) responses may precede the response.
    if (status < 200 || this.#response || this.#hasEnded) return;
    const { url, init, isDirect, Response, resolve } = this.#attempt;
    const text = /^[\t -~\x80-\xff]*$/.test(statusText) ? statusText : "";
    const codings = String(fields["content-encoding"] ?? "");
    const isEmpty = init.method === "HEAD" || status === 204 || status === 205 || status === 304;
    let body: ReadableStream | null = null;
    if (!isEmpty && (codings || !isDirect)) {
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
    // A resumed parser begins with an empty chunk. A pause after that chunk would never end.
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
    // A request that fails before it starts was not sent.
    if (!this.#controller && !this.#response) this.#attempt.runtime.failed(error);
    this.fail(error);
  }

  onConnect(abort: Controller["abort"]): void {
    this.onRequestStart({ abort });
  }

  onHeaders(status: number, raw: RawFields, resume: () => void, statusText: string): boolean {
    if (this.#controller) this.#controller.resume = resume;
    this.onResponseStart(undefined, status, toFields(raw), statusText);
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
    // The body of an error is kept as far as it arrived.
    else this.#settle(this.#response.ok ? error : this.#read());
  }

  /** Marks the request as ended. Returns whether it was still running. */
  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#attempt.init.signal?.removeEventListener("abort", this);
    return true;
  }

  #settle(body: unknown): void {
    this.#attempt.runtime.body = body as Uint8Array;
    this.#attempt.resolve(this.#response as Response);
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
 * Creates a carrier that makes each attempt by one call of `dispatch`.
 *
 * @throws TypeError if the dispatcher is known to repeat requests.
 */
export const dispatchWith = (dispatcher: DispatcherLike): Carrier => {
  if (isRetrying(dispatcher)) {
    throw invalidOption("source", "a dispatcher without retries, because the client retries");
  }
  const Response = createResponseClass();
  return asCarrier(
    (url, init, runtime) =>
      new Promise((resolve, reject) => {
        init.signal?.throwIfAborted();
        const { origin, pathname, search } = new URL(url);
        const isDirect = runtime !== undefined;
        const own = runtime ?? new RuntimeFetch();
        const attempt = { url, init, runtime: own, isDirect, Response, resolve, reject };
        const handler = new DispatchHandler(attempt);
        const { method = "GET", body } = init;
        const request = {
          origin,
          path: pathname + search,
          method,
          headers: toRequestHeaders(init),
          body,
        };
        try {
          dispatcher.dispatch({ ...request, ...NO_REPEATS, ...own.limits }, handler);
        } catch (thrown) {
          handler.fail(thrown);
        }
      }),
  );
};
