import { ThrottleError } from "../errors.ts";
import { isIsolateShared } from "../isolate.ts";
import { assertOptions } from "../options.ts";
import { Clock } from "./clock.ts";
import type { Slot } from "./sliding-window.ts";
import type { Throttle } from "./throttle.ts";
import {
  ACQUIRE_OPTIONS,
  type AcquireOptions,
  maxWaitError,
  type Waiter,
  WaitingQueue,
} from "./waiting-queue.ts";

/** Permission of a provider for one attempt. */
export interface Permit {
  /** Time until which the permit may be used or given back. */
  readonly reusableUntil: number;
  /** Returns the permit to the provider. Never throws. */
  giveBack(): void;
}

/** Provider of a throttle's slots. */
export interface SlotProvider {
  /** Whether `ask` stays pending until a slot is due: the wait is then not known beforehand. */
  readonly hasUnknownWait: boolean;
  /** Requests one slot. Resolves to a permit, or to the milliseconds to wait before the next request; rejects if the provider fails. */
  ask(clock: Clock): Promise<Permit | number>;
}

/** Creates a throttle that requests slots from a provider, one at a time, for the first call in its queue. */
export function throttleOver(provider: SlotProvider, maxWait: number): Throttle {
  const isShared = isIsolateShared();
  const clock = new Clock();
  const queue = new WaitingQueue<Slot>(clock, turn);
  /** Call for which a slot is being requested. */
  let asker: Waiter<Slot> | undefined;
  let retryAt = -Infinity;

  /** Returns the call that receives what was requested for a call, if any call still waits. */
  const recipientOf = (waiter: Waiter<Slot> | undefined): Waiter<Slot> | undefined => {
    if (!isShared) return queue.first;
    return waiter && queue.has(waiter) ? waiter : undefined;
  };

  function turn(waiter: Waiter<Slot>, ahead: number, isDue: boolean): number {
    const now = clock.now();
    const asksAt = Math.max(queue.heldUntil, retryAt);
    if (asksAt - waiter.joinedAt > maxWait) waiter.reject(maxWaitError(asksAt - now));
    // The first call has waited longest: if it is within `maxWait`, so are the others.
    if (!queue.has(waiter)) return asksAt;
    // In a shared isolate, the reply for a call that has left may never arrive.
    const isAsking = asker !== undefined && (!isShared || queue.has(asker));
    const mayAsk = ahead === 0 && !isAsking;
    if (mayAsk && asksAt > now) return asksAt;
    const overdueAt = provider.hasUnknownWait ? waiter.joinedAt + maxWait : Infinity;
    if (mayAsk) void ask(waiter);
    else if (isDue && overdueAt <= now) waiter.reject(maxWaitError());
    return overdueAt;
  }

  async function ask(waiter: Waiter<Slot>): Promise<void> {
    asker = waiter;
    try {
      const reply = await provider.ask(clock);
      if (typeof reply === "number") retryAt = clock.now() + reply;
      else offer(reply, waiter);
    } catch (cause) {
      recipientOf(waiter)?.reject(new ThrottleError("unavailable", { cause }));
    }
    if (asker === waiter) asker = undefined;
    queue.proceed();
  }

  /** Admits a call with a permit, unless all calls have left or a hold has begun since the request. */
  function offer(permit: Permit, asker?: Waiter<Slot>): void {
    const now = clock.now();
    const recipient = queue.heldUntil > now ? undefined : recipientOf(asker);
    if (recipient) recipient.resolve(toSlot(permit));
    // A point given back after its window would be one too many in the next window. A lost point costs only one call.
    else if (now < permit.reusableUntil) permit.giveBack();
  }

  function toSlot(permit: Permit): Slot {
    let open = true;
    return {
      start() {
        open = false;
      },
      cancel() {
        if (!open) return;
        open = false;
        if (clock.now() >= permit.reusableUntil) return;
        offer(permit);
        queue.proceed();
      },
    };
  }

  function reserve(options: AcquireOptions = {}): Promise<Slot> {
    queue.endHold(options.heldUntil);
    return queue.join(options);
  }

  return {
    reserve,
    acquire: async (options = {}) =>
      (await reserve(assertOptions("options", options, ACQUIRE_OPTIONS))).start(),
    holdUntil(epochMs) {
      queue.hold(epochMs);
      queue.proceed();
    },
  };
}
