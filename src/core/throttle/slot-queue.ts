import type { Clock } from "../clock.ts";
import { ThrottleError } from "../errors.ts";
import { invalidOption } from "../options.ts";
import type { AcquireOptions, Permit, Slot, SlotProvider } from "./slot.ts";
import { toMaxWaitError } from "./throttle-error.ts";

/**
 * Queue of calls that wait for a provider's slots, first come, first served. A `Retry-After` can hold back all of them. This
 * class has everything that both kinds of queue share, which is all except the wait itself.
 */
export abstract class SlotQueue {
  protected readonly provider: SlotProvider;
  protected readonly clock: Clock;
  protected readonly maxWait: number;
  protected heldUntil = -Infinity;

  constructor(provider: SlotProvider, clock: Clock, maxWait: number) {
    this.provider = provider;
    this.clock = clock;
    this.maxWait = maxWait;
  }

  /** Returns the number of calls in the queue. */
  abstract count(): number;
  /** Adds a call to the queue, where it waits for its slot. */
  protected abstract join(options: AcquireOptions): Promise<Slot>;
  /** Passes on a permit that a call has not used. */
  protected abstract passOn(permit: Permit): void;

  /** Returns the milliseconds until a call with `ahead` calls in front of it may start; `undefined` if this is not known. */
  waitAfter(ahead: number): number | undefined {
    const at = this.provider.startAfter?.(ahead, this.heldUntil);
    return at === undefined ? undefined : at - this.clock.now();
  }

  /** Returns a slot synchronously if it is free. Only a call that has to wait reads its signal. */
  reserve(options: AcquireOptions = {}): Slot | Promise<Slot> {
    const ahead = this.count();
    const waitMs = this.waitAfter(ahead);
    if (waitMs === undefined) return this.join(options);
    if (waitMs > this.maxWait) return Promise.reject(toMaxWaitError(waitMs));
    if (waitMs > 0 || ahead > 0) return this.join(options);
    return this.toSlot(this.provider.take() as Permit);
  }

  /** Holds back every call until a time. A hold never shortens an earlier one. */
  hold(untilEpochMs: number): void {
    if (!(typeof untilEpochMs === "number" && !Number.isNaN(untilEpochMs))) {
      throw invalidOption("holdUntil", "a time in epoch milliseconds");
    }
    this.heldUntil = Math.max(this.heldUntil, this.clock.now() + untilEpochMs - Date.now());
  }

  /** Returns the error for a call whose `maxHold` is shorter than the rest of the hold. */
  protected heldError(maxHoldMs: number): ThrottleError | undefined {
    const holdMs = this.heldUntil - this.clock.now();
    if (holdMs <= maxHoldMs) return undefined;
    return new ThrottleError("held", { retryAfterMs: Math.ceil(holdMs) });
  }

  /**
   * Returns a permit to its provider, unless the window of the permit is over. The next window would then have one permit too
   * many.
   */
  protected giveBack(permit: Permit): void {
    if (this.clock.now() < permit.reusableUntil) permit.giveBack();
  }

  /**
   * Converts a permit to a slot. The methods of the slot are closures, because a throttle that wraps this one may copy them into
   * its own slot.
   */
  protected toSlot(permit: Permit): Slot {
    let isOpen = true;
    const end = () => permit.end?.();
    return {
      start: () => {
        if (!isOpen) return;
        isOpen = false;
        permit.start?.();
      },
      responded: end,
      cancel: () => {
        if (!isOpen) return end();
        isOpen = false;
        if (this.clock.now() < permit.reusableUntil) this.passOn(permit);
      },
    };
  }
}
