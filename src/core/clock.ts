import { startTimer } from "./wait-for.ts";

/**
 * Clock of a throttle or of a call, in milliseconds, with its timers. It is monotonic: a correction of the system clock neither
 * ends a wait nor extends one.
 *
 * The clock shows `performance.now()`, but never less than what its timers have shown. Fake timers may fire while
 * `performance.now()` stays real: a wait is over when its own timer has fired.
 */
export class Clock {
  #reached = -Infinity;

  now(): number {
    return Math.max(performance.now(), this.#reached);
  }

  /** Calls back at a time of this clock. Returns a function that cancels this. `isIdle` is as for {@link startTimer}. */
  setTimer(at: number, onTime: () => void, isIdle = false): () => void {
    const setAt = performance.now();
    const onEnd = () => {
      const now = performance.now();
      // While a fake time stood still, times were noted by `performance.now()`. A real timer fires about as late as it was set.
      const waitedMs = now - setAt;
      this.#reached = Math.max(this.#reached, at + (waitedMs < at - now ? waitedMs : 0));
      onTime();
    };
    return startTimer(at - this.now(), onEnd, isIdle);
  }
}
