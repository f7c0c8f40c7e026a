import {
  assertDuration,
  assertOptions,
  invalidOption,
  MAX_TIMER_MS,
  type OptionNames,
  optionOr,
} from "../options.ts";
import { SlidingWindow, type Slot } from "./sliding-window.ts";
import {
  ACQUIRE_OPTIONS,
  type AcquireOptions,
  maxWaitError,
  WaitingQueue,
} from "./waiting-queue.ts";

/** Throttle, which decides when an attempt may start. Clients of one account share a budget by sharing a throttle. */
export interface Throttle {
  /**
   * Resolves when an attempt may start, which counts from then on; rejects if no slot can be had, or the signal fires.
   */
  acquire(options?: AcquireOptions): Promise<void>;
  /**
   * Reserves a slot for an attempt that starts later. Returns it synchronously if one is free at once. Clients
   * prefer this to `acquire`, because they can then start the slot and the request in the same step.
   */
  reserve?(options?: AcquireOptions): Slot | Promise<Slot>;
  /** Holds back every attempt until a time in epoch milliseconds, because the service asked for it by `Retry-After`. */
  holdUntil?(epochMs: number): void;
}

/** Limit of a throttle: a number of attempts in a window of time. */
export interface ThrottleOptions {
  /** Maximum number of attempts that start in any window of `interval`; a positive integer. */
  readonly limit: number;
  /** Length of the window in milliseconds; more than 0. */
  readonly interval: number;
  /**
   * Longest wait for a slot in milliseconds: a call that would wait longer when it joins the queue fails at once.
   * Default: no limit.
   */
  readonly maxWait?: number | undefined;
}

const THROTTLE_OPTIONS: OptionNames<ThrottleOptions> = {
  limit: true,
  interval: true,
  maxWait: true,
};

/** State of a throttle at one moment. */
export interface ThrottleSnapshot {
  /** Number of slots in use: attempts that still count, and reserved slots. */
  readonly used: number;
  /** Slots that are free. */
  readonly remaining: number;
  /** Number of calls in the queue. */
  readonly queued: number;
  /** Earliest time at which a slot is free, in epoch milliseconds; `null` if one is free now. */
  readonly nextSlotAt: number | null;
}

/** A throttle with a sliding window, in the memory of one process. */
export interface WindowThrottle extends Throttle {
  reserve(options?: AcquireOptions): Slot | Promise<Slot>;
  holdUntil(epochMs: number): void;
  /** Returns the state of the throttle at this moment. */
  snapshot(): ThrottleSnapshot;
}

/**
 * Creates a throttle that never lets more than `limit` attempts start in any window of `interval`, first come first served.
 *
 * An attempt leaves the window one `interval` after its response or its failure, and at the latest 1.25 intervals after its
 * start; time in which the event loop is blocked prolongs that, to about two intervals at most. This keeps to the service's
 * own window as well.
 *
 * @throws TypeError when an option is malformed.
 * @example
 * const throttle = createThrottle({ limit: 1200, interval: 3_600_000 }); // the documented limit, bursts allowed
 * const even = createThrottle({ limit: 1, interval: 3_000 });            // the same as an even pace
 */
export function createThrottle(options: ThrottleOptions): WindowThrottle {
  const { limit, interval } = assertOptions("throttle", options, THROTTLE_OPTIONS, "throttle.");
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw invalidOption("throttle.limit", "a positive integer");
  }
  if (!Number.isFinite(interval) || interval <= 0) {
    throw invalidOption("throttle.interval", "milliseconds above 0");
  }
  const maxWait = optionOr("throttle.maxWait", options.maxWait, Infinity, assertDuration);
  const window = new SlidingWindow(limit, interval);
  const queue = new WaitingQueue<Slot>(admit);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const turnAfter = (ahead: number): number => window.turnAfter(ahead, queue.heldUntil);
  const take = (): Slot => window.reserve(admit);

  /** Admits every call whose turn has come, and sets the timer for the next one. */
  function admit(): void {
    clearTimeout(timer);
    while (queue.length > 0 && turnAfter(0) <= performance.now()) queue.admitFirst(take());
    if (queue.length === 0) return;
    // The clock has moved on since the comparison, and Node warns about a negative delay.
    const waitMs = Math.max(0, turnAfter(0) - performance.now());
    timer = setTimeout(admit, Math.min(waitMs, MAX_TIMER_MS));
  }

  function reserve(acquireOptions: AcquireOptions = {}): Slot | Promise<Slot> {
    const now = performance.now();
    const turn = turnAfter(queue.length);
    if (queue.length === 0 && turn <= now && !acquireOptions.signal?.aborted) return take();
    if (turn - now > maxWait) return Promise.reject(maxWaitError(turn));
    const slot = queue.join(acquireOptions);
    if (queue.length === 1) admit();
    return slot;
  }

  return {
    reserve,
    async acquire(acquireOptions = {}) {
      const slot = await reserve(assertOptions("options", acquireOptions, ACQUIRE_OPTIONS));
      slot.start();
      // A caller of `acquire` cannot report the response.
      slot.responded?.();
    },
    holdUntil(epochMs) {
      queue.hold(epochMs);
      queue.refuseLate(maxWait, turnAfter);
      admit();
    },
    snapshot() {
      const waitMs = turnAfter(0) - performance.now();
      const used = window.used();
      return {
        used,
        remaining: limit - used,
        queued: queue.length,
        nextSlotAt: waitMs > 0 ? Math.ceil(Date.now() + waitMs) : null,
      };
    },
  };
}
