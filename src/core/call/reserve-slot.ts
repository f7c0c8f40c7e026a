import { ThrottleError } from "../errors.ts";
import { ignoreErrors } from "../options.ts";
import type { AcquireOptions, Slot } from "../throttle/slot.ts";
import type { Throttle } from "../throttle/throttle.ts";
import type { CallTimer } from "./call-timer.ts";

/** Slot of a call without a throttle, or with a throttle that has only `acquire`: its methods have no effect. */
export const NO_SLOT: Slot = /* @__PURE__ */ Object.freeze({ start() {}, cancel() {} });

interface Reservation extends Pick<AcquireOptions, "maxHold"> {
  readonly timer: CallTimer;
  readonly onWait: (waitMs: number) => void;
}

const isSlot = (value: unknown): value is Slot =>
  typeof (value as Slot | null | undefined)?.start === "function";

const assertSlot = (value: unknown): Slot => {
  if (isSlot(value)) return value;
  throw new TypeError("throttle.reserve() must return a slot");
};

/** @throws A {@link ThrottleError} if the throttle gives no slot. */
export const reserveSlot = async (
  throttle: Throttle,
  { timer, onWait, ...options }: Reservation,
): Promise<Slot> => {
  timer.check();
  const askedAt = performance.now();
  const leaving = new AbortController();
  const throwThrottleError = (thrown: unknown): never => {
    const { reason, retryAfterMs, cause } = ThrottleError.is(thrown)
      ? thrown
      : ({ reason: "unavailable", retryAfterMs: undefined, cause: thrown } as const);
    throw new ThrottleError(reason, { retryAfterMs, cause });
  };
  const ask = (): unknown => {
    const all = { ...options, signal: leaving.signal };
    return throttle.reserve
      ? throttle.reserve(all)
      : Promise.resolve(throttle.acquire(all)).then(() => NO_SLOT);
  };
  let reserved: unknown;
  try {
    reserved = ask();
  } catch (thrown) {
    return throwThrottleError(thrown);
  }
  if (isSlot(reserved)) return reserved;
  const waiting = Promise.resolve(reserved).then(assertSlot).catch(throwThrottleError);
  try {
    const slot = await timer.run(() => waiting);
    const waitMs = Math.round(performance.now() - askedAt);
    if (waitMs > 0) onWait(waitMs);
    return slot;
  } catch (error) {
    leaving.abort();
    // The slot may have arrived at the moment when the call ended. The result of `cancel` may be a promise that rejects.
    waiting.then(
      (slot) => void ignoreErrors(() => slot.cancel()),
      // The throttle gave no slot.
      () => {},
    );
    throw error;
  }
};
