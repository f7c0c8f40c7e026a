// Single attempts: what `fetch`, a dispatcher and a throttle receive, and what is known after a failure.
import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchFrom } from "../../src/index.ts";
import { clientsOf, errorOf } from "../support/calls.ts";

const BASE = { baseUrl: "https://app.example.com" };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Returns the options of the dispatch of one call. */
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
  test("a fetch function of the caller receives a URL and options, and nothing else", async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}));
    await clientsOf(BASE, { fetch }).rcs.request({ method: "GET", path: "/a" });
    expect(fetch.mock.calls[0]).toHaveLength(2);
  });

  test("an option that the runtime does not know is left out", async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}));
    await clientsOf(BASE, { fetch }).rcs.request({ method: "GET", path: "/a" });
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ cache: "no-store" });
    vi.stubGlobal("Request", class {});
    await clientsOf(BASE, { fetch }).rcs.request({ method: "GET", path: "/a" });
    expect(fetch.mock.calls[1]?.[1]).not.toHaveProperty("cache");
  });

  test.each([299_999, 1])(
    "the time limits of a dispatcher stay if the timeout is %d ms",
    async (timeout) => {
      expect(await dispatched(timeout)).not.toHaveProperty("headersTimeout");
    },
  );

  test.each([300_000, false] as const)(
    "the time limits of a dispatcher are lifted if the timeout is %j",
    async (timeout) => {
      expect(await dispatched(timeout)).toMatchObject({ headersTimeout: 0, bodyTimeout: 0 });
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

  test("the outcome is not_sent if Node's own fetch threw the error", async () => {
    const { rcs } = clientsOf({ baseUrl: "http://127.0.0.1:6667" }, { retry: 0 });
    const error = await errorOf(rcs.request({ method: "POST", path: "/a", json: {} }));
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
  });

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

  test("a call whose signal has fired does not ask the throttle", async () => {
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

describe("the end of a call", () => {
  test("an error that a framework throws through fetch is reported as an unknown outcome", async () => {
    const thrown = Object.assign(new Error("redirect"), { digest: "NEXT_REDIRECT;replace;/in" });
    const onEvent = vi.fn();
    const fetch = async () => {
      throw thrown;
    };
    const { rcs } = clientsOf(BASE, { fetch, onEvent });
    await expect(rcs.request({ method: "GET", path: "/a" })).rejects.toBe(thrown);
    expect(onEvent.mock.lastCall?.[0]).toMatchObject({
      ...{ type: "failed", code: "connection", outcome: "unknown", attempts: 1 },
    });
  });
});
