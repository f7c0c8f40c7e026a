import { invalidOption } from "../options.ts";
import { joinChunks, MAX_KEPT_BODY } from "../responses/received.ts";
import {
  codingsOf,
  decodeBody,
  type Fields,
  type RawFields,
  responseClasses,
} from "./dispatched-response.ts";
import { asFetchAdapter, type FetchAdapter, type FetchAttempt } from "./fetch-attempt.ts";
import { NO_CONTENT } from "./response-body.ts";

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

/** Options of a dispatcher that remove its time limits for the headers and the body of a response. */
export const NO_LIMITS = /* @__PURE__ */ Object.freeze({ headersTimeout: 0, bodyTimeout: 0 });

/**
 * Creates the error for a request that a dispatcher starts a second time. undici repeats what was under way on a connection
 * that ends; only the client knows what may be repeated.
 */
export const repeatError = (): Error => new Error("the dispatcher repeats the request");

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

/** Input and callbacks of one request. */
interface DispatchRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** Attempt of a client, which takes the body from it; `undefined` if a wrapper calls, which may read it as a stream. */
  readonly attempt: FetchAttempt | undefined;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One request by a dispatcher, from its start to its end. It is also the listener of the signal, and the source of a body that
 * is a stream.
 *
 * It lets go of everything when the request ends. undici keeps the handler in objects that have become old, and what it
 * referred to could be collected only with them: a send took a sixth more processor time.
 */
class Exchange implements EventListenerObject, UnderlyingDefaultSource<Uint8Array> {
  /** The request, until it ends. */
  #request: DispatchRequest | undefined;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #controller: Controller | undefined;
  #response: Response | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(request: DispatchRequest) {
    this.#request = request;
  }

  begin(controller: Controller): void {
    this.#request?.attempt?.connected();
    if (this.#controller) this.fail(repeatError());
    if (this.#request) this.#controller = controller;
    else controller.abort();
  }

  /** @param resume Continues after a pause, if the controller cannot. */
  respond(status: number, fields: Fields | RawFields, statusText = "", resume?: () => void): void {
    if (resume && this.#controller) this.#controller.resume = resume;
    // Informational responses come before the response.
    if (status < 200 || this.#response || !this.#request) return;
    const { url, init, attempt, resolve } = this.#request;
    const codings = codingsOf(fields);
    const isEmpty = init.method === "HEAD" || status === 304 || NO_CONTENT.includes(status);
    let body = isEmpty || (attempt && !codings) ? null : new ReadableStream(this);
    if (body && codings) body = decodeBody(body, codings);
    const { DispatchedResponse, ReadResponse } = responseClasses();
    const ResponseClass = body || !attempt ? DispatchedResponse : ReadResponse;
    this.#response = new ResponseClass(
      body,
      { status, statusText: statusText.replace(/[^\t -~\x80-\xff]/g, "") },
      fields,
      url,
    );
    if (body || isEmpty) resolve(this.#response);
  }

  /** Returns whether more data may follow at once. */
  receive(chunk: Uint8Array): boolean {
    // A parser that is resumed begins with an empty chunk; a pause after it would have no end.
    if (!this.#request || !chunk.length) return true;
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

  end(): void {
    if (this.#response) this.#end();
    else this.fail();
  }

  /** Ends with the error of the dispatcher. A request that never began was not sent. */
  failWith(error: unknown): void {
    if (!this.#controller) this.#request?.attempt?.failed(error);
    this.fail(error);
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

  cancel(reason: unknown = this.#request?.init.signal?.reason): void {
    const controller = this.#controller;
    this.fail(reason, reason);
    controller?.abort(reason);
  }

  fail(cause?: unknown, error: unknown = new TypeError("fetch failed", { cause })): void {
    this.#end(error);
  }

  /** Ends the request, if it has not ended, with what has arrived or with an error. */
  #end(error?: unknown): void {
    if (!this.#request) return;
    const { init, attempt, resolve, reject } = this.#request;
    const stream = this.#stream;
    const response = this.#response;
    const bytes = joinChunks(this.#chunks, this.#size);
    this.#request = this.#controller = this.#response = this.#stream = undefined;
    this.#chunks = [];
    init.signal?.removeEventListener("abort", this);
    if (stream) {
      if (error === undefined) stream.close();
      else stream.error(error);
    } else if (response) {
      // Of an error's body, as much is kept as arrived.
      const read = response.ok ? (error ?? bytes) : bytes.subarray(0, MAX_KEPT_BODY);
      if (attempt) attempt.body = read as Uint8Array;
      resolve(response);
    } else reject(error);
  }
}

/** Creates the callbacks of undici 8. Interceptors may copy them into handlers of their own, so none of them needs `this`. */
export const toCallbacks = (exchange: Exchange) => ({
  onRequestStart: (controller: Controller) => exchange.begin(controller),
  onResponseStart: (_: unknown, status: number, fields: Fields, statusText: string) =>
    exchange.respond(status, fields, statusText),
  onResponseData: (_: unknown, chunk: Uint8Array) => exchange.receive(chunk),
  onResponseEnd: () => exchange.end(),
  onResponseError: (_: unknown, error: unknown) => exchange.failWith(error),
});

/** Creates the callbacks of undici 6, which undici 7 accepts, too. */
export const toLegacyCallbacks = (exchange: Exchange) => ({
  onConnect: (abort: () => void) => exchange.begin({ abort }),
  onHeaders: (status: number, fields: RawFields, resume: () => void, statusText: string) => {
    exchange.respond(status, fields, statusText, resume);
    return true;
  },
  onData: (chunk: Uint8Array) => exchange.receive(chunk),
  onComplete: () => exchange.end(),
  onError: (error: unknown) => exchange.failWith(error),
});

/** Function that makes an attempt by one call of `dispatch`. */
type Dispatch = (
  dispatcher: DispatcherLike,
  url: string,
  init: RequestInit,
  attempt: FetchAttempt | undefined,
  toHandler: (exchange: Exchange) => object,
) => Promise<Response>;

/** Creates a function that makes attempts by one call of `dispatch` each. */
export const createDispatch = (): Dispatch => {
  // Sends all have the same URL.
  let target: URL | undefined;
  return (dispatcher, url, init, attempt, toHandler) =>
    new Promise((resolve, reject) => {
      const { headers, signal } = init;
      if (signal?.aborted) throw signal.reason;
      if (url !== target?.href) target = new URL(url);
      const exchange = new Exchange({ url, init, attempt, resolve, reject });
      if (attempt) attempt.phase.work = exchange;
      else signal?.addEventListener("abort", exchange);
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
              ...(attempt && !(headers instanceof Headers)
                ? headers
                : Object.fromEntries(new Headers(headers))),
            },
            body: init.body,
            ...(!attempt || attempt.isUnlimited ? NO_LIMITS : {}),
          },
          toHandler(exchange),
        );
      } catch (thrown) {
        exchange.fail(thrown);
      }
    });
};

/**
 * Creates an adapter that makes each attempt by a dispatcher of the application.
 *
 * @throws TypeError if the dispatcher is known to repeat requests.
 */
export const dispatchWith = (dispatcher: DispatcherLike): FetchAdapter => {
  if (/^retry/i.test(dispatcher.constructor?.name)) {
    throw invalidOption("source", "a dispatcher that does not retry");
  }
  const dispatch = createDispatch();
  // Its version is not known.
  const toHandler = (exchange: Exchange) => ({
    ...toCallbacks(exchange),
    ...toLegacyCallbacks(exchange),
  });
  return asFetchAdapter((url, init, attempt) =>
    dispatch(dispatcher, url, init, attempt, toHandler),
  );
};
