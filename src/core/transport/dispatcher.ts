import { invalidOption } from "../options.ts";
import type { ResponseHead } from "../responses/fetched-response.ts";
import { asFetchAdapter, type FetchAdapter, type FetchAttempt } from "./attempt.ts";
import { StoppedRepeat } from "./connection-error.ts";
import { DispatchedRequest, toCallbacks, toLegacyCallbacks } from "./dispatched-request.ts";
import { canDecode } from "./dispatched-response.ts";

/** Part of an undici dispatcher (version 6, 7 or 8) that {@link fetchFrom} uses. */
export interface DispatcherLike {
  /** Makes one request and reports its progress to a handler. */
  dispatch(options: object, handler: object): unknown;
  /** Whether the dispatcher is an active `MockAgent`. */
  readonly isMockActive?: boolean | undefined;
}

export const NO_LIMITS = /* @__PURE__ */ Object.freeze({ headersTimeout: 0, bodyTimeout: 0 });

const KNOWN = /^((\w*Proxy|Mock|Snapshot)?Agent|(H2C)?Client|(Balanced|RoundRobin)?Pool)$/;

/** Keys of the global dispatcher: {@link LEGACY_KEY} for undici 6 and 7, {@link KEY} for undici 8. */
export const LEGACY_KEY = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.1");
export const KEY = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.2");

export const dispatcherAt = (key: symbol): DispatcherLike | undefined =>
  Reflect.get(globalThis, key);

const nameOf = (dispatcher: DispatcherLike): string => dispatcher.constructor?.name;

/**
 * Returns whether a dispatcher is undici's own, and so reports when it writes a request, as undici documents. A class of the
 * application or an interceptor may report this late or never. A composed dispatcher is a proxy of its original class, so the
 * name alone is not enough. The `dispatch` method must also be the one that undici defines: only some of its classes define
 * `dispatch` themselves. Mocks of a pool or a client define it on each instance, and are recognized by their names. The options
 * `factory` and (in undici 6) `interceptors` may put anything into an agent or a pool.
 */
export const isKnown = (dispatcher: DispatcherLike): boolean => {
  // If undici 8 was loaded first, the dispatcher for older versions only forwards requests.
  const isWrapper = nameOf(dispatcher) === "Dispatcher1Wrapper";
  const worker = (isWrapper && dispatcherAt(KEY)) || dispatcher;
  const name = nameOf(worker);
  const base = Object.getPrototypeOf(worker);
  if (worker.isMockActive === true || /^Mock(Client|Pool)$/.test(name)) return true;
  const isChanged = Object.getOwnPropertySymbols(worker).some((key) => {
    if (key.description === "factory") return Reflect.get(worker, key)?.name !== "defaultFactory";
    return key.description === "options" && Reflect.get(worker, key)?.interceptors;
  });
  if (isChanged || !KNOWN.test(name) || worker.dispatch !== base.dispatch) return false;
  if (isRetryAgent(Object.getPrototypeOf(base))) return false;
  return Object.hasOwn(base, "dispatch") === /^(Proxy|Mock|Snapshot)Agent$/.test(name);
};

/** Returns whether a dispatcher is a `RetryAgent`, which would repeat a request without the client's knowledge. */
export const isRetryAgent = (dispatcher: DispatcherLike): boolean =>
  /^retry/i.test(nameOf(dispatcher));

/** Creates a body that can be sent only once, whatever a dispatcher does after a failed request. */
const toSingleUseBody = (body: string | Blob, attempt: FetchAttempt | undefined) => {
  const blob = new Blob([body]);
  let isUsed = false;
  return {
    size: String(blob.size),
    async *[Symbol.asyncIterator]() {
      if (isUsed) throw new StoppedRepeat("the dispatcher");
      isUsed = true;
      if (attempt) attempt.progress = "written";
      yield new Uint8Array(await blob.arrayBuffer());
    },
  };
};

const NO_REPEATS = {
  maxRedirections: 0,
  retryOptions: {
    statusCodes: [],
    retry: (error: unknown, _context: unknown, done: (error: unknown) => void) => done(error),
  },
} as const;

