import { inspect } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  createThrottle,
  type Throttle,
  type TransactionalClient,
  type V2Client,
} from "../../../src/index.ts";
import { BOTH, type Client, TRANSACTIONAL, V2 } from "./both.ts";

const respond = async () => Response.json({});
const call = (client: Client) => client.request({ method: "GET", path: "/any" });

/** Returns how many of the given number of calls succeed within a second. */
const throughput = async (
  client: V2Client | TransactionalClient,
  calls: number,
): Promise<number> => {
  const controller = new AbortController();
  const { signal } = controller;
  const all = Array.from({ length: calls }, () =>
    client.request({ method: "GET", path: "/any" }, { signal }),
  );
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort();
  const settled = await Promise.allSettled(all);
  return settled.filter(({ status }) => status === "fulfilled").length;
};

describe.each(BOTH)("property throttle of $name", ({ make, options }) => {
  test("a client shows the state of a throttle that it created", async () => {
    const client = make({ ...options, fetch: respond, throttle: { limit: 5, interval: 60_000 } });
    await call(client);
    expect(client.throttle?.snapshot?.()).toMatchObject({ used: 1, remaining: 4, queued: 0 });
  });

  test("client.throttle is the throttle that the client was given, or undefined", () => {
    const throttle = { acquire: async () => {} };
    expect(make({ ...options, throttle }).throttle).toBe(throttle);
    expect(make({ ...options, throttle: false }).throttle).toBeUndefined();
  });

  test("a client shows nothing of a throttle that it was given", () => {
    const throttle = { acquire: async () => {}, store: { password: "hunter2" } };
    const client = make({ ...options, throttle });
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(
      "hunter2",
    );
  });
});

test("the default throttle of a V2Client has the documented limit, and a TransactionalClient has none", () => {
  expect(V2.make(V2.options).throttle?.snapshot?.()).toEqual({
    used: 0,
    remaining: 1200,
    queued: 0,
    nextSlotAt: null,
  });
  expect(TRANSACTIONAL.make(TRANSACTIONAL.options).throttle).toBeUndefined();
});

