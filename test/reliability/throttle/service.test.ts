// A service in another process that counts requests as they arrive, in a sliding window on its own clock.
import { expect, test, vi } from "vitest";
import { runCaller } from "../../support/servers/window-server.ts";

vi.setConfig({ testTimeout: 120_000 });

const LIMIT = 120;
const INTERVAL = 3000;
/** For response times above a quarter of the window, the throttle guarantees nothing about arrivals. */
const LONGEST_TRANSIT = INTERVAL / 4;

test.each(["idle", "busy"] as const)(
  "a service that grants 120 requests in any 3 seconds refuses none of the 240 calls of a caller that is %s",
  async (caller) => {
    let run = await runCaller(caller, LIMIT, INTERVAL);
    for (let again = 0; run.slowestMs > LONGEST_TRANSIT && again < 5; again += 1) {
      run = await runCaller(caller, LIMIT, INTERVAL);
    }
    expect(run).toMatchObject({ granted: 2 * LIMIT, refused: 0 });
    expect(run.tightestMs).toBeGreaterThanOrEqual(INTERVAL);
  },
);
