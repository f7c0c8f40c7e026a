// What depends on the platform, in Node, Bun and Deno. `imports` of package.json replaces this module by `platform-web.ts` for
// every other platform, so a bundle for browsers or workers holds no dispatcher.

import { runtime } from "../runtime.ts";
import { asFetchAdapter, type FetchAdapter, FetchAttempt } from "./attempt.ts";
import {
  causesOf,
  FetchMistake,
  isRefusal,
  readString,
  StoppedRepeat,
} from "./connection-error.ts";
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

export { adviceOn, isProvenUnsent } from "./connection-proof.ts";
export { dispatchWith } from "./dispatcher.ts";

/** Major versions of undici whose dispatchers and handlers are known. A later Node may call them differently. */
const KNOWN_UNDICI: readonly number[] = [6, 7, 8];

/** Returns whether `globalThis.fetch` is Node's own. A wrapper around it has different source code. */
const isNodeFetch = (): boolean =>
  typeof globalThis.fetch === "function" &&
  Function.prototype.toString.call(globalThis.fetch).includes("internal/deps/undici");

/** Returns the major version of the undici under Node's `fetch`, unless a mock or a tool replaced that: it must see requests. */
const nodeFetchVersion = (): number | undefined => {
  const major = Number.parseInt(runtime().versions?.undici ?? "", 10);
  if (!KNOWN_UNDICI.includes(major) || !isNodeFetch()) return undefined;
  // Node makes its dispatcher when one of the classes of `fetch` is first used.
  void globalThis.Response;
  return major;
};

/** @throws FetchMistake if the application has set one that repeats requests. The attempt takes note of it. */
const processDispatcher = (
  isLegacy: boolean,
  attempt: FetchAttempt,
): DispatcherLike | undefined => {
  const [legacy, current] = [dispatcherAt(LEGACY_KEY), dispatcherAt(KEY)];
  // undici 8 sets both, the first of which only passes requests on.
  if ([legacy, current].some((dispatcher) => dispatcher && isRetryAgent(dispatcher))) {
    const mistake = new FetchMistake(
      "the global dispatcher is a `RetryAgent`, which may send a request twice: pass `fetch: fetchFrom(new Agent())`",
    );
    attempt.failed(mistake);
    throw mistake;
  }
  return isLegacy ? (legacy ?? current) : (current ?? legacy);
};

type Handler = Record<string, ((...args: never[]) => unknown) | undefined>;

/**
 * Attempt of a client. In Node, if `fetch` was replaced, or ky calls it, it stands between `fetch` and the dispatcher. It notes whether
 * the request got a connection: most errors of Node do not name the host, and would otherwise look like the errors of a different
 * request. It also stops repeats of a request that may have been carried out.
 */
export class PlatformAttempt extends FetchAttempt implements DispatcherLike {
  #status: number | undefined;

  get isUnsent(): boolean {
    return !this.isConnected;
  }

  get isMockActive(): boolean | undefined {
    return dispatcherAt(LEGACY_KEY)?.isMockActive || dispatcherAt(KEY)?.isMockActive;
  }

  dispatch(options: object, handler: Handler): unknown {
    const dispatcher = processDispatcher(!handler.onRequestStart, this) as DispatcherLike;
    // A service that has refused a request did nothing. The application may send it again, as with a new token.
    if (isRefusal(this.#status ?? 0)) {
      this.#status = undefined;
      this.isConnected = false;
      this.failed(undefined);
    }
    const isTrusted = isKnown(dispatcher);
    this.#watch(handler, (options as { method?: unknown }).method === "HEAD", isTrusted);
    if (isTrusted) this.phase.work = this;
    return dispatcher.dispatch(this.isUnlimited ? { ...options, ...NO_LIMITS } : options, handler);
  }

  #watch(handler: Handler, isHead: boolean, isTrusted: boolean): void {
    const by = this.isConnected ? "the code around `fetch`" : "the dispatcher";
    /** Runs `note` before a callback, which is left out if it returns `true`. Returns whether there is such a callback. */
    const before = (name: string, note: (...args: never[]) => true | undefined): boolean => {
      const callback = handler[name];
      if (!callback) return false;
      handler[name] = (...args) => note(...args) ?? callback.apply(handler, args);
      return true;
    };
    const start = (abort: (reason: unknown) => void): true | undefined => {
      const isRepeat = this.isConnected;
      this.isConnected = true;
      if (isRepeat) abort(new StoppedRepeat(by, this.#status));
      return isRepeat || undefined;
    };
    const fail = (error: unknown): undefined => {
      if (isTrusted) this.failed(error);
    };
    const respond = (status: number): undefined => {
      this.#status = status;
    };
    /** Bytes that are missing of the told length of the body. `fetch` does not notice it over HTTP/2. */
    let missing = 0;
    const isHeard =
      // The callbacks of undici 7 and 8, or those of undici 6.
      (before("onRequestStart", (control: Controller) => start((why) => control.abort(why))) &&
        before("onResponseStart", (_: unknown, status: number, fields: Fields) => {
          missing = isHead || isWithoutBody(status) ? 0 : lengthOf(fields);
          return respond(status);
        }) &&
        before("onResponseData", (_: unknown, { length }: Uint8Array): undefined => {
          missing -= length;
        }) &&
        before("onResponseEnd", (control: Controller) => {
          if (!(missing > 0)) return undefined;
          handler.onResponseError?.(control as never, cutOffError() as never);
          return true;
        }) &&
        before("onResponseError", (_: unknown, error: unknown) => fail(error))) ||
      (before("onConnect", start) && before("onHeaders", respond) && before("onError", fail));
    // With the callbacks of an unknown undici, nothing is certain.
    if (!isHeard) this.isConnected = true;
  }

  protected override runtimeOptions(): object {
    if ("Bun" in globalThis) return this.isUnlimited ? { timeout: false } : {};
    return (dispatcherAt(LEGACY_KEY) ?? dispatcherAt(KEY)) ? { dispatcher: this } : {};
  }

  override isOwnError(thrown: unknown): boolean {
    if (this.failure !== undefined || !this.isCalled) return super.isOwnError(thrown);
    // Node rejects a blocked port and a foreign signal before it calls the dispatcher. Its error does not name the port.
    const messages = causesOf(thrown).map((cause) => readString(cause, "message"));
    return isNodeFetch() && messages.some((message) => /^bad port$|AbortSignal/.test(message));
  }
}

/**
 * Creates the adapter of a client without the option `fetch`. It makes each attempt by the process's dispatcher, the one under
 * `fetch`: the objects of `fetch` take more processor time than all that a client does.
 */
export const createDefaultAdapter = (): FetchAdapter => {
  const dispatch = createDispatch();
  return asFetchAdapter((url, init, attempt) => {
    const version = attempt && nodeFetchVersion();
    // The `fetch` of undici 7 has the callbacks of undici 6.
    const isLegacy = version !== 8;
    const dispatcher = version && canDecode() && processDispatcher(isLegacy, attempt);
    if (!dispatcher) return (attempt ?? globalThis).fetch(url, init);
    const toHandler = isLegacy ? toLegacyCallbacks : toCallbacks;
    return dispatch(dispatcher, url, init, attempt, toHandler);
  });
};

/** Version of this package, as package.json has it. */
export const VERSION = "0.1.0";

export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  accept: "application/json",
  "content-type": "application/json",
  ...(runtime().versions?.node && { "user-agent": `messaging-service-client/${VERSION}` }),
};
