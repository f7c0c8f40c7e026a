// Single attempts: the arguments of `fetch`, of a dispatcher and of a throttle, and the outcome after a failure.
import ky from "ky";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { FetchLike } from "../../../src/core/transport/transport.ts";
import { fetchFrom } from "../../../src/index.ts";
import { clientsOf, errorOf, message } from "../../support/calls.ts";

const BASE = { baseUrl: "https://app.example.com" };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Returns the options that a call passes to `dispatch`. */
const dispatched = async (timeout: number | false) => {
  const dispatch = vi.fn((_: object, handler: object) => {
    (handler as { onError(error: Error): void }).onError(new Error("no"));
    return true;
  });
  const { rcs } = clientsOf(BASE, { fetch: fetchFrom({ dispatch }), timeout, retry: 0 });
  await errorOf(rcs.request({ method: "GET", path: "/a" }));
  return dispatch.mock.calls[0]?.[0];
};

describe("what an attempt receives", () => {
  test("a fetch function of the caller receives a URL and options, without `this`, a cache or redirects", async () => {
    const calls: unknown[][] = [];
    async function fetch(this: unknown, ...given: unknown[]) {
      calls.push([this, ...given]);
      return Response.json({});
    }
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com/prefix" }, { fetch });
    await v2.request({ method: "GET", path: "/a" });
    expect(calls).toEqual([
      [
        undefined,
        "https://app.example.com/prefix/a",
        expect.objectContaining({ method: "GET", redirect: "manual", cache: "no-store" }),
      ],
    ]);
    expect(calls[0]?.[2]).toMatchObject({ signal: expect.any(AbortSignal) });
    expect(calls[0]?.[2]).not.toHaveProperty("body");
  });

  test("the body is a string, and in Deno a Blob, which it never sends again", async () => {
    const bodies: unknown[] = [];
    const fetch: FetchLike = async (_, { body }) => {
      bodies.push(body);
      return Response.json({});
    };
    vi.stubGlobal("fetch", fetch);
    const { rcs } = clientsOf(BASE);
    const request = { method: "POST", path: "/a", json: { a: 1 } } as const;
    await rcs.request(request);
    vi.stubGlobal("Deno", {});
    await rcs.request(request);
    expect(bodies).toEqual(['{"a":1}', expect.any(Blob)]);
    expect(await (bodies[1] as Blob).text()).toBe('{"a":1}');
  });

  test("in Deno, the dispatcher of a package that loads undici proves nothing, because fetch ignores it", async () => {
    // Node sets the dispatcher when it first creates a response.
    Response.json({});
    const lazyFetch = vi.fn(async (..._: unknown[]): Promise<Response> => {
      throw new TypeError("error sending request for url (https://app.example.com/a)");
    });
    vi.stubGlobal("Deno", {});
    vi.stubGlobal("process", { ...process, versions: { node: "26.3.0" } });
    // Deno's own `fetch` has such source code.
    vi.stubGlobal("fetch", (...given: unknown[]) => lazyFetch(...given));
    const { outcome } = await errorOf(clientsOf(BASE).rcs.sendRcsText(message));
    expect([outcome, lazyFetch.mock.calls.length]).toEqual(["unknown", 1]);
    expect(lazyFetch.mock.calls[0]?.[1]).not.toHaveProperty("dispatcher");
  });

  test("an option that the runtime does not know is omitted", async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}));
    await clientsOf(BASE, { fetch }).rcs.request({ method: "GET", path: "/a" });
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ cache: "no-store" });
    vi.stubGlobal("Request", class {});
    await clientsOf(BASE, { fetch }).rcs.request({ method: "GET", path: "/a" });
    expect(fetch.mock.calls[1]?.[1]).not.toHaveProperty("cache");
  });

  test.each([
    [1, undefined],
    [299_999, undefined],
    [300_000, 0],
    [false, 0],
  ] as const)(
    "with the timeout %j, the time limits of a dispatcher are %j",
    async (timeout, ms) => {
      const options = (await dispatched(timeout)) as {
        headersTimeout?: number;
        bodyTimeout?: number;
      };
      expect([options.headersTimeout, options.bodyTimeout]).toEqual([ms, ms]);
    },
  );

  test.each([
    [30_000, undefined],
    [300_000, false],
  ])("Bun's own limit is lifted if the timeout is not shorter: %d ms", async (timeout, limit) => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}));
    vi.stubGlobal("fetch", fetch);
    vi.stubGlobal("Bun", {});
    await clientsOf(BASE, { timeout }).rcs.request({ method: "GET", path: "/a" });
    const init: object = { ...fetch.mock.calls[0]?.[1] };
    expect(init).toHaveProperty("cache", "no-store");
    expect("timeout" in init ? init.timeout : undefined).toBe(limit);
    expect(init).not.toHaveProperty("dispatcher");
  });
});

