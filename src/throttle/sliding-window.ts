import type { Slot } from "./throttle.ts";

/** Margin at the edge of a window, as a share of it: the clocks of two machines run at slightly different rates. */
const MARGIN = 0.001;
/**
 * Smallest margin in milliseconds. Some clocks count whole milliseconds, so timestamps that are one interval apart may
 * differ by 1 ms less.
 */
const MIN_MARGIN_MS = 1;
/** Longest time for which an attempt without a response may be in transit, as a share of the window. */
const TRANSIT = 0.25;

interface Attempt {
  readonly startedAt: number;
  respondedAt?: number;
}

/**
 * Slots of a sliding window.
 *
 * An attempt may start once the attempt that started `limit` places before it no longer counts. Because attempts start in
 * chronological order, this rule alone bounds every window.
 *
 * The service counts a request when it arrives, which the client cannot see: opening a connection or a busy event loop can
 * delay it. It arrived no later than its response did, so an attempt counts from its response, or from now while there is none.
 * Times are those of `performance.now()`.
 */
export class SlidingWindow {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #transitMs: number;
  /** The latest attempts. Attempt `n` has place `n % limit`: it replaces attempt `n - limit`. */
  readonly #attempts: Attempt[] = [];
  #started = 0;
  #reserved = 0;

  constructor(limit: number, interval: number) {
    this.#limit = limit;
    this.#windowMs = interval + Math.max(MIN_MARGIN_MS, interval * MARGIN);
    this.#transitMs = interval * TRANSIT;
  }

  /**
   * Returns the earliest time at which a call may start that has this many calls ahead of it, if none of them starts before
   * `notBefore`. A response that is still missing can only delay it.
   */
  turnAfter(ahead: number, notBefore: number): number {
    const now = performance.now();
    const rounds = Math.floor(ahead / this.#limit);
    const first = Math.max(notBefore, this.#expiryBefore(ahead % this.#limit, now));
    return rounds === 0 ? first : Math.max(first, now) + rounds * this.#windowMs;
  }

  /** Returns the number of slots taken by reservations and by attempts that still count. */
  used(): number {
    const now = performance.now();
    const counting = this.#attempts.filter((attempt) => this.#expiryOf(attempt, now) > now);
    return this.#reserved + counting.length;
  }

  /**
   * Takes a slot, whether or not one is free.
   *
   * @param onCancel Called when the slot is given back.
   */
  reserve(onCancel: () => void): Slot {
    this.#reserved += 1;
    let open = true;
    let attempt: Attempt | undefined;
    const close = (): boolean => {
      if (!open) return false;
      open = false;
      this.#reserved -= 1;
      return true;
    };
    return {
      start: () => {
        if (!close()) return;
        attempt = { startedAt: performance.now() };
        this.#attempts[this.#started % this.#limit] = attempt;
        this.#started += 1;
      },
      responded: () => {
        if (attempt) attempt.respondedAt ??= performance.now();
      },
      cancel: () => {
        if (close()) onCancel();
      },
    };
  }

  /**
   * Returns the time at which the attempt `limit` places before a call stops counting; the call has fewer than `limit`
   * calls ahead.
   */
  #expiryBefore(ahead: number, now: number): number {
    const waiting = this.#reserved + ahead;
    // A reserved attempt starts now at the earliest.
    if (waiting >= this.#limit) return now + this.#windowMs;
    const attempt = this.#attempts[(this.#started + waiting) % this.#limit];
    return attempt ? this.#expiryOf(attempt, now) : Number.NEGATIVE_INFINITY;
  }

  #expiryOf({ startedAt, respondedAt = Number.POSITIVE_INFINITY }: Attempt, now: number): number {
    return Math.min(respondedAt, now, startedAt + this.#transitMs) + this.#windowMs;
  }
}
