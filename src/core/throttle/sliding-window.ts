import type { Clock } from "../clock.ts";
import { isIsolateShared, Lease } from "../isolate.ts";
import type { Permit, SlotProvider } from "./slot.ts";

/** Safety margin of a window, as a share of its length, because the clocks of two machines run at slightly different rates. */
const MARGIN = 0.001;
/** Minimum of the margin in milliseconds, because clocks and timers count whole milliseconds. */
const MIN_MARGIN_MS = 1;

/**
 * Slots of a sliding window. Attempt `n` may start when attempt `n - limit` has left the window. Attempts start in chronological
 * order, so this rule limits every window.
 *
 * The service counts a request when it arrives. The client cannot see this moment, but it lies before the response. An attempt
 * therefore leaves the window one interval after its response or failure, or two intervals after its start if neither has
 * happened by then.
 */
export class SlidingWindow implements SlotProvider {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #isShared = isIsolateShared();
  /** Times at which attempts leave the window, in the order of their starts. The first attempts have been forgotten. */
  #leavesAt: number[] = [];
  #forgotten = 0;
  /** Number of attempts at the beginning of the array that have left the window. */
  #expired = 0;
  /**
   * Reserved slots. In an isolate that requests share, the request that reserved one may have ended without giving it back.
   *
   * This is an array, because a `Set` that changes with every call would leave old hash tables behind, each of which keeps the
   * next table in memory.
   */
  #reserved: Lease[] = [];

  constructor(limit: number, interval: number, clock: Clock) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windowMs = interval + Math.max(MIN_MARGIN_MS, interval * MARGIN);
  }

  /** Returns the earliest start of a call. A response that has not arrived yet can only delay it. */
  startAfter(ahead: number, notBefore: number): number {
    const now = this.#clock.now();
    this.#release();
    const rounds = Math.floor(ahead / this.#limit);
    const first = Math.max(notBefore, this.#expiryBefore(ahead % this.#limit, now));
    return rounds === 0 ? first : Math.max(first, now) + rounds * this.#windowMs;
  }

  /** Returns the number of slots taken by reservations and by attempts that still count. */
  used(): number {
    const now = this.#clock.now();
    this.#release();
    this.#forget(now);
    let used = this.#reserved.length;
    for (const at of this.#leavesAt) if (at > now) used += 1;
    return used;
  }

  take(): Permit | number {
    const now = this.#clock.now();
    const waitMs = this.startAfter(0, -Infinity) - now;
    if (waitMs > 0) return waitMs;
    this.#forget(now);
    const reservation = new Lease(this.#isShared);
    this.#reserved.push(reservation);
    let attempt: number | undefined;
    return {
      reusableUntil: Infinity,
      start: () => {
        this.#remove(reservation);
        attempt = this.#forgotten + this.#leavesAt.length;
        this.#leavesAt.push(this.#clock.now() + 2 * this.#windowMs);
      },
      end: () => {
        const place = (attempt ?? -Infinity) - this.#forgotten;
        // An attempt that took too long has left the window.
        if (place >= this.#expired) this.#leavesAt[place] = this.#clock.now() + this.#windowMs;
        attempt = undefined;
      },
      giveBack: () => this.#remove(reservation),
    };
  }

  /** Returns the time at which the attempt `limit` places before a call leaves the window; `ahead` is less than `limit`. */
  #expiryBefore(ahead: number, now: number): number {
    const waiting = this.#reserved.length + ahead;
    // An attempt with a reserved slot starts now at the earliest.
    if (waiting >= this.#limit) return now + this.#windowMs;
    const place = this.#leavesAt.length + waiting - this.#limit;
    if (place < 0) return -Infinity;
    // The response of an attempt may arrive now.
    return Math.min(this.#leavesAt[place] as number, now + this.#windowMs);
  }

  /** Forgets the first attempts once half of the array has left the window, because forgetting one takes as long as forgetting all. */
  #forget(now: number): void {
    while ((this.#leavesAt[this.#expired] ?? Infinity) <= now) this.#expired += 1;
    if (this.#expired <= this.#leavesAt.length / 2) return;
    this.#leavesAt = this.#leavesAt.slice(this.#expired);
    this.#forgotten += this.#expired;
    this.#expired = 0;
  }

  #release(): void {
    if (this.#isShared) this.#reserved = this.#reserved.filter(({ isOver }) => !isOver);
  }

  #remove(reservation: Lease): void {
    reservation.end();
    const at = this.#reserved.indexOf(reservation);
    if (at >= 0) this.#reserved.splice(at, 1);
  }
}
