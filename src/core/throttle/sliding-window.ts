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
  readonly #limit: number;
  readonly #windowMs: number;
  /** Time after which a reserved slot is free again. In an isolate that requests share, the request of its call may have ended. */
  readonly #reservedMs: number;
  #started = 0;
  /** Times at which the latest attempts leave the window, by the number of the attempt, and those of the attempts before them. */
  #latest = new Map<number, number>();
  #earlier = new Map<number, number>();
  /** Time at which every earlier attempt has left the window. */
  #forgetAt = -Infinity;
  readonly #reserved = new Set<{ readonly endsAt: number }>();

  constructor(limit: number, interval: number, clock: Clock) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windowMs = interval + Math.max(MIN_MARGIN_MS, interval * MARGIN);
    this.#reservedMs = isIsolateShared() ? this.#windowMs : Infinity;
  }

  /** A response that is still missing can only delay the start. */
  startAfter(ahead: number, notBefore: number): number {
    const now = this.#clock.now();
    this.#forget(now);
    const rounds = Math.floor(ahead / this.#limit);
    const first = Math.max(notBefore, this.#expiryBefore(ahead % this.#limit, now));
    return rounds === 0 ? first : Math.max(first, now) + rounds * this.#windowMs;
  }

  /** Returns the number of slots taken by reservations and by attempts that still count. */
  used(): number {
    const now = this.#clock.now();
    this.#forget(now);
    let used = this.#reserved.size;
    for (const leavesAt of [this.#earlier, this.#latest]) {
      for (const at of leavesAt.values()) if (at > now) used += 1;
    }
    return used;
  }

  take(): Permit | number {
    const now = this.#clock.now();
    const waitMs = this.startAfter(0, -Infinity) - now;
    if (waitMs > 0) return waitMs;
    const reservation = { endsAt: now + this.#reservedMs };
    this.#reserved.add(reservation);
    let attempt: number | undefined;
    return {
      reusableUntil: Infinity,
      start: () => {
        this.#reserved.delete(reservation);
        attempt = this.#started;
        this.#started += 1;
        // Its response may have come since this slot was reserved.
        this.#latest.delete(attempt - this.#limit);
        this.#earlier.delete(attempt - this.#limit);
        this.#latest.set(attempt, this.#clock.now() + 2 * this.#windowMs);
      },
      end: () => {
        // A later attempt may have started in place of an attempt that took too long.
        if (attempt !== undefined && this.#started - attempt <= this.#limit) {
          this.#earlier.delete(attempt);
          this.#latest.set(attempt, this.#clock.now() + this.#windowMs);
        }
        attempt = undefined;
      },
      giveBack: () => void this.#reserved.delete(reservation),
    };
  }

  /** Returns the time at which the attempt `limit` places before a call leaves the window; `ahead` is less than `limit`. */
  #expiryBefore(ahead: number, now: number): number {
    const waiting = this.#reserved.size + ahead;
    // A reserved attempt starts now at the earliest.
    if (waiting >= this.#limit) return now + this.#windowMs;
    const before = this.#started + waiting - this.#limit;
    const leavesAt = this.#latest.get(before) ?? this.#earlier.get(before) ?? -Infinity;
    // The response of an attempt may arrive now.
    return Math.min(leavesAt, now + this.#windowMs);
  }

  /** Forgets attempts that have left the window: no time of them is more than two intervals after it was noted. */
  #forget(now: number): void {
    if (now >= this.#forgetAt) {
      this.#earlier = this.#latest;
      this.#latest = new Map();
      this.#forgetAt = now + 2 * this.#windowMs;
    }
    for (const reservation of this.#reservedMs < Infinity ? this.#reserved : []) {
      if (reservation.endsAt <= now) this.#reserved.delete(reservation);
    }
  }
}
