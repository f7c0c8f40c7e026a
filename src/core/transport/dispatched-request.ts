import {
  MAX_BODY,
  MAX_KEPT_BODY,
  NO_CONTENT,
  type ResponseHead,
  TOO_LONG,
} from "../responses/fetched-response.ts";
import type { FetchAttempt } from "./attempt.ts";
import { StoppedRepeat } from "./connection-error.ts";
import {
  createDecoders,
  type Decoder,
  DispatchedHead,
  type Fields,
  headerOf,
  isWithoutBody,
  lengthOf,
  type RawFields,
  toResponse,
} from "./dispatched-response.ts";

export interface Controller {
  abort(reason?: unknown): void;
  pause?(): void;
  resume?(): void;
}

/** Creates the error for a body that is shorter than its `content-length`. Over HTTP/2, undici does not compare the two. */
export const cutOffError = (): Error => new Error("the body is shorter than its content-length");

/** Joins the chunks of a body. A single chunk is returned as it is, because an allocation takes as long as parsing its JSON. */
const joinChunks = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};

interface DispatchInput {
  readonly url: string;
  readonly init: RequestInit;
  /** Attempt of a client, which reads the body from it; `undefined` for a wrapper, which may read the body as a stream. */
  readonly attempt: FetchAttempt | undefined;
  readonly resolve: (response: ResponseHead) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One request through a dispatcher, from its start to its end. The object is also the listener of the abort signal, and the
 * source of a streamed body.
 *
 * Releases every reference when the request ends, because undici keeps the handler in long-lived objects. Everything that the
 * handler still referred to could be collected only together with them, and a send took a sixth more processor time.
 */
export class DispatchedRequest implements EventListenerObject, UnderlyingDefaultSource<Uint8Array> {
  #request: DispatchInput | undefined;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #controller: Controller | undefined;
  #response: ResponseHead | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #codings = "";
  #decoders: readonly Decoder[] = [];
  #missing = 0;

  constructor(request: DispatchInput) {
    this.#request = request;
  }