describe("the option throttle", () => {
  test.each([
    ["V2Client allows 1200 calls an hour by default", V2, {}, 1205, 1200],
    ["V2Client is turned off by false", V2, { throttle: false }, 1205, 1205],
    ["V2Client can set an even pace", V2, { throttle: { limit: 1, interval: 3000 } }, 3, 1],
    ["TransactionalClient is off by default", TRANSACTIONAL, {}, 1205, 1205],
    [
      "TransactionalClient can set a limit",
      TRANSACTIONAL,
      { throttle: { limit: 2, interval: 3000 } },
      5,
      2,
    ],
  ] as const)("the option throttle of a %s", async (_, kind, options, calls, expected) => {
    vi.useFakeTimers();
    try {
      const client = kind.make({ ...kind.options, fetch: respond, ...options });
      expect(await throughput(client, calls)).toBe(expected);
    } finally {
      vi.useRealTimers();
    }
  });

  test("several clients can share a throttle", async () => {
    const throttle = createThrottle({ limit: 5, interval: 3_600_000 });
    const clients = BOTH.map(({ make, options }) => make({ ...options, fetch: respond, throttle }));
    await Promise.all(clients.map(call));
    expect(throttle.snapshot()).toMatchObject({ used: 2, remaining: 3, queued: 0 });
  });

  test("the throttle counts every attempt", async () => {
    const throttle = createThrottle({ limit: 5, interval: 3_600_000 });
    let attempts = 0;
    const fetch = async () => {
      attempts += 1;
      return new Response("{}", { status: attempts < 3 ? 503 : 200 });
    };
    const retry = { backoff: { max: 0 } };
    await call(V2.make({ ...V2.options, fetch, throttle, retry }));
    expect(throttle.snapshot().used).toBe(3);
  });

  test("the throttle does not count a request that breaks a rule", async () => {
    const throttle = createThrottle({ limit: 5, interval: 3_600_000 });
    const client = V2.make({ ...V2.options, fetch: respond, throttle }) as V2Client;
    await expect(client.lists.retrieve(0)).rejects.toThrow("listId");
    expect(throttle.snapshot().used).toBe(0);
  });

  test("a call whose signal has fired asks its throttle for nothing", async () => {
    const throttle = { acquire: vi.fn(), reserve: vi.fn() };
    const client = V2.make({ ...V2.options, fetch: respond, throttle });
    const ended = client.request({ method: "GET", path: "/any" }, { signal: AbortSignal.abort() });
    await expect(ended).rejects.toMatchObject({ code: "abort", outcome: "not_sent", attempts: 0 });
    expect(throttle.reserve).not.toHaveBeenCalled();
    expect(throttle.acquire).not.toHaveBeenCalled();
  });

  test("a slot that is granted after the call was aborted is canceled", async () => {
    const throttle = createThrottle({ limit: 1, interval: 3_600_000 });
    const client = V2.make({ ...V2.options, fetch: respond, throttle });
    const slot = await throttle.reserve();
    const controller = new AbortController();
    const { signal } = controller;
    const ended = client.request({ method: "GET", path: "/any" }, { signal });
    await expect.poll(() => throttle.snapshot().queued).toBe(1);
    slot.cancel();
    controller.abort();
    await expect(ended).rejects.toMatchObject({ code: "abort", outcome: "not_sent", attempts: 0 });
    await expect.poll(() => throttle.snapshot()).toMatchObject({ used: 0, queued: 0 });
  });

  test.each([
    ["aborted", { code: "abort" }],
    ["too late", { code: "timeout", phase: "total" }],
  ] as const)(
    "a call that is %s while it requests a slot ends with its own error, and leaves the throttle",
    async (how, expected) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const controller = new AbortController();
      let leaving: AbortSignal | undefined;
      const throttle: Throttle = {
        acquire: async () => {},
        reserve: (options) => {
          leaving = options?.signal;
          if (how === "aborted") controller.abort();
          else vi.advanceTimersByTime(60);
          return new Promise(() => {});
        },
      };
      const client = V2.make({ ...V2.options, fetch: respond, throttle, totalTimeout: 50 });
      const request = { method: "GET", path: "/any" } as const;
      const ended = client.request(request, { signal: controller.signal });
      await expect(ended).rejects.toMatchObject({ ...expected, outcome: "not_sent", attempts: 0 });
      expect(leaving?.aborted).toBe(true);
    },
  );

  test("a slot is told when its attempt starts, and when it gets a response or ends", async () => {
    const steps: string[] = [];
    const throttle: Throttle = {
      acquire: async () => {},
      reserve: () => ({
        start: () => void steps.push("start"),
        responded: () => void steps.push("responded"),
        cancel: () => void steps.push("cancel"),
      }),
    };
    await call(V2.make({ ...V2.options, fetch: respond, throttle }));
    expect(steps.splice(0)).toEqual(["start", "responded"]);
    const fetch = async () => {
      throw new TypeError("fetch failed");
    };
    const client = V2.make({ ...V2.options, fetch, throttle, retry: 0 });
    await expect(call(client)).rejects.toMatchObject({ code: "connection" });
    expect(steps).toEqual(["start", "cancel"]);
  });

  test("the throttle counts an attempt from its response", async () => {
    vi.useFakeTimers();
    try {
      const throttle = createThrottle({ limit: 1, interval: 3000 });
      const starts: number[] = [];
      const fetch = async () => {
        starts.push(performance.now());
        await new Promise((resolve) => setTimeout(resolve, 200));
        return Response.json({});
      };
      const client = V2.make({ ...V2.options, fetch, throttle });
      const calls = [call(client), call(client)];
      await vi.runAllTimersAsync();
      await Promise.all(calls);
      const [first = 0, second = 0] = starts;
      expect(second - first).toBe(3000 + 3 + 200);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a custom throttle needs only `acquire`, which may be on its prototype", async () => {
    class Own {
      readonly acquired: unknown[] = [];
      async acquire(options: object) {
        this.acquired.push(options);
      }
    }
    const throttle = new Own();
    await call(V2.make({ ...V2.options, fetch: respond, throttle }));
    expect(throttle.acquired).toMatchObject([{ signal: expect.any(AbortSignal) }]);
  });

  test("an error of a custom throttle is the cause of a ThrottleError", async () => {
    const failure = new Error("the store is gone");
    const failing = [
      () => Promise.reject(failure),
      () => {
        throw failure;
      },
    ];
    for (const acquire of failing) {
      const client = V2.make({ ...V2.options, fetch: respond, throttle: { acquire } });
      await expect(call(client)).rejects.toMatchObject({
        code: "throttle",
        reason: "unavailable",
        outcome: "not_sent",
        cause: failure,
      });
    }
  });
});
