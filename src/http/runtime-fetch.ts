import { causesOf, FetchMistake, readString } from "../responses/connection-evidence.ts";
import type { Phase } from "./call-timer.ts";

/**
 * Function that makes one attempt, and calls the runtime's own `fetch` only through the object that it receives. If a wrapper
 * calls it instead of a client, it receives no object.
 */
export type Carrier = (url: string, init: RequestInit, runtime?: RuntimeFetch) => Promise<Response>;

const CARRIER: unique symbol = /* @__PURE__ */ Symbol("carrier");

/** Marks a function as a carrier. The mark refers to the function itself, so a wrapper that copies it is not a carrier. */
export const asCarrier = (carrier: Carrier): Carrier =>
  Object.defineProperty(carrier, CARRIER, { value: carrier });

/** Returns the carrier for the option `fetch`; `undefined` for a function of the caller, which may also send other requests. */
export const toCarrier = (fetch: Carrier | undefined): Carrier | undefined => {
  if (fetch === undefined) return callRuntime;
  return (fetch as { readonly [CARRIER]?: unknown })[CARRIER] === fetch ? fetch : undefined;
};

const callRuntime: Carrier = (url, init, runtime = new RuntimeFetch()) => runtime.fetch(url, init);

/** Part of an undici dispatcher that Node's `fetch` uses. */
interface Dispatcher {
  dispatch(options: object, handler: Handler): boolean;
  /** Whether the dispatcher is an active `MockAgent`. */
  readonly isMockActive?: boolean | undefined;
}

/** Callbacks of undici 8 for the start of a request; for the headers, the data and the end of its response; for its error. */
const CALLBACKS = [
  "onRequestStart",
  "onResponseStart",
  "onResponseData",
  "onResponseEnd",
  "onResponseError",
] as const;
/** The same callbacks of earlier versions. They receive the headers and the data as their first arguments. */
const LEGACY_CALLBACKS = ["onConnect", "onHeaders", "onData", "onComplete", "onError"] as const;
export type Callbacks = typeof CALLBACKS | typeof LEGACY_CALLBACKS;
type Callback = Callbacks[number];
type Handler = Partial<Record<Callback, (...args: unknown[]) => unknown>>;

type Abort = (reason: unknown) => void;
interface Abortable {
  readonly abort?: Abort;
}

/** Puts a step before a callback of a handler, which is skipped if the step returns a value. */
export type Before = (name: Callback, step: (...args: unknown[]) => unknown) => void;

/** Function that may read the body of a response from the callbacks, and then sets `body`. */
export type EarlyReader = (runtime: RuntimeFetch, names: Callbacks, before: Before) => void;

/** Key of the process's dispatcher for handlers of undici 6 and 7. */
const LEGACY_KEY = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.1");
/** Key of the process's dispatcher for handlers of undici 8. */
const KEY = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.2");

/** Returns the process's dispatcher: Node's own, or the one that the application has set. */
const dispatcherAt = (key: symbol): Dispatcher | undefined =>
  (globalThis as { readonly [name: symbol]: Dispatcher | undefined })[key];

/** Returns whether `globalThis.fetch` is Node's own. A wrapper around it has different source code. */
const isNodeFetch = (): boolean =>
  typeof globalThis.fetch === "function" &&
  Function.prototype.toString.call(globalThis.fetch).includes("internal/deps/undici");

/**
 * Converts a body to one that Deno's `fetch` never sends twice. Deno repeats a request by itself if the connection is lost,
 * which could send a text twice, but it never repeats a request with a `Blob`.
 */
export const toUnrepeatableBody = (body: string): BodyInit =>
  "Deno" in globalThis ? new Blob([body]) : body;

/** What is wrong in a runtime without `fetch`. */
export const NO_FETCH = "this environment has no `fetch`: pass the option `fetch`";

/** Time in milliseconds after which Node and Bun end a request by default. */
const RUNTIME_LIMIT_MS = 300_000;

/** Options of a dispatcher that remove its time limits for the headers and the body of a response. */
export const NO_LIMITS = /* @__PURE__ */ Object.freeze({ headersTimeout: 0, bodyTimeout: 0 });

/**
 * Creates the error for a request that a dispatcher starts a second time. undici repeats what was under way on a connection
 * that ends; only the client knows what may be repeated.
 */
export const repeatError = (): Error => new Error("the dispatcher repeats the request");

/**
 * Attempt by the runtime's own `fetch`, or by a dispatcher of the application.
 *
 * In Node, it stands between `fetch` and the dispatcher. It notes whether the request got a connection: most errors of Node do
 * not name the host, and would otherwise look like the errors of a different request. It also lets a client read the body of
 * the response early.
 */
