import { describe, expect, test, vi } from "vitest";
import type { ClientEvent } from "../../../src/index.ts";
import { account, clientsOf, errorOf } from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

/** Returns the pauses that a call with five attempts announces. */
const pausesOf = async (backoff: { initial?: number; max?: number }): Promise<number[]> => {
  const events: ClientEvent[] = [];
  const fetch = async () => new Response("", { status: 503 });
  const onEvent = (event: ClientEvent) => events.push(event);
  const { v2 } = clientsOf(
    { baseUrl: "https://app.example.com" },
    { fetch, onEvent, retry: { limit: 4, backoff } },
  );
  const failed = errorOf(v2.accounts.me());
  await vi.runAllTimersAsync();
  await failed;
  return events.flatMap((event) => (event.type === "retry" ? [event.delayMs] : []));
};

describe("pause before a retry", () => {
  test.each([
    [{}, 0.5, [250, 500, 1000, 2000]],
    [{}, 0.999_999, [499.9995, 999.999, 1999.998, 3999.996]],
    [{ initial: 100 }, 0.1, [10, 20, 40, 80]],
    [{ initial: 4000 }, 0.5, [2000, 4000, 4000, 4000]],
    [{ initial: 100, max: 250 }, 0.5, [50, 100, 125, 125]],
    [{ initial: 100, max: 0 }, 0.5, [0, 0, 0, 0]],
    [{ initial: 0 }, 0.5, [0, 0, 0, 0]],
  ])("pauses with %j and a random value of %d are %j", async (backoff, random, expected) => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(random);
    try {
      const pauses = await pausesOf(backoff);
      expect(pauses).toHaveLength(expected.length);
      for (const [index, ms] of expected.entries()) expect(pauses[index]).toBeCloseTo(ms, 6);
    } finally {
      vi.useRealTimers();
    }
  });

  test("every pause has its own random value", async () => {
    vi.useFakeTimers();
    try {
      const pauses = await pausesOf({ initial: 1000, max: 1000 });
      expect(new Set(pauses).size).toBe(pauses.length);
    } finally {
      vi.useRealTimers();
    }
  });

  test("retries wait for their pauses in real time", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    await using server = await startLoopback(respond(503), respond(503), respond(200, account));
    await clientsOf(server, { retry: { backoff: { initial: 60 } } }).v2.accounts.me();
    const [first = 0, second = 0, third = 0] = server.requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(29);
    expect(third - second).toBeGreaterThanOrEqual(59);
    expect(third - first).toBeLessThan(30_000);
  });

  test("a pause longer than the maximum of a timer lasts its full time", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    await using server = await startLoopback(respond(503));
    const month = 30 * 24 * 3_600_000;
    const { v2 } = clientsOf(server, {
      retry: { backoff: { initial: 2 * month, max: 2 * month } },
    });
    const controller = new AbortController();
    const onEvent = ({ type }: { readonly type: string }) => {
      // A timer that overflows fires at once.
      if (type === "retry") setTimeout(() => controller.abort(), 50);
    };
    const call = errorOf(v2.accounts.me({ signal: controller.signal, onEvent }));
    expect(await call).toMatchObject({ code: "abort", attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });
});
