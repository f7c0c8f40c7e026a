// A service in a separate process counts the requests that arrive, in a sliding window on its own clock.
import { expect, test, vi } from "vitest";
import { runCaller } from "../../support/servers/window-server.ts";

vi.setConfig({ testTimeout: 240_000 });

test.each([
  { caller: "idle", limit: 120, interval: 3000, calls: 240 },
  { caller: "busy", limit: 120, interval: 3000, calls: 240 },
  { caller: "blocked", limit: 1, interval: 100, calls: 48 },
] as const)(
  "a service that allows $limit requests in any $interval ms refuses none of $calls calls if the caller's event loop is $caller",
  async ({ caller, limit, interval, calls }) => {
    let run = await runCaller(caller, limit, interval, calls);
    // The throttle cannot detect that the service needs more than a quarter of the window for a response.
    const isSlow = () => run.refused > 0 && run.slowestMs > interval / 5;
    for (let again = 0; isSlow() && again < 5; again += 1) {
      run = await runCaller(caller, limit, interval, calls);
    }
    expect(run).toMatchObject({ granted: calls, refused: 0 });
    expect(run.tightestMs).toBeGreaterThanOrEqual(interval);
  },
);