type HeaderRecord = Readonly<Record<string, string>>;

const toHeaders = (headers: RequestInit["headers"]): HeaderRecord => ({
  "accept-encoding": canDecode() ? "gzip" : "identity",
  "user-agent": "undici",
  pragma: "no-cache",
  "cache-control": "no-cache",
  ...(headers as HeaderRecord),
});

interface Target {
  readonly url: string;
  readonly origin: string;
  readonly path: string;
}

/** Matches a path and a query that URL parsing does not change, because they have no dot segments and nothing to escape. */
const NORMAL = /^(?:\/[\w~-][\w.~%-]*)+\/?(?:\?[\w.~%=&*+-]+)?$/;

/** Returns the parts of a URL. All calls of a client have the same origin, and comparing it is faster than parsing the URL. */
const toTarget = (url: string, known: Target | undefined): Target => {
  if (known && url.startsWith(known.origin)) {
    const { origin } = known;
    const path = url.slice(origin.length);
    if (NORMAL.test(path)) return { url, origin, path };
  }
  const { origin, pathname, search } = new URL(url);
  return { url, origin, path: pathname + search };
};

type Dispatch = (
  dispatcher: DispatcherLike,
  url: string,
  init: RequestInit,
  attempt: FetchAttempt | undefined,
  toHandler: (request: DispatchedRequest) => object,
) => Promise<Response>;

export const createDispatch = (): Dispatch => {
  // All sends have the same URL, and most calls of a client have the same headers, so the last of both are kept.
  let target: Target | undefined;
  let known: { readonly given: unknown; readonly merged: HeaderRecord } | undefined;
  return (dispatcher, url, init, attempt, toHandler) =>
    new Promise((resolve: (response: Response) => void, reject) => {
      const { headers, body } = init;
      const isTrusted = isKnown(dispatcher);
      const isGiven = typeof body === "string" || body instanceof Blob;
      const singleUse = isTrusted || !isGiven ? undefined : toSingleUseBody(body, attempt);
      if (attempt?.hasEnded) throw attempt.signal.reason;
      if (init.signal?.aborted) throw init.signal.reason;
      if (url !== target?.url) target = toTarget(url, target);
      // A client passes an object with lowercase names, and passes the same object for most of its calls.
      const isOwn = attempt !== undefined && !(headers instanceof Headers);
      if (isOwn && headers !== known?.given) {
        known = { given: headers, merged: toHeaders(headers) };
      }
      const merged =
        isOwn && known ? known.merged : toHeaders(Object.fromEntries(new Headers(headers)));
      const request = new DispatchedRequest({
        url,
        init,
        attempt,
        // A client receives only a head, which `toWhole` can convert to a `Response`.
        resolve: resolve as (response: ResponseHead) => void,
        reject,
      });
      if (attempt) {
        if (!isTrusted) attempt.handOver(init);
        attempt.work = request;
      } else init.signal?.addEventListener("abort", request);
      try {
        dispatcher.dispatch(
          {
            ...NO_REPEATS,
            origin: target.origin,
            path: target.path,
            method: init.method ?? "GET",
            // Copied for each request, because a dispatcher such as a `ProxyAgent` may add headers.
            headers: singleUse ? { ...merged, "content-length": singleUse.size } : { ...merged },
            body: singleUse ?? body,
            ...(!attempt || attempt.isUnlimited ? NO_LIMITS : {}),
          },
          toHandler(request),
        );
      } catch (thrown) {
        request.failWith(thrown);
      }
    });
};

/** @throws TypeError if the dispatcher is known to repeat requests. */
export const dispatchWith = (dispatcher: DispatcherLike): FetchAdapter => {
  if (isRetryAgent(dispatcher)) {
    throw invalidOption("source", "a dispatcher that does not retry");
  }
  const dispatch = createDispatch();
  // The version of undici is not known, so the handler has the callbacks of all versions.
  const toHandler = (request: DispatchedRequest) => ({
    ...toCallbacks(request),
    ...toLegacyCallbacks(request),
  });
  return asFetchAdapter((url, init, attempt) =>
    dispatch(dispatcher, url, init, attempt, toHandler),
  );
};