describe("an error that looks like a blocked port", () => {
  const badPort = new TypeError("fetch failed", { cause: new Error("bad port") });

  test.each([
    ["a replacement of globalThis.fetch", undefined],
    [
      "a dispatcher",
      fetchFrom({
        dispatch: () => {
          throw new Error("bad port");
        },
      }),
    ],
    ["ky", fetchFrom(ky.create({ fetch: () => Promise.reject(badPort) }))],
  ])("the outcome is unknown if %s threw the error", async (_, fetch) => {
    vi.stubGlobal("fetch", async () => {
      throw badPort;
    });
    const { rcs } = clientsOf(BASE, { fetch });
    const error = await errorOf(rcs.request({ method: "POST", path: "/a", json: {} }));
    expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
  });
});

describe("a call and its throttle", () => {
  const fetch = async () => Response.json({});
  const request = { method: "GET", path: "/a" } as const;

  test("a call whose signal has fired does not use the throttle", async () => {
    const throttle = { acquire: async () => {}, reserve: vi.fn() };
    const { v2 } = clientsOf(BASE, { fetch, throttle });
    const error = await errorOf(v2.request(request, { signal: AbortSignal.abort() }));
    expect(error.message).toBe("GET /a: aborted");
    expect(throttle.reserve).not.toHaveBeenCalled();
  });

  test("a call that is aborted once it has its slot gives the slot back", async () => {
    const controller = new AbortController();
    const slot = { start: vi.fn(), cancel: vi.fn() };
    const reserve = () => {
      controller.abort();
      return slot;
    };
    const { v2 } = clientsOf(BASE, { fetch, throttle: { acquire: async () => {}, reserve } });
    const error = await errorOf(v2.request(request, { signal: controller.signal }));
    expect(error).toMatchObject({ code: "abort", outcome: "not_sent", attempts: 0 });
    expect([slot.start.mock.calls.length, slot.cancel.mock.calls.length]).toEqual([0, 1]);
  });

  test("a throttle that reserves no slot is named in the error", async () => {
    const throttle = { acquire: async () => {}, reserve: async () => ({}) as never };
    const { v2 } = clientsOf(BASE, { fetch, throttle });
    const error = await errorOf(v2.request(request));
    expect(error).toMatchObject({
      code: "throttle",
      reason: "unavailable",
      cause: { message: "throttle.reserve() must return a slot" },
    });
  });

  test.each([
    [0, []],
    [20, ["throttled"]],
  ])("a call that waits %d ms for its slot emits the events %j", async (ms, expected) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const types: string[] = [];
    const onEvent = ({ type }: { type: string }) => void types.push(type);
    const reserve = async () => {
      vi.advanceTimersByTime(ms);
      return { start() {}, cancel() {} };
    };
    const throttle = { acquire: async () => {}, reserve };
    await clientsOf(BASE, { fetch, throttle, onEvent }).v2.request(request);
    expect(types.filter((type) => type === "throttled")).toEqual(expected);
  });
});

describe("control-flow errors of frameworks", () => {
  const redirect = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;/login" });
  const named = Object.assign(new Error("x"), { name: "NetworkError", digest: "D" });

  test.each([
    ["an error", redirect],
    ["an error named NetworkError", named],
    ["a plain object", { digest: "BAILOUT" }],
    [
      "a TypeError that looks like a network error",
      Object.assign(new TypeError("fetch failed"), { digest: "DYNAMIC_SERVER_USAGE" }),
    ],
  ])(
    "%s with a digest passes through unchanged, is not retried, and is reported as an unknown outcome",
    async (_, thrown) => {
      const fetch = vi.fn(() => Promise.reject(thrown));
      const onEvent = vi.fn();
      const { v2 } = clientsOf(BASE, { fetch, onEvent });
      await expect(v2.accounts.me()).rejects.toBe(thrown);
      await expect(v2.accounts.me().withResponse()).rejects.toBe(thrown);
      expect(fetch).toHaveBeenCalledTimes(2);
      expect(onEvent.mock.lastCall?.[0]).toMatchObject({
        ...{ type: "failed", code: "connection", outcome: "unknown", attempts: 1 },
      });
    },
  );

  test("an error whose digest is not a string, thrown at once, becomes a ConnectionError", async () => {
    const fetch = vi.fn(() => {
      throw Object.assign(new Error("at once"), { digest: 5 });
    });
    const error = await errorOf(clientsOf(BASE, { fetch }).v2.accounts.me());
    expect(error).toMatchObject({ code: "connection", cause: { message: "at once" } });
    expect(fetch).toHaveBeenCalledTimes(3);
  });
});