  /** Records that undici is about to write the request. Fails if undici writes it a second time. */
  begin(controller: Controller): void {
    const { attempt } = this.#request ?? {};
    if (attempt) attempt.progress = "written";
    if (this.#controller) this.fail(new StoppedRepeat("the dispatcher", this.#response?.status));
    if (this.#request) this.#controller = controller;
    else controller.abort();
  }

  /** @param resume Continues after a pause. Only undici's older callbacks pass it, because their controller has no `resume`. */
  respond(status: number, fields: Fields | RawFields, statusText = "", resume?: () => void): void {
    if (resume && this.#controller) this.#controller.resume = resume;
    // Informational responses (1xx) precede the actual response.
    if (status < 200 || this.#response || !this.#request) return;
    const { url, init, attempt, resolve } = this.#request;
    const isEmpty = init.method === "HEAD" || isWithoutBody(status);
    const body = isEmpty || attempt ? null : new ReadableStream(this);
    if (!isEmpty) {
      this.#missing = lengthOf(fields);
      this.#codings = headerOf(fields, "content-encoding");
    }
    const head = { status, statusText, fields, url };
    const response = attempt ? new DispatchedHead(head) : toResponse(body, head);
    this.#response = response;
    if (body || isEmpty) resolve(response);
  }

  /** Returns whether the sender may continue immediately. */
  receive(chunk: Uint8Array): boolean {
    // A resumed parser first passes an empty chunk. If that paused the parser again, nothing would ever resume it.
    if (!this.#request || !chunk.length) return true;
    this.#missing -= chunk.length;
    if (this.#codings) this.#decode(chunk[0] as number);
    const [decoder] = this.#decoders;
    const hasRoom = decoder ? decoder.write(chunk) : this.#keep(chunk);
    // Only a stream pauses the sender, because undici crashes if a connection ends during a pause.
    if (hasRoom || !this.#stream) return true;
    this.#controller?.pause?.();
    return false;
  }

  #decode(firstByte: number): void {
    const decoders = createDecoders(this.#codings, firstByte);
    this.#codings = "";
    this.#decoders = decoders;
    const onError = (cause: unknown) => this.cancel(new TypeError("fetch failed", { cause }));
    for (const decoder of decoders) decoder.on("error", onError);
    if (this.#stream) decoders[0]?.on("drain", () => this.#controller?.resume?.());
    const last = decoders.reduce<Decoder | undefined>(
      (decoder, next) => decoder?.pipe(next) ?? next,
      undefined,
    );
    last?.on("data", (chunk) => this.#keep(chunk)).on("end", () => this.#end());
  }

  #keep(chunk: Uint8Array): boolean {
    const stream = this.#stream;
    if (stream) {
      stream.enqueue(chunk);
      const hasRoom = (stream.desiredSize as number) > 0;
      if (!hasRoom) this.#decoders.at(-1)?.pause();
      return hasRoom;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // Nothing needs the rest of an error's body, or the body of a response that must not have one.
    const isNeeded = this.#response?.ok && !NO_CONTENT.includes(this.#response.status);
    if (!isNeeded && this.#size >= MAX_KEPT_BODY) this.cancel();
    else if (this.#size > MAX_BODY) this.cancel(new RangeError(TOO_LONG));
    return true;
  }

  end(): void {
    // Only the decoder knows whether an empty body is complete.
    if (this.#codings) this.#decode(0);
    const [decoder] = this.#decoders;
    if (!this.#response) this.fail();
    else if (this.#missing > 0) this.fail(cutOffError());
    else if (decoder) decoder.end();
    else this.#end();
  }

  /** Ends the request with an error of the dispatcher. */
  failWith(error: unknown): void {
    if (this.#request?.attempt) this.#request.attempt.failure = error;
    this.fail(error);
  }

  handleEvent(): void {
    this.cancel();
  }

  start(stream: ReadableStreamDefaultController<Uint8Array>): void {
    this.#stream = stream;
  }

  pull(): void {
    this.#decoders.at(-1)?.resume();
    this.#controller?.resume?.();
  }

  cancel(reason: unknown = this.#reason): void {
    const controller = this.#controller;
    this.fail(reason, reason);
    controller?.abort(reason);
  }

  get #reason(): unknown {
    const { attempt, init } = this.#request ?? {};
    return (attempt ?? init)?.signal?.reason;
  }

  fail(cause?: unknown, error: unknown = new TypeError("fetch failed", { cause })): void {
    this.#end(error);
  }

  /** Ends the request with the data that has arrived or with an error. Does nothing if the request has already ended. */
  #end(error?: unknown): void {
    if (!this.#request) return;
    const { init, attempt, resolve, reject } = this.#request;
    const stream = this.#stream;
    const response = this.#response;
    const bytes = joinChunks(this.#chunks, this.#size);
    this.#request = this.#controller = this.#response = this.#stream = undefined;
    for (const decoder of this.#decoders) decoder.destroy();
    this.#chunks = [];
    this.#decoders = [];
    if (!attempt) init.signal?.removeEventListener("abort", this);
    if (stream) {
      if (error === undefined) stream.close();
      else stream.error(error);
    } else if (response) {
      // For an error response, the part of the body that arrived is enough.
      const read = response.ok ? (error ?? bytes) : bytes.subarray(0, MAX_KEPT_BODY);
      if (attempt) attempt.body = read as Uint8Array;
      resolve(response);
    } else reject(error);
  }
}

/** Creates the callbacks of undici 8. Interceptors may copy them into their own handlers, so no callback uses `this`. */
export const toCallbacks = (request: DispatchedRequest) => ({
  onRequestStart: (controller: Controller) => request.begin(controller),
  onResponseStart: (_: unknown, status: number, fields: Fields, statusText: string) =>
    request.respond(status, fields, statusText),
  onResponseData: (_: unknown, chunk: Uint8Array) => request.receive(chunk),
  onResponseEnd: () => request.end(),
  onResponseError: (_: unknown, error: unknown) => request.failWith(error),
});

export const toLegacyCallbacks = (request: DispatchedRequest) => ({
  onConnect: (abort: () => void) => request.begin({ abort }),
  onHeaders: (status: number, fields: RawFields, resume: () => void, statusText: string) => {
    request.respond(status, fields, statusText, resume);
    return true;
  },
  onData: (chunk: Uint8Array) => request.receive(chunk),
  onComplete: () => request.end(),
  onError: (error: unknown) => request.failWith(error),
});
