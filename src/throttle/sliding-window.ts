import { MAX_TIMER_MS } from "../options.ts";

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
 * Watches an attempt that starts now. Calls `onReceived` once: after the time in transit, or when the returned function is
 * called.
 *
 * @param transitMs Time in milliseconds after which the request counts as received, even without a response.
 */
const watchTransit = (transitMs: number, onReceived: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout>;
  let isReceived = false;
  const received = () => {
    if (isReceived) return;
    isReceived = true;
    clearTimeout(timer);
    onReceived();
  };
  const measure = (measurements: number) => {
    const latest = performance.now() + transitMs * (1 + ORDINARY) + ORDINARY_MS;
    timer = setTimeout(() => {
      // The event loop was blocked, which may have delayed the request, or the reading of its response.
      if (performance.now() > latest && measurements > 1) measure(measurements - 1);
      else received();
    }, transitMs);
    // In a browser, a timer is a number and keeps no process alive.
    (timer as { unref?(): void }).unref?.();
  };
  measure(MAX_MEASUREMENTS);
  return received;
};

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
  /**
   * Times by which the service has received the latest attempts; `Infinity` while that is not known. The time of attempt `n` is
   * at index `n % limit`, where it replaces the time of attempt `n - limit`.
   */
  readonly #receivedAt: number[] = [];
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
    let isReserved = true;
    let received: (() => void) | undefined;
    const release = (): boolean => {
      if (!isReserved) return false;
      isReserved = false;
      this.#reserved -= 1;
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

  /** Starts an attempt. Returns a function that notes that the service has received the request by now, or never will. */
  #start(): () => void {
    const index = this.#started % this.#limit;
    this.#started += 1;
    this.#receivedAt[index] = Infinity;
    return watchTransit(this.#transitMs, () => {
      this.#receivedAt[index] = performance.now();
    });
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
