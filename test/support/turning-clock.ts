// A clock for short timeouts: seconds in which a busy machine lets the process stand still do not count.
import { afterAll, beforeAll, vi } from "vitest";

/** Lets timers and clocks advance by 20 ms with each of 20 real milliseconds in which the event loop turns. */
export const startTurningClock = (): void =>
  void vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ["setTimeout", "clearTimeout", "performance", "Date"],
  });

/** Runs all tests of a file, or of a group, by such a clock. */
export const useTurningClock = (): void => {
  beforeAll(startTurningClock);
  afterAll(() => void vi.useRealTimers());
};

/** Returns a signal that fires after some milliseconds by the same clock, unlike that of `AbortSignal.timeout`. */
export const signalAfter = (ms: number): AbortSignal => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException("late", "TimeoutError")), ms);
  return controller.signal;
};
