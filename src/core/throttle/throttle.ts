import { Clock } from "../clock.ts";
import { isIsolateShared } from "../isolate.ts";
import {
  assertDuration,
  assertOptions,
  assertPositiveInteger,
  invalidOption,
  type OptionNames,
  or,
  readOptions,
} from "../options.ts";
import { IsolateQueue } from "./isolate-queue.ts";
import { ProcessQueue } from "./process-queue.ts";
import { SlidingWindow } from "./sliding-window.ts";
import type { AcquireOptions, Slot, SlotProvider } from "./slot.ts";
import type { SlotQueue } from "./slot-queue.ts";

/** Throttle, which decides when an attempt may start. To share a budget, pass the same throttle to several clients. */
export interface Throttle {
  /** Resolves when an attempt may start, and counts it. Rejects if the throttle grants no slot, or if the signal fires. */
  acquire(options?: AcquireOptions): Promise<void>;
  /**
   * Reserves a slot for an attempt that starts later. Returns the slot synchronously if the throttle knows that one is free.
   * Clients prefer this method to `acquire`, because it lets them start the slot and the request in the same step.
   */
  reserve?(options?: AcquireOptions): Slot | Promise<Slot>;
  /** Grants no slot until a time in epoch milliseconds. Clients call it when a 429 has a `Retry-After`. */
  holdUntil?(epochMs: number): void;
}

/** Limit of a throttle: a maximum number of attempts in any window of time. */
export interface ThrottleOptions {
  /** Maximum number of attempts that may start in any window of `interval`, an integer, 1 or more. */
  readonly limit: number;
  /** Length of the window in milliseconds, more than 0. */
  readonly interval: number;
  /**
   * Maximum wait for a slot in milliseconds, 0 or more; a call that would wait longer fails. It fails immediately, unless its wait
   * becomes longer than expected, for example because an earlier attempt still has no response. Default: no limit.
   */
  readonly maxWait?: number | undefined;
}

const assertInterval = (name: string, interval: number): number => {
  if (Number.isFinite(interval) && interval > 0) return interval;
  throw invalidOption(name, "milliseconds above 0");
};

const ACQUIRE_OPTIONS: OptionNames<AcquireOptions> = {
  signal: true,
  maxHold: true,
  onQueued: true,
};

/** Throttle with a sliding window in the memory of one process; see {@link createThrottle}. */
export interface WindowThrottle extends Required<Throttle> {
  /** Returns the current state of the throttle. */
  snapshot(): {
    /** Number of slots in use: attempts that still count, and reserved slots. */
    readonly used: number;
    /** Number of slots that are not in use. During a hold, or behind an older attempt that still counts, none is free yet. */
    readonly remaining: number;
    /** Number of calls in the queue. */
    readonly queued: number;
    /** Earliest time at which a slot is free, in epoch milliseconds; `null` if a slot is free now. */
    readonly nextSlotAt: number | null;
  };
}

/**
 * Creates a throttle that lets at most `limit` attempts start in any window of `interval`, first come, first served.
 *
 * An attempt leaves the window one `interval` after its response or failure, or two intervals after its start if neither has
 * happened by then. The service then sees no more than `limit` requests in its own window either.
 *
 * @returns Throttle for the option `throttle` of one or more clients.
 * @throws TypeError that names an invalid or unknown option.
 * @example
 * const throttle = createThrottle({ limit: 1200, interval: 3_600_000 }); // the documented limit, bursts allowed
 * const even = createThrottle({ limit: 1, interval: 3_000 });            // an even pace: one call every 3 seconds
 */
export function createThrottle(options: ThrottleOptions): WindowThrottle {
  const { limit, interval, maxWait } = readOptions(
    "throttle",
    options,
    {
      limit: assertPositiveInteger,
      interval: assertInterval,
      maxWait: or(assertDuration, Infinity),
    },
    "throttle.",
  );
  const clock = new Clock();
  const window = new SlidingWindow(limit, interval, clock);
  const queue = createQueue(window, clock, maxWait);
  return {
    ...toThrottle(queue),
    snapshot() {
      const queued = queue.count();
      const waitMs = queue.waitAfter(0) ?? 0;
      const used = window.used();
      return {
        used,
        remaining: limit - used,
        queued,
        nextSlotAt: waitMs > 0 ? Math.ceil(Date.now() + waitMs) : null,
      };
    },
  };
}

/** Creates the queue of a provider's slots. */
export const createQueue = (provider: SlotProvider, clock: Clock, maxWait: number): SlotQueue => {
  const Queue = isIsolateShared() ? IsolateQueue : ProcessQueue;
  return new Queue(provider, clock, maxWait);
};

export const toThrottle = (queue: SlotQueue): Required<Throttle> => ({
  reserve: (options) => queue.reserve(options),
  async acquire(options = {}) {
    const { signal } = assertOptions("options", options, ACQUIRE_OPTIONS);
    if (signal?.aborted) throw signal.reason;
    const slot = await queue.reserve(options);
    slot.start();
    // A caller of `acquire` cannot report a response, so the attempt counts from its start.
    slot.responded?.();
  },
  holdUntil: (epochMs) => queue.hold(epochMs),
});
