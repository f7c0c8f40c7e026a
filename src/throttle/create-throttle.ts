import { assertDuration, invalidOption, MAX_TIMER_MS, optionOr } from "../options/assertions.ts";
import { type AcquireOptions, tooLong, WaitingLine } from "./waiting-queue.ts";

/** Decides when an attempt may start. Clients of one account share a budget by sharing a throttle. */
export interface Throttle {
  /** Resolves when an attempt may start; rejects when none can be had, or the signal fires. */
  acquire(options?: AcquireOptions): Promise<void>;
  /** Takes a slot if one is free at once, and says whether it did; saves the wait for a promise. */
  tryAcquire?(): boolean;
  /** Holds every attempt back until a moment, in epoch milliseconds: the service asked for it by `Retry-After`. */
  holdUntil?(epochMs: number): void;
}

/** How many attempts may start, and in which time. */
export interface ThrottleOptions {
  /** The most attempts that start in any window of `interval`; a positive integer. */
  readonly limit: number;
  /** The length of the window, in milliseconds; more than 0. */
  readonly interval: number;
  /** A call that would wait longer than this many milliseconds fails at once. Default: none, it waits. */
  readonly maxWait?: number | undefined;
}

/** The state of a throttle at one moment. */
export interface ThrottleSnapshot {
  /** Attempts that started in the window that ends now. */
  readonly used: number;
  /** Attempts that may still start in it. */
  readonly remaining: number;
  /** Calls that wait. */
  readonly queued: number;
  /** When the next slot is free, in epoch milliseconds; `null` when one is free now. */
  readonly nextSlotAt: number | null;
}

/** A throttle with a sliding window, in the memory of one process. */
export interface WindowThrottle extends Throttle {
  tryAcquire(): boolean;
  holdUntil(epochMs: number): void;
  /** How much of the budget is used now. */
  snapshot(): ThrottleSnapshot;
}

/** Some clocks count whole milliseconds: what they tell to be one interval apart may be 1 ms less. */
const CLOCK_STEP_MS = 1;

/**
 * A throttle that never lets more than `limit` attempts start in any window of `interval`, first come
 * first served.
 *
 * @throws TypeError when an option is malformed.
 * @example
 * const throttle = createThrottle({ limit: 1200, interval: 3_600_000 }); // the documented limit, bursts allowed
 * const even = createThrottle({ limit: 1, interval: 3_000 });            // the same as an even pace
 */
export function createThrottle(options: ThrottleOptions): WindowThrottle {
  const { limit, interval } = options;
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw invalidOption("throttle.limit", "a positive integer");
  }
  if (!Number.isFinite(interval) || interval <= 0) {
    throw invalidOption("throttle.interval", "milliseconds above 0");
  }
  const maxWait = optionOr(
    "throttle.maxWait",
    options.maxWait,
    Number.POSITIVE_INFINITY,
    assertDuration,
  );
  const windowMs = interval + CLOCK_STEP_MS;
  /** When the latest attempts started, oldest first; at most `limit`. */
  const starts: number[] = [];
  const line = new WaitingLine(admitWhoCan);
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** When the turn comes of a call that has so many ahead of it; in the past when it can start now. */
  function turnAfter(ahead: number): number {
    // The same place in the window before, or one that is windows later.
    const before = starts[starts.length - limit + (ahead % limit)] ?? Number.NEGATIVE_INFINITY;
    const rounds = Math.floor(ahead / limit);
    const first = Math.max(line.heldUntil, before + windowMs);
    return rounds === 0 ? first : Math.max(first, performance.now()) + rounds * windowMs;
  }

  /** Takes a slot if one is free. */
  function take(): boolean {
    const now = performance.now();
    if (turnAfter(0) > now) return false;
    starts.push(now);
    if (starts.length > limit) starts.shift();
    return true;
  }

  function admitWhoCan(): void {
    clearTimeout(timer);
    while (line.length > 0 && take()) line.admitFirst();
    if (line.length === 0) return;
    // The clock went on since the slot was not free: Node warns of a negative wait.
    const waitMs = Math.max(0, turnAfter(0) - performance.now());
    timer = setTimeout(admitWhoCan, Math.min(waitMs, MAX_TIMER_MS));
  }

  return {
    tryAcquire: () => line.length === 0 && take(),
    async acquire(acquireOptions = {}) {
      const turn = turnAfter(line.length);
      if (turn - performance.now() > maxWait) throw tooLong(turn);
      return line.join(acquireOptions);
    },
    holdUntil(epochMs) {
      line.hold(epochMs);
      line.refuseLate(maxWait, turnAfter);
    },
    snapshot() {
      const now = performance.now();
      const used = starts.filter((start) => start + windowMs > now).length;
      const waitMs = turnAfter(0) - now;
      return {
        used,
        remaining: limit - used,
        queued: line.length,
        nextSlotAt: waitMs > 0 ? Math.ceil(Date.now() + waitMs) : null,
      };
    },
  };
}
