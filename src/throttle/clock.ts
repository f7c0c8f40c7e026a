import { startTimer } from "../wait-for.ts";

/**
 * Clock of a throttle, in milliseconds, with its timers. It is monotonic: a correction of the system clock neither admits more
 * calls nor delays them.
 *
 * The clock shows `performance.now()`, but never less than what its timers have shown. Fake timers may fire while
 * `performance.now()` stays real: a wait is over when its own timer has fired.
 */
export class Clock {
  #reached = -Infinity;

  now(): number {
    return Math.max(performance.now(), this.#reached);
  }

  /** Sets a timer for a time. Returns a function that cancels it. */
  setTimer(at: number, onTime: () => void): () => void {
    return startTimer(at - this.now(), () => {
      this.#reached = Math.max(this.#reached, at);
      onTime();
    });
  }
}
