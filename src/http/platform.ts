// What depends on the platform, in Node, Bun and Deno. `imports` of package.json replaces this module by `platform-web.ts` for
// every other platform, so a bundle for browsers or workers holds no dispatcher.
import {
  createDispatch,
  type DispatcherLike,
  NO_LIMITS,
  repeatError,
  toCallbacks,
  toLegacyCallbacks,
} from "./dispatcher.ts";
import { asFetchAdapter, type FetchAdapter, FetchAttempt } from "./fetch-attempt.ts";

/** Major versions of undici whose dispatchers and handlers are known. A later Node may call them differently. */
const KNOWN_UNDICI: readonly number[] = [6, 7, 8];

/** Key of the process's dispatcher, as undici 6 and 7 set it. */
const LEGACY_KEY = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.1");
/** Key of the process's dispatcher, as undici 8 sets it. */
const KEY = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.2");

interface ProcessDispatcher extends DispatcherLike {
  /** Whether the dispatcher is an active `MockAgent`. */
  readonly isMockActive?: boolean | undefined;
}

/** Returns the process's dispatcher: Node's own, or the one that the application has set. */
const dispatcherAt = (key: symbol): ProcessDispatcher | undefined =>
  (globalThis as { readonly [name: symbol]: ProcessDispatcher | undefined })[key];

/** Returns whether `globalThis.fetch` is Node's own. A wrapper around it has different source code. */
const isNodeFetch = (): boolean =>
  typeof globalThis.fetch === "function" &&
  Function.prototype.toString.call(globalThis.fetch).includes("internal/deps/undici");

const versions = (): { readonly node?: string; readonly undici?: string } =>
  (globalThis as { readonly process?: { readonly versions?: object } }).process?.versions ?? {};

/**
 * Returns the major version of the undici under Node's `fetch`. Returns `undefined` if it is unknown, or if `fetch` is not
 * Node's own: a mock or a tool that has replaced it must see the request.
 */
const nodeFetchVersion = (): number | undefined => {
  const major = Number.parseInt(versions().undici ?? "", 10);
  if (!KNOWN_UNDICI.includes(major) || !isNodeFetch()) return undefined;
  // Node makes its dispatcher when one of the classes of `fetch` is first used.
  void globalThis.Response;
  return major;
};

/** Returns the process's dispatcher for handlers of a version. */
const processDispatcher = (isLegacy: boolean): ProcessDispatcher | undefined =>
  isLegacy
    ? (dispatcherAt(LEGACY_KEY) ?? dispatcherAt(KEY))
    : (dispatcherAt(KEY) ?? dispatcherAt(LEGACY_KEY));

/** Callbacks of a handler that show whether a request got a connection: those of undici 7 and 8, and those of undici 6. */
interface Handler {
  onRequestStart?(controller: { abort(reason: unknown): void }, context: unknown): void;
  onResponseError?(controller: unknown, error: unknown): void;
  onConnect?(abort: (reason: unknown) => void, context: unknown): void;
  onError?(error: unknown): void;
}

/**
 * Attempt of a client.
 *
 * In Node, if `fetch` was replaced, or ky calls it, the attempt stands between `fetch` and the dispatcher. It notes whether the
 * request got a connection: most errors of Node do not name the host, and would otherwise look like the errors of a different
 * request.
 */
export class PlatformAttempt extends FetchAttempt implements ProcessDispatcher {
  get isMockActive(): boolean | undefined {
    return dispatcherAt(LEGACY_KEY)?.isMockActive || dispatcherAt(KEY)?.isMockActive;
  }

  /** Passes a request to the dispatcher that Node's `fetch` would have used. */
  dispatch(options: object, handler: Handler): unknown {
    this.#watch(handler);
    const dispatcher = processDispatcher(handler.onRequestStart === undefined);
    const limits = this.isUnlimited ? NO_LIMITS : {};
    return (dispatcher as DispatcherLike).dispatch({ ...options, ...limits }, handler);
  }

  /** Takes note of a request's start and error. */
  #watch(handler: Handler): void {
    const { onRequestStart, onResponseError, onConnect, onError } = handler;
    if (onRequestStart && onResponseError) {
      handler.onRequestStart = (controller, context) => {
        if (this.isConnected) return controller.abort(repeatError());
        this.connected();
        return onRequestStart.call(handler, controller, context);
      };
      handler.onResponseError = (controller, error) => {
        this.failed(error);
        return onResponseError.call(handler, controller, error);
      };
    } else if (onConnect && onError) {
      handler.onConnect = (abort, context) => {
        if (this.isConnected) return abort(repeatError());
        this.connected();
        return onConnect.call(handler, abort, context);
      };
      handler.onError = (error) => {
        this.failed(error);
        return onError.call(handler, error);
      };
    } else {
      // With the callbacks of an unknown undici, nothing is certain.
      this.connected();
    }
  }

  protected override runtimeOptions(): object {
    const hasDispatcher = !("Bun" in globalThis) && processDispatcher(true);
    return hasDispatcher ? { dispatcher: this } : super.runtimeOptions();
  }

  /** Node rejects a blocked port and a foreign signal before it calls the dispatcher. Its error does not name the port. */
  protected override isRefusal(message: string): boolean {
    return isNodeFetch() && /^bad port$|AbortSignal/.test(message);
  }
}

/**
 * Creates the adapter of a client without the option `fetch`. It makes each attempt by the process's dispatcher, the one under
 * `fetch`: the objects of `fetch` take more processor time than all that a client does.
 */
export const createDefaultAdapter = (): FetchAdapter => {
  const dispatch = createDispatch();
  return asFetchAdapter((url, init, attempt = new PlatformAttempt()) => {
    const version = nodeFetchVersion();
    // The `fetch` of undici 7 has the callbacks of undici 6.
    const isLegacy = version !== 8;
    const dispatcher = version && processDispatcher(isLegacy);
    return dispatcher
      ? dispatch(dispatcher, url, init, attempt, isLegacy ? toLegacyCallbacks : toCallbacks)
      : attempt.fetch(url, init);
  });
};

/** Version of this package, as package.json has it. */
export const VERSION = "0.1.0";

/** Headers of every request. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  accept: "application/json",
  "content-type": "application/json",
  ...(versions().node && { "user-agent": `messaging-service-client/${VERSION}` }),
};
