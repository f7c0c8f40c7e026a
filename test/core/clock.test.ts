import { expect, test, vi } from "vitest";
import { Clock } from "../../src/core/clock.ts";

test("a clock under fake timers never goes back if performance.now() is real", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const clock = new Clock();
  const begun = clock.now();
  const seen: number[] = [];
  const see = () => void seen.push(Math.floor((clock.now() - begun) / 1_000));
  clock.setTimer(begun + 100_000, see);
  await vi.advanceTimersByTimeAsync(50_000);
  // The clock stood still meanwhile, so this timer fires as the second.
  clock.setTimer(begun + 60_000, see);
  await vi.advanceTimersByTimeAsync(100_000);
  vi.useRealTimers();
  expect(seen).toEqual([100, 100]);
});
