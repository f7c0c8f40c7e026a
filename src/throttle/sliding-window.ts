import { MAX_TIMER_MS } from "../options.ts";

/**
 * A slot that a call holds until its attempt starts. It counts against the limit from its reservation, so every slot must
 * be started or canceled.
 */
export interface Slot {
  /** Starts the attempt, which counts from now on. Has no effect on a slot that was canceled. */
  start(): void;
  /**
   * Reports that the service has responded: it has received the request by now. A throttle may start counting the attempt at
   * this moment.
   */
  responded?(): void;
  /**
   * Gives the slot back unused; the next call in the queue gets it. After `start`, it reports that the attempt has ended
   * without a response.
   */
  cancel(): void;
}

/** Margin at the edge of a window, as a share of it: the clocks of two machines run at slightly different rates. */
const MARGIN = 0.001;
/**
 * Smallest margin in milliseconds. Some clocks count whole milliseconds, so timestamps that are one interval apart may
 * differ by 1 ms less.
 */
const MIN_MARGIN_MS = 1;
/** Longest time for which an attempt without a response may be in transit, as a share of the window. */
const TRANSIT = 0.25;
/** Number of times that this time is measured at most. A timer that is late shows a blocked event loop: it is measured again. */
const MAX_MEASUREMENTS = 4;
/** Lateness of a timer that is ordinary: milliseconds, and a share of its time. */
const ORDINARY_MS = 5;
const ORDINARY = 0.2;

/** An attempt that has been started. */
interface Attempt {
  /** Returns the time by which the service has received the request; now, as long as that is not known. */
  receivedBy(): number;
  /** Reports that the service has received the request by now, if it ever does. */
  received(): void;
}

/**
 * Starts an attempt.
 *
 * @param transitMs Time in milliseconds after which the request counts as received, response or not.
 */
const startAttempt = (transitMs: number): Attempt => {
  let timer: ReturnType<typeof setTimeout>;
  let at: number | undefined;
  const received = () => {
    clearTimeout(timer);
    at ??= performance.now();
  };
  const measure = (measurements: number) => {
    const latest = performance.now() + transitMs * (1 + ORDINARY) + ORDINARY_MS;
    timer = setTimeout(() => {
      // A blocked event loop has delayed the request, or the response that is waiting to be read.
      if (performance.now() > latest && measurements > 1) measure(measurements - 1);
      else received();
    }, transitMs);
    // A timer that is a number, as in a browser, keeps no process alive.
    (timer as { unref?(): void }).unref?.();
  };
  measure(MAX_MEASUREMENTS);
  return { receivedBy: () => at ?? performance.now(), received };
};

/**
 * Slots of a sliding window.
 *
 * Attempt `n` may start when attempt `n - limit` has left the window. Because attempts start in chronological order, this
 * rule alone bounds every window.
 *
 * The service counts a request when it arrives, which the client cannot see: opening a connection or a blocked event loop
 * can delay it. It arrived no later than its response did, so an attempt counts from its response or its failure, and from
 * now while there is neither.
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
    this.#transitMs = Math.min(interval * TRANSIT, MAX_TIMER_MS);
  }

  /**
   * Returns the earliest start of the call with `ahead` calls in front of it, none of which starts before `notBefore`. A
   * response that is still missing can only delay it.
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
    const counting = this.#attempts.filter((each) => each.receivedBy() + this.#windowMs > now);
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
        attempt = startAttempt(this.#transitMs);
        this.#attempts[this.#started % this.#limit] = attempt;
        this.#started += 1;
      },
      responded: () => {
        attempt?.received();
      },
      cancel: () => {
        if (close()) onCancel();
        else attempt?.received();
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
    return attempt ? attempt.receivedBy() + this.#windowMs : -Infinity;
  }
}
