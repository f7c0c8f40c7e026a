// Platform-dependent code for Node, Bun and Deno. On every other platform, the `imports` of package.json replace this module with
// `platform-web.ts`, so bundles for browsers and workers contain no dispatcher.

import { runtime } from "../runtime.ts";
import { asFetchAdapter, type FetchAdapter, FetchAttempt } from "./attempt.ts";
import { FetchMistake, isRefusal, StoppedRepeat } from "./connection-error.ts";
import {
  type Controller,
  cutOffError,
  toCallbacks,
  toLegacyCallbacks,
} from "./dispatched-request.ts";
import { canDecode, type Fields, isWithoutBody, lengthOf } from "./dispatched-response.ts";
import {
  createDispatch,
  type DispatcherLike,
  dispatcherAt,
  isKnown,
  isRetryAgent,
  KEY,
  LEGACY_KEY,
  NO_LIMITS,
} from "./dispatcher.ts";

export { adviceOn, showsNoConnection } from "./connection-proof.ts";
export { dispatchWith } from "./dispatcher.ts";

/** Major versions of undici whose dispatchers and handlers are known. A later Node may call them differently. */
const KNOWN_UNDICI: readonly number[] = [6, 7, 8];

/** Parts of the source code of the `fetch` of Node and of Deno. A wrapper around it has different source code. */
const OWN_FETCH = /internal\/deps\/undici|lazyFetch\(/;

/** Returns whether `globalThis.fetch` is the runtime's own, in Node or Deno. */
const isOwnFetch = (): boolean => {
  const { fetch } = globalThis;
  return typeof fetch === "function" && OWN_FETCH.test(Function.prototype.toString.call(fetch));
};

/**
 * Returns the major version of the undici under Node's `fetch`; `undefined` if the version is unknown, or if a mock or a tool has
 * replaced `fetch` and must see the requests.
 */
const nodeFetchVersion = (): number | undefined => {
  const major = Number.parseInt(runtime().versions?.undici ?? "", 10);
  if (!KNOWN_UNDICI.includes(major) || !isOwnFetch()) return undefined;
  // Node creates its dispatcher when one of the classes of `fetch` is first used.
  void globalThis.Response;
  return major;
};

/** @throws FetchMistake if the application has set a dispatcher that repeats requests. The attempt records the error. */
const processDispatcher = (
  isLegacy: boolean,
  attempt: FetchAttempt,
): DispatcherLike | undefined => {
  const [legacy, current] = [dispatcherAt(LEGACY_KEY), dispatcherAt(KEY)];
  // undici 8 sets both. Its legacy dispatcher only forwards requests.
  if ((legacy && isRetryAgent(legacy)) || (current && isRetryAgent(current))) {
    const why = "which may send a request twice: pass `fetch: fetchFrom(new Agent())`";
    attempt.refuse(new FetchMistake(`the global dispatcher is a \`RetryAgent\`, ${why}`));
  }
  return isLegacy ? (legacy ?? current) : (current ?? legacy);
};

/** Callbacks of undici 7 and 8. A callback may be missing. */
interface Handler {
  onRequestStart?(controller: Controller, context: unknown): void;
  onResponseStart?(controller: Controller, status: number, fields: Fields, text: string): void;
  onResponseData?(controller: Controller, chunk: Uint8Array): void;
  onResponseEnd?(controller: Controller, trailers: unknown): void;
  onResponseError?(controller: Controller, error: unknown): void;
}

/** Callbacks of undici 6. */
interface LegacyHandler {
  onConnect?(abort: (reason?: unknown) => void, context: unknown): void;
  onHeaders?(status: number, fields: unknown, resume: () => void, text: string): boolean;
  onError?(error: unknown): void;
}

/** Matches the methods that Bun sends again if a kept-alive connection breaks. */
const REPEATED_BY_BUN = /^(?!POST$|PATCH$)/;

/**
 * Attempt of a client. In Node, if `fetch` was replaced or ky calls it, the attempt sits between `fetch` and the dispatcher. It
 * records whether the request got a connection, because most errors of Node do not name the host, and cannot be told from the
 * errors of a different request. It also stops repeats of a request that may have been carried out.
 */
export class PlatformAttempt extends FetchAttempt implements DispatcherLike {
  #status: number | undefined;

  get isMockActive(): boolean | undefined {
    return dispatcherAt(LEGACY_KEY)?.isMockActive || dispatcherAt(KEY)?.isMockActive;
  }

  /**
   * Deno silently sends a request again if its connection breaks, and so does Bun if the connection was kept alive. The error of
   * the second request proves nothing about the first. Deno repeats most bodies that are not a `Blob`, and application code may have
   * replaced the `Blob` with its content.
   */
  override handOver({ method = "GET" }: RequestInit, isUnchanged = false): void {
    const mayRepeat =
      "Deno" in globalThis ? !isUnchanged : "Bun" in globalThis && REPEATED_BY_BUN.test(method);
    if (mayRepeat) this.progress = "written";
    else if (this.progress !== "written") this.progress = "unknown";
  }

  dispatch(options: object, handler: Handler | LegacyHandler): unknown {
    const isCurrent = "onRequestStart" in handler;
    const dispatcher = processDispatcher(!isCurrent, this) as DispatcherLike;
    // A service that refused a request did nothing, so the application may send it again, for example with a new token.
    if (isRefusal(this.#status ?? 0)) {
      this.#status = undefined;
      this.progress = "unknown";
    }
    if (this.progress !== "written") this.progress = isKnown(dispatcher) ? "unsent" : "unknown";
    return dispatcher.dispatch(
      this.isUnlimited ? { ...options, ...NO_LIMITS } : options,
      isCurrent ? this.#watch(handler, options) : this.#watchLegacy(handler as LegacyHandler),
    );
  }

  /** Records that undici is about to write a request. Stops the request if it is a repeat, and returns whether it is a repeat. */
  #begin(by: string, abort: (reason: unknown) => void): boolean {
    const isRepeat = this.progress === "written";
    this.progress = "written";
    if (isRepeat) abort(new StoppedRepeat(by, this.#status));
    return isRepeat;
  }

  get #repeater(): string {
    return this.progress === "written" ? "the code around `fetch`" : "the dispatcher";
  }

  /** Returns a handler that records the progress and forwards every callback. */
  #watch(handler: Handler, options: { readonly method?: unknown }): Handler {
    const by = this.#repeater;
    /**
     * Number of bytes still missing from the announced length of the body. Over HTTP/2, `fetch` does not detect a truncated body.
     */
    let missing = 0;
    const watching: Handler = {
      onRequestStart: (controller, context) => {
        if (this.#begin(by, (why) => controller.abort(why))) return;
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart: (controller, status, fields, text) => {
        this.#status = status;
        const isEmpty = options.method === "HEAD" || isWithoutBody(status);
        missing = isEmpty ? 0 : lengthOf(fields);
        handler.onResponseStart?.(controller, status, fields, text);
      },
      onResponseData: (controller, chunk) => {
        missing -= chunk.length;
        handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (controller, trailers) => {
        if (missing > 0) handler.onResponseError?.(controller, cutOffError());
        else handler.onResponseEnd?.(controller, trailers);
      },
      onResponseError: (controller, error) => {
        this.failure = error;
        handler.onResponseError?.(controller, error);
      },
    };
    return Object.assign(Object.create(handler), watching);
  }

  #watchLegacy(handler: LegacyHandler): LegacyHandler {
    // If these are the callbacks of an unknown version of undici, nothing is certain.
    if (!handler.onConnect) this.progress = "written";
    const by = this.#repeater;
    const watching: LegacyHandler = {
      onConnect: (abort, context) => {
        if (!this.#begin(by, abort)) handler.onConnect?.(abort, context);
      },
      onHeaders: (status, fields, resume, text) => {
        this.#status = status;
        return handler.onHeaders?.(status, fields, resume, text) ?? true;
      },
      onError: (error) => {
        this.failure = error;
        handler.onError?.(error);
      },
    };
    return Object.assign(Object.create(handler), watching);
  }

  protected override callFetch(input: string | Request, init: RequestInit): Promise<Response> {
    const options = { ...this.#runtimeOptions(), ...init };
    const isOwn = isOwnFetch();
    const isUnchanged = isOwn && typeof input === "string" && init.body instanceof Blob;
    this.handOver(init, isUnchanged);
    if (!isOwn || !("dispatcher" in options)) return globalThis.fetch(input, options);
    // Node's `fetch` sends nothing before it calls the dispatcher. Before that, it may reject a port or the signal of a different
    // realm.
    if (this.progress !== "written") this.progress = "unsent";
    return globalThis.fetch(input, options).catch((error: unknown) => {
      this.failure ??= error;
      throw error;
    });
  }

  /** Returns the options for this runtime. Other runtimes would ignore or reject them. */
  #runtimeOptions(): object {
    if ("Bun" in globalThis) return this.isUnlimited ? { timeout: false } : {};
    // Deno's `fetch` never calls a dispatcher, although a package that loads undici sets one.
    if ("Deno" in globalThis) return {};
    return (dispatcherAt(LEGACY_KEY) ?? dispatcherAt(KEY)) ? { dispatcher: this } : {};
  }
}

/**
 * Creates the adapter of a client without the option `fetch`. It makes each attempt directly through the process's dispatcher,
 * which `fetch` also uses, because the objects of `fetch` take more processor time than everything that a client does.
 */
export const createDefaultAdapter = (): FetchAdapter => {
  const dispatch = createDispatch();
  let asked: typeof globalThis.fetch | undefined;
  let version: number | undefined;
  return asFetchAdapter((url, init, attempt) => {
    if (!attempt) return globalThis.fetch(url, init);
    // Determined once for each `fetch`, because reading its source code takes longer than all other work of this file for a call.
    if (globalThis.fetch !== asked) {
      asked = globalThis.fetch;
      version = nodeFetchVersion();
    }
    // The `fetch` of undici 7 has the callbacks of undici 6.
    const isLegacy = version !== 8;
    const dispatcher = version && canDecode() && processDispatcher(isLegacy, attempt);
    if (!dispatcher) return attempt.fetch(url, attempt.toOwnInit(init));
    const toHandler = isLegacy ? toLegacyCallbacks : toCallbacks;
    return dispatch(dispatcher, url, init, attempt, toHandler);
  });
};

/** Version of this package, the same as in package.json. */
export const VERSION = "0.1.0";

export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  accept: "application/json",
  "content-type": "application/json",
  ...(runtime().versions?.node && { "user-agent": `messaging-service-client/${VERSION}` }),
};
