import { describe, expect, test, vi } from "vitest";
import { createThrottle, type TransactionalClient, type V2Client } from "../../src/index.ts";
import { BOTH, type Client, TRANSACTIONAL, V2 } from "./both.ts";

const answer = async () => Response.json({});
const call = (client: Client) => client.request({ method: "GET", path: "/any" });

/** How many of some calls are let through within a moment. */
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

describe("the throttle", () => {
  test.each([
    ["V2Client: 1200 an hour", V2, {}, 1205, 1200],
    ["V2Client: none", V2, { throttle: false }, 1205, 1205],
    ["V2Client: an even pace", V2, { throttle: { limit: 1, interval: 3000 } }, 3, 1],
    ["TransactionalClient: none", TRANSACTIONAL, {}, 1205, 1205],
    [
      "TransactionalClient: its own",
      TRANSACTIONAL,
      { throttle: { limit: 2, interval: 3000 } },
      5,
      2,
    ],
  ] as const)("of a %s", async (_, kind, options, calls, expected) => {
    vi.useFakeTimers();
    try {
      const client = kind.make({ ...kind.options, fetch: answer, ...options });
      expect(await throughput(client, calls)).toBe(expected);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is shared by the clients that are given the same", async () => {
    const throttle = createThrottle({ limit: 5, interval: 3_600_000 });
    const clients = BOTH.map(({ make, options }) => make({ ...options, fetch: answer, throttle }));
    await Promise.all(clients.map(call));
    expect(throttle.snapshot()).toMatchObject({ used: 2, remaining: 3, queued: 0 });
  });

  test("takes a slot for every attempt", async () => {
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

  test("takes none for a request that breaks a rule", async () => {
    const throttle = createThrottle({ limit: 5, interval: 3_600_000 });
    const client = V2.make({ ...V2.options, fetch: answer, throttle }) as V2Client;
    await expect(client.lists.retrieve(0)).rejects.toThrow("listId");
    expect(throttle.snapshot().used).toBe(0);
  });

  test("of the caller's own needs `acquire` alone, which may be on a prototype", async () => {
    class Own {
      readonly acquired: unknown[] = [];
      async acquire(options: object) {
        this.acquired.push(options);
      }
    }
    const throttle = new Own();
    await call(V2.make({ ...V2.options, fetch: answer, throttle }));
    expect(throttle.acquired).toMatchObject([{ signal: expect.any(AbortSignal) }]);
  });

  test("of the caller's own may fail, also at once", async () => {
    const failure = new Error("the store is gone");
    const failing = [
      () => Promise.reject(failure),
      () => {
        throw failure;
      },
    ];
    for (const acquire of failing) {
      const client = V2.make({ ...V2.options, fetch: answer, throttle: { acquire } });
      await expect(call(client)).rejects.toMatchObject({
        code: "throttle",
        reason: "unavailable",
        outcome: "not_sent",
        cause: failure,
      });
    }
  });
});
