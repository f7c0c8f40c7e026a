// The ways in which an attempt can reach the network, for tests that must pass with each of them.
import ky from "ky";
import { type ClientEvent, type FetchLike, fetchFrom } from "../../src/index.ts";
import { traced } from "../../src/opentelemetry/index.ts";

/** Options of a client that decide how its attempts reach the network. */
export interface Carrying {
  readonly fetch: FetchLike | undefined;
  readonly onEvent?: (event: ClientEvent) => unknown;
}

export interface Carrier extends Carrying {
  readonly carrier: string;
  /**
   * Returns the same carrier, in which the application's own code runs right after each response. For `fetch`, that code is
   * a patch of `globalThis.fetch`.
   */
  readonly followedBy: (after: () => unknown) => Carrying & Disposable;
}

/** Hooks of every type, which change nothing, or turn on what `fetchFrom` must turn off. */
const hooks = {
  init: [(options: object) => void Object.assign(options, { redirect: "follow" })],
  beforeRequest: [() => {}],
  afterResponse: [() => {}],
  beforeError: [({ error }: { error: Error }) => new Error("told otherwise", { cause: error })],
};
// Turns on everything else that `fetchFrom` must turn off.
const instance = ky.extend({ hooks, retry: 5, timeout: 50, totalTimeout: 60 });

/** Wraps `globalThis.fetch` like an application that logs or measures its requests. */
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

/** Ends a carrier that has nothing to end. */
const NOTHING: Disposable = { [Symbol.dispose]() {} };

/** The runtime's own `fetch`, and `fetchFrom`. */
export const CARRIERS: readonly Carrier[] = [
  {
    carrier: "fetch",
    fetch: undefined,
    followedBy(after) {
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
    },
  },
  {
    carrier: "an application's ky",
    fetch: fetchFrom(instance),
    followedBy: (after) => {
      const afterResponse = [async () => void (await after())];
      return { ...NOTHING, fetch: fetchFrom(instance.extend({ hooks: { afterResponse } })) };
    },
  },
];

/** All carriers: also a function around `fetch`, and `traced` around `fetch` and around ky. */
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
