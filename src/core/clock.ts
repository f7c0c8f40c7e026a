import { startTimer } from "./wait-for.ts";

/**
 * Clock of a throttle or of a call, in milliseconds, with its timers. It is monotonic, so a correction of the system clock
 * neither ends nor extends a wait.
 *
 * The clock shows `performance.now()`, but never less than the times at which its timers have fired. Fake timers may fire while
 * `performance.now()` stays real, and a wait must be over when its own timer has fired.
 */
export class Clock {
  #reached = -Infinity;

  now(): number {
    return Math.max(performance.now(), this.#reached);
  }

  /**
   * Calls a function at a time of this clock. Returns a function that cancels the call. `isIdle` is as for {@link startTimer}.
   */
  setTimer(at: number, onTime: () => void, isIdle = false): () => void {
    const setAt = performance.now();
    const onEnd = () => {
      const now = performance.now();
      // By `performance.now()`, a fake timer fires too early. The time that has passed since the timer was set is added, because
      // other code may have read times from `performance.now()` meanwhile. A real timer fires at about the right time.
      const waitedMs = now - setAt;
      this.#reached = Math.max(this.#reached, at + (waitedMs < at - now ? waitedMs : 0));
      onTime();
    };
    return startTimer(at - this.now(), onEnd, isIdle);
  }
}
