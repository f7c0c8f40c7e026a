import { MAX_TIMER_MS } from "../options.ts";

/**
 * Slot: the right to start one attempt, which a throttle grants. It counts against the limit from its reservation, so every
 * slot must be started or canceled.
 */
export interface Slot {
  /**
   * Starts the attempt, which counts from now on. Has no effect on a canceled slot.
   *
   * @param endsWithinMs Maximum time in milliseconds until the caller calls `responded` or `cancel`. Default: not known.
   */
  start(endsWithinMs?: number): void;
  /**
   * Reports that the service has responded, and so has received the request. A throttle may count the attempt from this moment
   * instead of its start.
   */
  responded?(): void;
  /**
   * Gives back an unused slot to the next call in the queue. After `start`, it reports that the attempt has ended without a
   * response.
   */
  cancel(): void;
}

/** Safety margin of a window, as a share of its length: the clocks of two machines run at slightly different rates. */
const MARGIN = 0.001;
/**
 * Minimum of the margin in milliseconds. Some clocks count whole milliseconds: timestamps one interval apart may then differ by
 * 1 ms less.
 */
const MIN_MARGIN_MS = 1;
/** Maximum time in transit of a request without a response, as a share of the window. */
const TRANSIT = 0.25;
/** Maximum number of measurements of that time. A late timer shows a blocked event loop, and the time is then measured again. */
const MAX_MEASUREMENTS = 4;
/** Usual delay of a timer: milliseconds, plus a share of its time. */
const ORDINARY_MS = 5;
const ORDINARY = 0.2;

/** Slot of a window, and the attempt that it starts. */
class WindowSlot implements Slot {
  readonly #window: SlidingWindow;
  readonly #onCancel: () => void;
  #isReserved = true;
  #receivedAt: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(window: SlidingWindow, onCancel: () => void) {
    this.#window = window;
    this.#onCancel = onCancel;
  }

  /** Time by which the service has received the request; the current time while that is not known. */
  get receivedBy(): number {
    return this.#receivedAt ?? performance.now();
  }

  start(endsWithinMs = Infinity): void {
    if (!this.#isReserved) return;
    this.#isReserved = false;
    const transitMs = this.#window.release(this);
    if (endsWithinMs > transitMs) this.#measure(transitMs, MAX_MEASUREMENTS);
  }

  responded(): void {
    if (!this.#isReserved) this.#received();
  }

  cancel(): void {
    const wasReserved = this.#isReserved;
    this.#isReserved = false;
    this.#received();
    if (!wasReserved) return;
    this.#window.release();
    this.#onCancel();
  }

  /** Notes that the service has received the request by now, or never will. */
  #received(): void {
    clearTimeout(this.#timer);
    this.#receivedAt ??= performance.now();
  }

  /** Counts the request as received after its time in transit, even without a response. */
  #measure(transitMs: number, measurements: number): void {
    const latest = performance.now() + transitMs * (1 + ORDINARY) + ORDINARY_MS;
    this.#timer = setTimeout(() => {
      // The event loop was blocked, which may have delayed the request, or the reading of its response.
      if (performance.now() > latest && measurements > 1) {
        this.#measure(transitMs, measurements - 1);
      } else {
        this.#received();
      }
    }, transitMs);
    // In a browser, a timer is a number and keeps no process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }
}

/**
 * Slots of a sliding window.
 *
 * Attempt `n` may start when attempt `n - limit` has left the window. Attempts start in chronological order, so this rule
 * limits every window.
 *
 * The service counts a request when it arrives. The client cannot see that moment: a new connection or a blocked event loop can
 * delay the request. But the request arrives before its response. An attempt therefore counts from its response or its failure,
 * and until then from the current time. All times are values of `performance.now()`.
 */
export class SlidingWindow {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #transitMs: number;
  /** Latest attempts. Attempt `n` is at index `n % limit`, where it replaces attempt `n - limit`. */
  readonly #attempts: WindowSlot[] = [];
  #started = 0;
  #reserved = 0;

  constructor(limit: number, interval: number) {
    this.#limit = limit;
    this.#windowMs = interval + Math.max(MIN_MARGIN_MS, interval * MARGIN);
    this.#transitMs = Math.min(interval * TRANSIT, MAX_TIMER_MS);
  }

  /**
   * Returns the earliest start of a call with `ahead` calls in front of it, if no call starts before `notBefore`. A response
   * that is still missing can only delay the start.
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
    const counting = this.#attempts.filter((each) => each.receivedBy + this.#windowMs > now);
    return this.#reserved + counting.length;
  }

  /**
   * Takes a slot, whether or not one is free.
   *
   * @param onCancel Called when the slot is given back.
   */
  reserve(onCancel: () => void): Slot {
    this.#reserved += 1;
    return new WindowSlot(this, onCancel);
  }

  /**
   * Ends the reservation of a slot.
   *
   * @param started Slot whose attempt starts and counts from now on; `undefined` if it was canceled.
   * @returns Time in milliseconds after which the request of an attempt counts as received.
   */
  release(started?: WindowSlot): number {
    this.#reserved -= 1;
    if (started) {
      this.#attempts[this.#started % this.#limit] = started;
      this.#started += 1;
    }
    return this.#transitMs;
  }

  /**
   * Returns the time at which the attempt `limit` places before a call leaves the window.
   *
   * @param ahead Number of calls in front of the call, less than `limit`.
   */
  #expiryBefore(ahead: number, now: number): number {
    const waiting = this.#reserved + ahead;
    // A reserved attempt starts now at the earliest.
    if (waiting >= this.#limit) return now + this.#windowMs;
    const attempt = this.#attempts[(this.#started + waiting) % this.#limit];
    return attempt ? attempt.receivedBy + this.#windowMs : -Infinity;
  }
}
