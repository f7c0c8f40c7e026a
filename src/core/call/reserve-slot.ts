import { ignoreErrors } from "../options.ts";
import type { Redactor } from "../responses/redact.ts";
import type { AcquireOptions, Slot } from "../throttle/slot.ts";
import type { Throttle } from "../throttle/throttle.ts";
import { toThrottleError } from "../throttle/throttle-error.ts";
import { Phase } from "../transport/attempt.ts";
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
 * Signal of a call that may leave the queue, as an own property, so that copies of the options include it. A throttle reads it
 * only for a call that waits, and creating a signal takes longer than finding a free slot. All calls share one getter function,
 * because the engine would keep each call in memory if it had its own getter.
 */
const SIGNAL: PropertyDescriptor & ThisType<Phase> = {
  enumerable: true,
  get() {
    return Reflect.get(Phase.prototype, "signal", this);
  },
};

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
  const waitInQueue = Object.defineProperty(new Phase(), "signal", SIGNAL);
  const options: AcquireOptions = Object.assign(waitInQueue, { maxHold, onQueued });
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
      waitInQueue.end();
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

  try {
    const reserved: unknown = throttle.reserve
      ? throttle.reserve(options)
      : Promise.resolve(throttle.acquire(options)).then(() => NO_SLOT);
    return isSlot(reserved) ? reserved : wait(reserved, throttle.reserve ? REPLY_MS : 0);
  } catch (thrown) {
    return fail(thrown);
  }
};
