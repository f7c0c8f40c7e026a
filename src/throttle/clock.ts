import { MAX_TIMER_MS } from "../options.ts";

/** Time in milliseconds by which a timer may fire too early: timers count whole milliseconds. */
const EARLY_MS = 2;

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

  /** Sets a timer for a time, or for the longest time that a timer can wait. Passes on whether it has fired on time. */
  setTimer(at: number, onTimer: (isDue: boolean) => void): ReturnType<typeof setTimeout> {
    const setAt = performance.now();
    const from = Math.max(setAt, this.#reached);
    // The time may have come in the meantime, and Node warns about a negative delay.
    const ms = Math.min(Math.max(0, at - from), MAX_TIMER_MS);
    const dueAt = from + ms;
    return setTimeout(() => {
      const now = performance.now();
      const earlyMs = dueAt - now;
      const isReal = now >= this.#reached && earlyMs < EARLY_MS;
      // Times were noted by `performance.now()` while the fake time stood still.
      if (!isReal) this.reach(dueAt + (now - setAt < earlyMs ? now - setAt : 0));
      onTimer(!isReal || earlyMs <= 0);
    }, ms);
  }

  /** Notes that a time has come, unless `performance.now()` shows it in a moment. */
  reach(at: number): void {
    if (at - performance.now() >= EARLY_MS) this.#reached = Math.max(this.#reached, at);
  }
}
