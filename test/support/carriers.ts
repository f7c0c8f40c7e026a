// The ways in which an attempt can reach the network, for tests that must pass with each of them.
import ky from "ky";
import { Agent } from "undici";
import { asFetchAdapter } from "../../src/core/transport/attempt.ts";
import type { DispatcherLike } from "../../src/core/transport/dispatcher.ts";
import { createDefaultAdapter } from "../../src/core/transport/platform.ts";
import type { FetchLike } from "../../src/core/transport/transport.ts";
import { type ClientEvent, fetchFrom } from "../../src/index.ts";
import { traced } from "../../src/opentelemetry/index.ts";
import { REFUSED_URL } from "./servers/loopback.ts";

/** Makes the timer of each copy of undici, as real-timers.ts does for Node's. `undici.request` could use another copy's agent. */
export const makeTimers = (agents: readonly (typeof Agent)[]) => {
  const refused = { origin: REFUSED_URL, path: "/", method: "GET" } as const;
  return Promise.allSettled(agents.map((Version) => new Version().request(refused)));
};
await makeTimers([Agent]);

/** Options of a client that decide how its attempts reach the network. */
export interface Carrying {
  readonly fetch: FetchLike | undefined;
  readonly onEvent?: (event: ClientEvent) => unknown;
}

export interface Carrier extends Carrying {
  readonly carrier: string;
  /**
   * Returns the same carrier with the application's own code run right after each response. For `fetch`, this code is a
   * patch of `globalThis.fetch`.
   */
  readonly followedBy: (after: () => unknown) => Carrying & Disposable;
}

/** Hooks of every type. They change nothing, or turn on what `fetchFrom` must turn off. */
const hooks = {
  init: [(options: object) => void Object.assign(options, { redirect: "follow" })],
  beforeRequest: [() => {}],
  afterResponse: [() => {}],
  beforeError: [({ error }: { error: Error }) => new Error("told otherwise", { cause: error })],
};
// Turns on everything else that `fetchFrom` must turn off.
const instance = ky.extend({ hooks, retry: 5, timeout: 50, totalTimeout: 60 });

/** Wraps `globalThis.fetch` as an application does that logs or measures its requests. */
const wrapped =
  (after: () => unknown = () => {}): FetchLike =>
  async (url, init) => {
    const response = await fetch(url, init);
    await after();
    return response;
  };

const span = {
  spanContext: () => ({ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }),
  ...{ setAttributes() {}, setStatus() {}, end() {} },
};
const tracer = { startSpan: () => span as never };

/** Disposes of a carrier that has no resources. */
const NOTHING: Disposable = { [Symbol.dispose]() {} };

/** Callbacks of undici 7 and 8, and of undici 6. */
const CALLBACKS = [
  ...["onRequestStart", "onResponseStart", "onResponseData", "onResponseError"],
  ...["onConnect", "onHeaders", "onData", "onError"],
];
type Handler = Record<string, (...args: unknown[]) => unknown>;

/** Wraps a dispatcher in an interceptor that runs the application's own code right after each response. */
const intercept = (dispatcher: DispatcherLike, after: () => unknown): DispatcherLike => ({
  dispatch(options, handler) {
    const relay: Handler = {};
    const from = handler as Handler;
    for (const name of CALLBACKS) relay[name] = (...args) => from[name]?.(...args);
    const runAfter = (end: string, fail: string) => {
      relay[end] = (...args) =>
        void (async () => after())().then(
          () => from[end]?.(...args),
          (error) => from[fail]?.(...args.slice(0, -1), error),
        );
    };
    runAfter("onResponseEnd", "onResponseError");
    runAfter("onComplete", "onError");
    return dispatcher.dispatch(options, relay);
  },
});

/** Creates the carrier for a dispatcher of undici. */
export const dispatching = (carrier: string, dispatcher: DispatcherLike): Carrier => ({
  carrier,
  fetch: fetchFrom(dispatcher),
  followedBy: (after) => ({ ...NOTHING, fetch: fetchFrom(intercept(dispatcher, after)) }),
});

/** Replaces `globalThis.fetch` with a function that runs the application's own code right after each response. */
const patchFetch = (after: () => unknown): Carrying & Disposable => {
  const original = globalThis.fetch;
  globalThis.fetch = async (...args) => {
    const response = await original(...args);
    await after();
    return response;
  };
  return {
    fetch: undefined,
    [Symbol.dispose]() {
      globalThis.fetch = original;
    },
  };
};

const byDefault = createDefaultAdapter();

/** Makes attempts as a client does without the option `fetch`, and replaces `globalThis.fetch` while each attempt starts. */
export const overPatchedFetch: FetchLike = asFetchAdapter((url, init, attempt) => {
  const original = globalThis.fetch;
  globalThis.fetch = (...args) => original(...args);
  try {
    return byDefault(url, init, attempt);
  } finally {
    globalThis.fetch = original;
  }
});

/** Makes attempts as a client without the option `fetch` does if it cannot avoid Node's own `fetch`. */
export const overNodeFetch: FetchLike = asFetchAdapter((url, init, attempt) =>
  attempt ? attempt.fetch(url, { ...init, signal: attempt.signal }) : fetch(url, init),
);

/** The carrier of a client without the option `fetch`. */
export const DEFAULT_CARRIER: Carrier = {
  carrier: "the default",
  fetch: undefined,
  followedBy: patchFetch,
};

/** The carriers of a client without the option `fetch`, with and without a replaced `globalThis.fetch`, and `fetchFrom`. */
export const CARRIERS: readonly Carrier[] = [
  DEFAULT_CARRIER,
  {
    carrier: "the default over a patched fetch",
    fetch: overPatchedFetch,
    followedBy: patchFetch,
  },
  {
    carrier: "an application's ky",
    fetch: fetchFrom(instance),
    followedBy: (after) => {
      const afterResponse = [async () => void (await after())];
      return { ...NOTHING, fetch: fetchFrom(instance.extend({ hooks: { afterResponse } })) };
    },
  },
  dispatching("a dispatcher", new Agent()),
];

/** All carriers, with a function around `fetch` and with `traced` around each carrier. */
export const ALL_CARRIERS: readonly Carrier[] = [
  ...CARRIERS,
  {
    carrier: "a wrapper around fetch",
    fetch: wrapped(),
    followedBy: (after) => ({ ...NOTHING, fetch: wrapped(after) }),
  },
  ...CARRIERS.map(({ carrier, fetch, followedBy }) => ({
    carrier: `traced, around ${carrier}`,
    ...traced({ tracer, fetch }),
    followedBy: (after: () => unknown) => {
      const { fetch: inner, ...disposable } = followedBy(after);
      return { ...disposable, ...traced({ tracer, fetch: inner }) };
    },
  })),
  {
    carrier: "traced, around a wrapper",
    ...traced({ tracer, fetch: wrapped() }),
    followedBy: (after) => ({ ...NOTHING, ...traced({ tracer, fetch: wrapped(after) }) }),
  },
];
