// The throttle in real time, where timers are late and early, against a server that counts arrivals.
import { describe, expect, test } from "vitest";
import { createThrottle } from "../../src/index.ts";
import { account, clientsOf } from "../support/calls.ts";
import { answer, startLoopback } from "../support/loopback.ts";

/** The shortest time in which one more than the limit came. */
const tightest = (times: readonly number[], limit: number): number => {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.min(...sorted.slice(limit).map((at, index) => at - (sorted[index] as number)));
};

describe("a server that counts", () => {
  test.each([
    { limit: 1, interval: 40, calls: 12, clients: 1 },
    { limit: 5, interval: 150, calls: 30, clients: 1 },
    { limit: 20, interval: 200, calls: 90, clients: 2 },
  ])("$calls calls of $clients, $limit in $interval ms", async ({ limit, interval, ...many }) => {
    await using server = await startLoopback(answer(200, account));
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
    // A slot and the `fetch` it is for lie in one turn of the event loop, which a busy machine may make longer
    // for the first than for the last. A throttle that is wrong lets the next window come at once.
    const JITTER = interval / 2;
    expect(tightest(starts, limit)).toBeGreaterThanOrEqual(interval - JITTER);
    // On its way a request may be late by any time, the first more than the others: it opens the connection.
    // Over all of them the server sees what was promised.
    const windows = Math.ceil(many.calls / limit) - 1;
    const arrivals = server.requests.map(({ at }) => at);
    const [first = 0] = starts;
    expect(Math.max(...arrivals) - first).toBeGreaterThanOrEqual(windows * interval - JITTER);
    for (const window of Array.from({ length: windows + 1 }, (_, index) => index)) {
      const until = first + (window + 1) * interval - JITTER;
      const arrived = arrivals.filter((at) => at < until).length;
      expect(arrived).toBeLessThanOrEqual((window + 1) * limit);
    }
    // Nor does it dawdle.
    expect(tookMs).toBeLessThan(windows * (interval + 20) + 5000);
  });
});
