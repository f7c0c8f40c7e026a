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
  // `performance.now()` ignores the fake 50 seconds, so this timer fires second.
  clock.setTimer(begun + 60_000, see);
  await vi.advanceTimersByTimeAsync(100_000);
  vi.useRealTimers();
  expect(seen).toEqual([100, 100]);
});

test("a clock under fake timers adds the time that has really passed to what its timer shows", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const clock = new Clock();
  let notedAt = Infinity;
  let waitedMs = 0;
  clock.setTimer(clock.now() + 100_000, () => {
    waitedMs = clock.now() - notedAt;
  });
  const until = performance.now() + 20;
  while (performance.now() < until);
  notedAt = clock.now();
  await vi.advanceTimersByTimeAsync(100_000);
  vi.useRealTimers();
  // The time was noted after the timer was set, so all of the fake time has passed since.
  expect(waitedMs).toBeGreaterThanOrEqual(100_000);
});
