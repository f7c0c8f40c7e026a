import { isIsolateShared, Lease } from "../isolate.ts";
import { MAX_TIMER_MS } from "../options.ts";
import type { Clock } from "./clock.ts";

/**
 * Slot: the right to start one attempt, which a throttle grants. It counts against the limit from its reservation, so every
 * slot must be started or canceled.
 */
export interface Slot {
  /** Starts the attempt, which counts from now on. Has no effect on a canceled slot. */
  start(): void;
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

/**
 * Slots of a sliding window.
 *
 * Attempt `n` may start when attempt `n - limit` has left the window. Attempts start in chronological order, so this rule
 * limits every window.
 *
 * The service counts a request when it arrives. The client cannot see that moment: a new connection or a blocked event loop can
 * delay the request. But the request arrives before its response. An attempt therefore counts from its response or its failure,
 * and until then from the current time.
 *
 * In an isolate that requests share, the request of a call may end before the call does. A slot that it has reserved becomes
 * free soon, and an attempt that it has started leaves the window as if it had no response.
 */
export class SlidingWindow {
  readonly #clock: Clock;
  readonly #isShared = isIsolateShared();
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #transitMs: number;
  /**
   * Times by which the service has received the latest attempts; in the future while that is not known. The time of attempt `n` is
   * at index `n % limit`, where it replaces the time of attempt `n - limit`.
   */
  readonly #receivedAt: number[] = [];
  #started = 0;
  #reserved = 0;
  /** Leases of the reserved slots, in a shared isolate. */
  readonly #leases = new Set<Lease>();

  constructor(limit: number, interval: number, clock: Clock) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windowMs = interval + Math.max(MIN_MARGIN_MS, interval * MARGIN);
    this.#transitMs = Math.min(interval * TRANSIT, MAX_TIMER_MS);
  }

  /**
   * Returns the earliest start of a call with `ahead` calls in front of it, if no call starts before `notBefore`. A response
   * that is still missing can only delay the start.
   */
  turnAfter(ahead: number, notBefore: number): number {
    if (this.#isShared) this.#dropEnded();
    const now = this.#clock.now();
    const rounds = Math.floor(ahead / this.#limit);
    const first = Math.max(notBefore, this.#expiryBefore(ahead % this.#limit, now));
    return rounds === 0 ? first : Math.max(first, now) + rounds * this.#windowMs;
  }

  /** Returns the number of slots taken by reservations and by attempts that still count. */
  used(): number {
    const now = this.#clock.now();
    const counting = this.#receivedAt.filter((at) => at + this.#windowMs > now);
    return this.#reserved + counting.length;
  }

  /**
   * Takes a slot, whether or not one is free.
   *
   * @param onCancel Called when the slot is given back.
   */
  reserve(onCancel: () => void): Slot {
    this.#reserved += 1;
    const lease = this.#isShared ? new Lease(true) : undefined;
    if (lease) this.#leases.add(lease);
    let isReserved = true;
    let received: (() => void) | undefined;
    const release = (): boolean => {
      if (!isReserved) return false;
      isReserved = false;
      lease?.end();
      // The slot of a call that was late was taken back.
      if (!lease || this.#leases.delete(lease)) this.#reserved -= 1;
      return true;
    };
    // Closures, not methods of a class: a throttle that wraps this one may copy them into its own slot.
    return {
      start: () => {
        if (release()) received = this.#start();
      },
      responded: () => received?.(),
      cancel: () => {
        if (release()) onCancel();
        else received?.();
      },
    };
  }

  /** Takes back the reserved slots of calls whose requests have ended. */
  #dropEnded(): void {
    for (const lease of this.#leases) {
      if (lease.isOver && this.#leases.delete(lease)) this.#reserved -= 1;
    }
  }

  /** Starts an attempt. Returns a function that notes that the service has received the request by now, or never will. */
  #start(): () => void {
    const clock = this.#clock;
    const transitMs = this.#transitMs;
    const index = this.#started % this.#limit;
    this.#started += 1;
    let timer: ReturnType<typeof setTimeout>;
    let isReceived = false;
    const received = () => {
      if (isReceived) return;
      isReceived = true;
      clearTimeout(timer);
      this.#receivedAt[index] = clock.now();
    };
    const measure = (measurements: number) => {
      const dueAt = clock.now() + transitMs;
      // The timer may end with the request of the call.
      this.#receivedAt[index] = this.#isShared ? dueAt : Infinity;
      timer = clock.setTimer(dueAt, () => {
        // The event loop was blocked, which may have delayed the request, or the reading of its response.
        const isLate = clock.now() > dueAt + transitMs * ORDINARY + ORDINARY_MS;
        if (isLate && measurements > 1) measure(measurements - 1);
        else received();
      });
      // In a browser, a timer is a number and keeps no process alive.
      (timer as { unref?(): void }).unref?.();
    };
    measure(MAX_MEASUREMENTS);
    return received;
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
    const receivedAt = this.#receivedAt[(this.#started + waiting) % this.#limit] ?? -Infinity;
    // An attempt that is still in transit counts from now.
    return Math.min(receivedAt, now) + this.#windowMs;
  }
}
