import { causesOf, readString } from "../responses/connection-evidence.ts";

/**
 * Function that makes an attempt and calls the runtime's own `fetch` by the object that it receives, and in no other way.
 * Without one, it is not called by a client, but by a function around it.
 */
export type Carrier = (url: string, init: RequestInit, runtime?: RuntimeFetch) => Promise<Response>;

const CARRIER: unique symbol = /* @__PURE__ */ Symbol("carrier");

/** Marks a function as a carrier. A function that copies its properties is not marked, because the mark names its bearer. */
export const asCarrier = (carrier: Carrier): Carrier =>
  Object.defineProperty(carrier, CARRIER, { value: carrier });

/** Returns the carrier for an option `fetch`; `undefined` if a function of the caller may send other requests as well. */
export const toCarrier = (fetch: Carrier | undefined): Carrier | undefined => {
  if (fetch === undefined) return callRuntime;
  return (fetch as { readonly [CARRIER]?: unknown })[CARRIER] === fetch ? fetch : undefined;
};

const callRuntime: Carrier = (url, init, runtime = new RuntimeFetch()) => runtime.fetch(url, init);

/** Part of undici's dispatchers that Node's `fetch` uses. */
interface Dispatcher {
  dispatch(options: object, handler: Handler): boolean;
  /** Whether it is a `MockAgent` of undici that is active. */
  readonly isMockActive?: boolean | undefined;
}

/** Callbacks of one request: the first two in undici 8, the others in the versions before. */
type Callback = "onRequestStart" | "onResponseError" | "onConnect" | "onError";
type Handler = Partial<Record<Callback, (...args: unknown[]) => unknown>>;

/** Key of the dispatcher of the process for the handlers of undici 6 and 7. */
const LEGACY_KEY = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.1");
/** The same for the handlers of undici 8. */
const KEY = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.2");

/** Returns the dispatcher of the process: Node's own, or one that the application set in its place. */
const dispatcherAt = (key: symbol): Dispatcher | undefined =>
  (globalThis as { readonly [name: symbol]: Dispatcher | undefined })[key];

/** Returns whether `globalThis.fetch` is Node's own; a function that wraps it has other source code. */
const isNodeFetch = (): boolean =>
  typeof globalThis.fetch === "function" &&
  Function.prototype.toString.call(globalThis.fetch).includes("internal/deps/undici");

/**
 * Wraps a body so that Deno's `fetch` sends it once. Deno repeats a request by itself when its connection is
 * lost, so that a text could be sent twice; it never repeats one whose body is a Blob.
 */
export const toUnrepeatableBody = (body: string): BodyInit =>
  "Deno" in globalThis ? new Blob([body]) : body;

/** Time in milliseconds after which Node and Bun end a request by default. */
const RUNTIME_LIMIT_MS = 300_000;

/** Options of a dispatcher without the limits on the headers and the body of a response. */
const NO_LIMITS = /* @__PURE__ */ Object.freeze({ headersTimeout: 0, bodyTimeout: 0 });

/**
 * One attempt by the runtime's own `fetch`, or by a dispatcher of the application.
 *
 * In Node, it also notes whether the request got a connection: most errors of Node do not name the host, so that nothing
 * else distinguishes them from those of another request.
 */
export class RuntimeFetch {
  /** Whole body of the response, or what it failed with, if a carrier has read it already. */
  body: Uint8Array | Error | undefined;
  readonly #liftsLimit: boolean;
  #isCalled = false;
  #isConnected = false;
  /** Error of a request without a connection. */
  #failure: unknown;

  /** @param timeoutMs Timeout of the attempt. Unless it is shorter than the runtime's own limit, that limit is lifted. */
  constructor(timeoutMs: number = RUNTIME_LIMIT_MS) {
    this.#liftsLimit = timeoutMs >= RUNTIME_LIMIT_MS;
  }

  /** Whether the request may have been written to a connection, as far as the runtime tells. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Options for a dispatcher: whether the limits of undici are lifted. */
  get limits(): object | undefined {
    return this.#liftsLimit ? NO_LIMITS : undefined;
  }

  /** Notes that the request is about to be written to a connection. */
  connected(): void {
    this.#isConnected = true;
  }

  /** Notes the failure of a request. */
  failed(error: unknown): void {
    this.#failure = error;
  }

  /** Calls `globalThis.fetch`. */
  fetch(input: string | Request, init: RequestInit): Promise<Response> {
    this.#isCalled = true;
    const options = { ...this.#runtimeOptions(), ...init };
    if (typeof init.body === "string") options.body = toUnrepeatableBody(init.body);
    return globalThis.fetch(input, options);
  }

  /** Returns whether whatever `fetch` threw is the failure of this request, and it never got a connection. */
  isUnsent(thrown: unknown): boolean {
    if (this.#isConnected) return false;
    const causes = causesOf(thrown);
    if (this.#failure !== undefined) return causes.some((cause) => cause === this.#failure);
    // Node refuses a blocked port before it asks the dispatcher, and does not name it.
    if (!this.#isCalled || !isNodeFetch()) return false;
    return causes.some((cause) => readString(cause, "message") === "bad port");
  }

  /** Returns options that other runtimes ignore or refuse. */
  #runtimeOptions(): RequestInit & { readonly dispatcher?: Dispatcher; readonly timeout?: false } {
    if ("Bun" in globalThis) return this.#liftsLimit ? { timeout: false } : {};
    const legacy = dispatcherAt(LEGACY_KEY);
    const current = dispatcherAt(KEY);
    if (!legacy && !current) return {};
    const dispatcher: Dispatcher = {
      dispatch: (options, handler) => this.#dispatch(options, handler),
      isMockActive: legacy?.isMockActive || current?.isMockActive,
    };
    return { dispatcher };
  }

  /** Passes a request on to the dispatcher that Node's `fetch` would have used. */
  #dispatch(options: object, handler: Handler): boolean {
    const isLegacy = handler.onRequestStart === undefined;
    if (isLegacy) this.#watch(handler, "onConnect", "onError");
    else this.#watch(handler, "onRequestStart", "onResponseError");
    const [key, other] = isLegacy ? [LEGACY_KEY, KEY] : [KEY, LEGACY_KEY];
    const dispatcher = dispatcherAt(key) ?? dispatcherAt(other);
    return (dispatcher as Dispatcher).dispatch({ ...options, ...this.limits }, handler);
  }

  /** Notes that a request is about to be written to a connection, and its error. */
  #watch(handler: Handler, starting: Callback, failing: Callback): void {
    const { [starting]: start, [failing]: fail } = handler;
    if (!start || !fail) {
      // The callbacks of this version of undici are unknown, and so is what happened.
      this.connected();
      return;
    }
    handler[starting] = (...args) => {
      this.connected();
      return start.apply(handler, args);
    };
    handler[failing] = (...args) => {
      this.failed(args.at(-1));
      return fail.apply(handler, args);
    };
  }
}
