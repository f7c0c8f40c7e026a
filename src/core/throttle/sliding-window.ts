import type { Clock } from "../clock.ts";
import { isIsolateShared } from "../isolate.ts";
import type { Permit, SlotProvider } from "./slot.ts";

/** Safety margin of a window, as a share of its length: the clocks of two machines run at slightly different rates. */
const MARGIN = 0.001;
/** Minimum of the margin in milliseconds. Clocks and timers count whole milliseconds. */
const MIN_MARGIN_MS = 1;

/**
 * Slots of a sliding window: attempt `n` may start when attempt `n - limit` has left the window. Attempts start in
 * chronological order, so this rule limits every window.
 *
 * The service counts a request when it arrives, which the client cannot see. But the request arrives before its response. An
 * attempt therefore leaves the window one interval after its response or its failure; while there is neither, two intervals
 * after its start.
 */
export class SlidingWindow implements SlotProvider {
  readonly #clock: Clock;
  readonly #isShared = isIsolateShared();
  readonly #limit: number;
  readonly #windowMs: number;
  /** Times at which the latest attempts leave the window. Attempt `n` replaces attempt `n - limit` at index `n % limit`. */
  readonly #leavesAt: number[] = [];
  #started = 0;
  /** Reserved slots. The request of a call may end before the call starts its slot or gives it back. */
  readonly #reserved = new Set<{ readonly endsAt: number }>();

  constructor(limit: number, interval: number, clock: Clock) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windowMs = interval + Math.max(MIN_MARGIN_MS, interval * MARGIN);
  }

  /** A response that is still missing can only delay the turn. */
  turnAfter(ahead: number, notBefore: number): number {
    const now = this.#clock.now();
    const rounds = Math.floor(ahead / this.#limit);
    const first = Math.max(notBefore, this.#expiryBefore(ahead % this.#limit, now));
    return rounds === 0 ? first : Math.max(first, now) + rounds * this.#windowMs;
  }

  /** Returns the number of slots taken by reservations and by attempts that still count. */
  used(): number {
    const now = this.#clock.now();
    return this.#reserved.size + this.#leavesAt.filter((at) => at > now).length;
  }

  take(): Permit | number {
    const now = this.#clock.now();
    const waitMs = this.turnAfter(0, -Infinity) - now;
    if (waitMs > 0) return waitMs;
    const reservation = { endsAt: this.#isShared ? now + this.#windowMs : Infinity };
    this.#reserved.add(reservation);
    let attempt: number | undefined;
    return {
      reusableUntil: Infinity,
      start: () => {
        this.#reserved.delete(reservation);
        attempt = this.#started;
        this.#started += 1;
        this.#leavesAt[attempt % this.#limit] = this.#clock.now() + 2 * this.#windowMs;
      },
      end: () => {
        // A later attempt may have taken the place of an attempt that took too long.
        if (attempt !== undefined && this.#started - attempt <= this.#limit) {
          this.#leavesAt[attempt % this.#limit] = this.#clock.now() + this.#windowMs;
        }
        attempt = undefined;
      },
      giveBack: () => void this.#reserved.delete(reservation),
    };
  }

  /** Returns the time at which the attempt `limit` places before a call leaves the window; `ahead` is less than `limit`. */
  #expiryBefore(ahead: number, now: number): number {
    for (const reservation of this.#isShared ? this.#reserved : []) {
      if (reservation.endsAt <= now) this.#reserved.delete(reservation);
    }
    const waiting = this.#reserved.size + ahead;
    // A reserved attempt starts now at the earliest.
    if (waiting >= this.#limit) return now + this.#windowMs;
    const leavesAt = this.#leavesAt[(this.#started + waiting) % this.#limit] ?? -Infinity;
    // The response of an attempt may arrive now.
    return Math.min(leavesAt, now + this.#windowMs);
  }
}
