import type { Slot } from "./throttle.ts";

/** The margin at the edge of a window, as a share of it: clocks run at slightly different rates. */
const MARGIN = 0.001;
/** Some clocks count whole milliseconds: timestamps that are one interval apart may differ by 1 ms less. */
const MIN_MARGIN_MS = 1;

/**
 * The slots of a sliding window.
 *
 * An attempt may start once the attempt that started `limit` before it no longer counts. Attempts start in the order of
 * the clock, so that rule alone bounds every window. Times are those of `performance.now()`.
 */
export class SlidingWindow {
  readonly #limit: number;
  readonly #windowMs: number;
  /** When each of the latest attempts stops counting. Attempt `n` has place `n % limit`: it replaces attempt `n - limit`. */
  readonly #expiries: number[] = [];
  #started = 0;
  #reserved = 0;

  constructor(limit: number, interval: number) {
    this.#limit = limit;
    this.#windowMs = interval + Math.max(MIN_MARGIN_MS, interval * MARGIN);
  }

  /** Returns when a call may start that has this many calls ahead of it, all of which start no earlier than `notBefore`. */
  turnAfter(ahead: number, notBefore: number): number {
    const now = performance.now();
    const rounds = Math.floor(ahead / this.#limit);
    const first = Math.max(notBefore, this.#expiryBefore(ahead % this.#limit, now));
    return rounds === 0 ? first : Math.max(first, now) + rounds * this.#windowMs;
  }

  /** Returns when the attempt stops counting that is `limit` before one which has fewer than `limit` calls ahead. */
  #expiryBefore(ahead: number, now: number): number {
    const waiting = this.#reserved + ahead;
    // A reserved attempt starts now at the soonest.
    if (waiting >= this.#limit) return now + this.#windowMs;
    return this.#expiries[(this.#started + waiting) % this.#limit] ?? Number.NEGATIVE_INFINITY;
  }

  /** Returns how many slots are taken: by reservations, and by attempts that still count. */
  used(): number {
    const now = performance.now();
    return this.#reserved + this.#expiries.filter((expiry) => expiry > now).length;
  }

  /** Takes a slot, whether or not one is free. */
  reserve(onCancel: () => void): Slot {
    this.#reserved += 1;
    let open = true;
    const close = (): boolean => {
      const wasOpen = open;
      if (open) this.#reserved -= 1;
      open = false;
      return wasOpen;
    };
    return {
      start: () => {
        if (!close()) return;
        this.#expiries[this.#started % this.#limit] = performance.now() + this.#windowMs;
        this.#started += 1;
      },
      cancel: () => {
        if (close()) onCancel();
      },
    };
  }
}
