import { ignoreErrors } from "../options.ts";
import type { Redactor } from "../responses/redact.ts";
import type { AcquireOptions, Slot } from "../throttle/slot.ts";
import type { Throttle } from "../throttle/throttle.ts";
import { toThrottleError } from "../throttle/throttle-error.ts";
import type { CallTimer } from "./call-timer.ts";
import type { CallEvents } from "./events.ts";

/** Slot of a call without a throttle, or with a throttle that has only `acquire`. The methods of this slot have no effect. */
export const NO_SLOT: Slot = /* @__PURE__ */ Object.freeze({ start() {}, cancel() {} });

interface Reservation {
  readonly timer: CallTimer;
  readonly events: CallEvents;
  readonly redactor: Redactor;
  readonly maxHold: number;
}

/**
 * Time in milliseconds after which a throttle with slots is assumed to have no free slot, even if it has not reported a wait. A
 * shared limiter replies over a network.
 */
const REPLY_MS = 100;

const isSlot = (value: unknown): value is Slot =>
  typeof (value as Slot | null | undefined)?.start === "function";

const assertSlot = (value: unknown): Slot => {
  if (isSlot(value)) return value;
  throw new TypeError("throttle.reserve() must return a slot");
};

/**
 * Getter that creates a signal when it is read. A throttle reads the signal only for a call that waits, and creating a signal
 * takes longer than finding a free slot.
 */
const SIGNAL: PropertyDescriptor & ThisType<Leaving> = {
  enumerable: true,
  get() {
    return this.controller.signal;
  },
};

/** Holder of the signal that takes a call out of the queue when the call ends. */
class Leaving {
  #controller: AbortController | undefined;

  constructor() {
    // All calls share one getter function, because the engine would keep each call in memory if it had its own getter. The signal
    // is an own property, so copies of the options include it.
    Object.defineProperty(this, "signal", SIGNAL);
  }

  get controller(): AbortController {
    this.#controller ??= new AbortController();
    return this.#controller;
  }
}

/**
 * Returns a slot synchronously if one is free. A call that has to wait emits `queued` as soon as the wait is certain, and
 * `throttled` after the wait.
 *
 * @throws A {@link ThrottleError} if the throttle grants no slot.
 */
export const reserveSlot = (
  throttle: Throttle,
  { timer, events, redactor, maxHold }: Reservation,
): Slot | Promise<Slot> => {
  timer.check();
  const askedAt = performance.now();
  let isQueued = false;
  let isOver = false;
  const onQueued = (waitMs?: number) => {
    if (isQueued || isOver) return;
    isQueued = true;
    const expected = Number.isFinite(waitMs)
      ? { expectedWaitMs: Math.max(0, Math.ceil(Number(waitMs))) }
      : {};
    events.emit({ type: "queued", ...expected });
  };
  const leaving = new Leaving();
  const options: AcquireOptions = Object.assign(leaving, { maxHold, onQueued });
  const fail = (thrown: unknown): never => {
    throw toThrottleError(thrown, redactor);
  };

  const wait = async (reserved: unknown, replyMs: number): Promise<Slot> => {
    const waiting = Promise.resolve(reserved).then(assertSlot).catch(fail);
    const isHeard = events.listeners.length > 0;
    const replyTimer = isHeard ? setTimeout(() => onQueued(), replyMs) : undefined;
    try {
      const slot = await timer.run(() => waiting);
      const waitMs = Math.round(performance.now() - askedAt);
      if (waitMs > 0) onQueued();
      if (isQueued) events.emit({ type: "throttled", waitMs });
      return slot;
    } catch (error) {
      leaving.controller.abort();
      // The slot may arrive just as the call ends. `cancel` may return a promise that rejects.
      waiting.then(
        (slot) => void ignoreErrors(() => slot.cancel()),
        // The throttle granted no slot.
        () => {},
      );
      throw error;
    } finally {
      clearTimeout(replyTimer);
      isOver = true;
    }
  };

  let reserved: unknown;
  try {
    if (!throttle.reserve) {
      return wait(
        Promise.resolve(throttle.acquire(options)).then(() => NO_SLOT),
        0,
      );
    }
    reserved = throttle.reserve(options);
  } catch (thrown) {
    return fail(thrown);
  }
  return isSlot(reserved) ? reserved : wait(reserved, REPLY_MS);
};