export class RuntimeFetch implements Dispatcher {
  /** Whole body of the response, or the error that ended it, if it is not read from the response. */
  body: Uint8Array | Error | Promise<Uint8Array> | undefined;
  /** Phase of the attempt. */
  readonly phase: Phase;
  /** Options for a dispatcher that lift its time limits; `undefined` if they stay. */
  readonly limits: object | undefined;
  /** Whether the request may have been written to a connection, as far as the runtime shows it. */
  isConnected = false;
  #isCalled = false;
  #read: EarlyReader | undefined;
  /** Error of the request, if it failed. */
  #failure: unknown;

  /** @param timeoutMs Timeout of the attempt in milliseconds. If the runtime's own limit is not longer, it is lifted. */
  constructor(timeoutMs: number = RUNTIME_LIMIT_MS, phase: Phase = {}, read?: EarlyReader) {
    this.phase = phase;
    this.#read = read;
    if (timeoutMs >= RUNTIME_LIMIT_MS) this.limits = NO_LIMITS;
  }

  /** Notes that the request is about to be written to a connection. */
  connected(): void {
    this.isConnected = true;
  }

  /** Notes the error of the request. */
  failed(error: unknown): void {
    this.#failure = error;
  }

  /** Calls `globalThis.fetch`. */
  fetch(input: string | Request, init: RequestInit): Promise<Response> {
    if (!globalThis.fetch) {
      this.failed(new FetchMistake(NO_FETCH));
      throw this.#failure;
    }
    this.#isCalled = true;
    // The hooks of ky, which passes a `Request`, and a wrapper around Node's `fetch` may read the body themselves.
    if (typeof input !== "string" || !isNodeFetch()) this.#read = undefined;
    const options = { ...this.#runtimeOptions(), ...init };
    if (typeof init.body === "string") options.body = toUnrepeatableBody(init.body);
    return globalThis.fetch(input, options);
  }

  /** Returns whether a thrown value is the error of this request, and not of another request or of a wrapper. */
  isOwnError(thrown: unknown): boolean {
    const causes = causesOf(thrown);
    if (this.#failure !== undefined) return causes.some((cause) => cause === this.#failure);
    // Node rejects a blocked port and a foreign signal before it calls the dispatcher. Its error does not name the port.
    if (!this.#isCalled || !isNodeFetch()) return false;
    return causes.some((cause) => /^bad port$|AbortSignal/.test(readString(cause, "message")));
  }

  /** Returns the options for this runtime; others would ignore or reject them. */
  #runtimeOptions(): RequestInit & { readonly dispatcher?: Dispatcher; readonly timeout?: false } {
    if ("Bun" in globalThis) return this.limits ? { timeout: false } : {};
    return dispatcherAt(LEGACY_KEY) || dispatcherAt(KEY) ? { dispatcher: this } : {};
  }

  get isMockActive(): boolean | undefined {
    return dispatcherAt(LEGACY_KEY)?.isMockActive || dispatcherAt(KEY)?.isMockActive;
  }

  /** Passes a request to the dispatcher that Node's `fetch` would have used. */
  dispatch(options: object, handler: Handler): boolean {
    const isLegacy = handler.onRequestStart === undefined;
    this.#watch(handler, isLegacy ? LEGACY_CALLBACKS : CALLBACKS);
    const [key, other] = isLegacy ? [LEGACY_KEY, KEY] : [KEY, LEGACY_KEY];
    const dispatcher = dispatcherAt(key) ?? dispatcherAt(other);
    return (dispatcher as Dispatcher).dispatch({ ...options, ...this.limits }, handler);
  }

  /** Takes steps before the callbacks of a handler. */
  #watch(handler: Handler, names: Callbacks): void {
    const [start, , , , error] = names;
    // With the unknown callbacks of a different undici, nothing is certain.
    if (names.some((name) => !handler[name])) {
      this.connected();
      return;
    }
    const before: Before = (name, step) => {
      const callback = handler[name] as typeof step;
      handler[name] = (...args) => step(...args) ?? callback.apply(handler, args);
    };
    before(start, (request) => {
      if (!this.isConnected) return this.connected();
      // A controller, or in earlier versions the function `abort`.
      ((request as Abortable).abort ?? (request as Abort)).call(request, repeatError());
      // `fetch` does not learn of the second start.
      return true;
    });
    before(error, (...args) => this.failed(args.at(-1)));
    this.#read?.(this, names, before);
  }
}
