// A clock for short timeouts. It does not count the time in which a busy machine does not run the process.
import { afterAll, beforeAll, vi } from "vitest";

/** Advances timers and clocks by 20 ms whenever 20 ms have passed and the event loop turns. */
export const startTurningClock = (): void =>
  void vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ["setTimeout", "clearTimeout", "performance", "Date"],
  });

/** Runs all tests of a file, or of a group, on this clock. */
export const useTurningClock = (): void => {
  beforeAll(startTurningClock);
  afterAll(() => void vi.useRealTimers());
};

/** Returns a signal that aborts after some milliseconds on this clock, unlike the signal of `AbortSignal.timeout`. */
export const signalAfter = (ms: number): AbortSignal => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException("late", "TimeoutError")), ms);
  return controller.signal;
};
