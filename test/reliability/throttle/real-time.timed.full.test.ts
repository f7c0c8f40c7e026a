// The throttle in real time, with late timers and a busy event loop.
import { describe, expect, test, vi } from "vitest";
import { createThrottle, type WindowThrottle } from "../../../src/index.ts";
import { keepTickBusy } from "../../support/busy-tick.ts";
import { account, clientsOf, sleep } from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

// A busy machine may need much longer than the throttle.
vi.setConfig({ testTimeout: 120_000 });

/** Returns the shortest time in which one more call than the limit started. */
const tightest = (times: readonly number[], limit: number): number => {
  const sorted = [...times].sort((a, b) => a - b);
  const spans = sorted.slice(limit).map((at, index) => at - (sorted[index] as number));
  return spans.reduce((shortest, span) => Math.min(shortest, span), Number.POSITIVE_INFINITY);
};

/** A client whose requests are answered at once, and the times at which they were passed to `fetch`. */
const recordingClient = (throttle: WindowThrottle) => {
  const starts: number[] = [];
  const fetch = async () => {
    starts.push(performance.now());
    return Response.json({});
  };
  const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { throttle, fetch });
  return { starts, call: () => v2.request({ method: "GET", path: "/any" }) };
};

describe("no window of requests passed to fetch exceeds the limit", () => {
  test("no window exceeds the limit even if the tick in which the calls are made stays busy", async () => {
    const { starts, call } = recordingClient(createThrottle({ limit: 5, interval: 100 }));
    await call();
    await sleep(200);
    const calls = Array.from({ length: 10 }, call);
    keepTickBusy(90);
    await Promise.all(calls);
    expect(starts).toHaveLength(11);
    expect(tightest(starts, 5)).toBeGreaterThanOrEqual(100);
  });

  test("no window exceeds the limit even if all ticks are busy", async () => {
    const { starts, call } = recordingClient(createThrottle({ limit: 5, interval: 100 }));
    const timer = setInterval(keepTickBusy, 10, 60);
    await Promise.all(Array.from({ length: 30 }, call));
    clearInterval(timer);
    expect(tightest(starts, 5)).toBeGreaterThanOrEqual(100);
  });

  test("no window exceeds the limit even if 20,000 calls are made at once", async () => {
    const { starts, call } = recordingClient(createThrottle({ limit: 5000, interval: 500 }));
    await Promise.all(Array.from({ length: 20_000 }, call));
    expect(starts).toHaveLength(20_000);
    expect(tightest(starts, 5000)).toBeGreaterThanOrEqual(500);
  });

  test.each([
    { limit: 1, interval: 40, calls: 12, clients: 1 },
    { limit: 5, interval: 150, calls: 30, clients: 1 },
    { limit: 20, interval: 200, calls: 90, clients: 2 },
  ])(
    "no window exceeds the limit even if $calls calls of $clients client(s) share $limit in $interval ms, over sockets",
    async (many) => {
      const { limit, interval } = many;
      await using server = await startLoopback(respond(200, account));
      const throttle = createThrottle({ limit, interval });
      const starts: number[] = [];
      const clients = Array.from(
        { length: many.clients },
        () =>
          clientsOf(server, {
            throttle,
            fetch: (url, init) => {
              starts.push(performance.now());
              return fetch(url, init);
            },
          }).v2,
      );
      const begun = performance.now();
      const calls = Array.from({ length: many.calls }, (_, index) =>
        clients[index % clients.length]?.accounts.me(),
      );
      await Promise.all(calls);
      const tookMs = performance.now() - begun;

      expect(server.requests).toHaveLength(many.calls);
      expect(tightest(starts, limit)).toBeGreaterThanOrEqual(interval);
      // The throttle wastes no time either: an attempt without a response counts for at most a quarter longer.
      const windows = Math.ceil(many.calls / limit) - 1;
      expect(tookMs).toBeLessThan(windows * 1.25 * (interval + 20) + 5000);
    },
  );
});
