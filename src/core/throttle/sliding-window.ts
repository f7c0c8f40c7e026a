import type { Clock } from "../clock.ts";
import { isIsolateShared } from "../isolate.ts";
import type { Permit, SlotProvider } from "./slot.ts";

/** Safety margin of a window, as a share of its length, because the clocks of two machines run at slightly different rates. */
const MARGIN = 0.001;
/** Minimum of the margin in milliseconds, because clocks and timers count whole milliseconds. */
const MIN_MARGIN_MS = 1;

/** Number of places that are dropped together. */
const BLOCK = 1024;

interface Reservation {
  readonly endsAt: number;
}

interface Block {
  readonly leavesAt: Float64Array;
  /** Latest time that was recorded in this block. */
  lastAt: number;
}

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
  /**
   * Time in milliseconds after which a reserved slot is free again. In an isolate that requests share, the request that made the
   * reservation may have ended without giving it back.
   */
  readonly #reservedMs: number;
  #started = 0;
  /** Times at which attempts leave the window. An attempt reuses the place of the attempt `limit` positions before it. */
  readonly #blocks = new Map<number, Block>();
  /**
   * Reserved slots, in an array. A `Set` that changes with every call would leave old hash tables behind, each of which keeps the
   * next table in memory.
   */
  #reserved: Reservation[] = [];

  constructor(limit: number, interval: number, clock: Clock) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windowMs = interval + Math.max(MIN_MARGIN_MS, interval * MARGIN);
    this.#reservedMs = isIsolateShared() ? this.#windowMs : Infinity;
  }

  /** Returns the earliest start of a call. A response that has not arrived yet can only delay it. */
  startAfter(ahead: number, notBefore: number): number {
    const now = this.#clock.now();
    this.#release(now);
    const rounds = Math.floor(ahead / this.#limit);
    const first = Math.max(notBefore, this.#expiryBefore(ahead % this.#limit, now));
    return rounds === 0 ? first : Math.max(first, now) + rounds * this.#windowMs;
  }

  /** Returns the number of slots taken by reservations and by attempts that still count. */
  used(): number {
    const now = this.#clock.now();
    this.#release(now);
    this.#forget(now);
    let used = this.#reserved.length;
    for (const { leavesAt } of this.#blocks.values()) {
      for (const at of leavesAt) if (at > now) used += 1;
    }
    return used;
  }

  take(): Permit | number {
    const now = this.#clock.now();
    const waitMs = this.startAfter(0, -Infinity) - now;
    if (waitMs > 0) return waitMs;
    const reservation = { endsAt: now + this.#reservedMs };
    this.#reserved.push(reservation);
    let attempt: number | undefined;
    return {
      reusableUntil: Infinity,
      start: () => {
        this.#remove(reservation);
        attempt = this.#started;
        this.#started += 1;
        this.#note(attempt, 2 * this.#windowMs);
      },
      end: () => {
        // If this attempt took too long, a later attempt may have reused its place.
        if (attempt !== undefined && this.#started - attempt <= this.#limit) {
          this.#note(attempt, this.#windowMs);
        }
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
    const place = (this.#started + waiting) % this.#limit;
    const { leavesAt } = this.#blocks.get(Math.floor(place / BLOCK)) ?? {};
    // The response of an attempt may arrive now.
    return Math.min(leavesAt?.[place % BLOCK] ?? -Infinity, now + this.#windowMs);
  }

  /** Records that an attempt leaves the window after `afterMs`. */
  #note(attempt: number, afterMs: number): void {
    const now = this.#clock.now();
    const place = attempt % this.#limit;
    const key = Math.floor(place / BLOCK);
    let block = this.#blocks.get(key);
    if (!block) {
      this.#forget(now);
      const leavesAt = new Float64Array(Math.min(this.#limit, BLOCK)).fill(-Infinity);
      block = { leavesAt, lastAt: -Infinity };
      this.#blocks.set(key, block);
    }
    block.leavesAt[place % BLOCK] = now + afterMs;
    block.lastAt = Math.max(block.lastAt, now + afterMs);
  }

  /** Drops the blocks whose attempts have all left the window. */
  #forget(now: number): void {
    for (const [key, { lastAt }] of this.#blocks) if (lastAt <= now) this.#blocks.delete(key);
  }

  #release(now: number): void {
    if (this.#reservedMs === Infinity) return;
    this.#reserved = this.#reserved.filter(({ endsAt }) => endsAt > now);
  }

  #remove(reservation: Reservation): void {
    const at = this.#reserved.indexOf(reservation);
    if (at >= 0) this.#reserved.splice(at, 1);
  }
}
