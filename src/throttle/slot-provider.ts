import { ThrottleError } from "../errors.ts";
import { assertOptions, MAX_TIMER_MS } from "../options.ts";
import type { Slot } from "./sliding-window.ts";
import type { Throttle } from "./throttle.ts";
import {
  ACQUIRE_OPTIONS,
  type AcquireOptions,
  maxWaitError,
  WaitingQueue,
} from "./waiting-queue.ts";

/** Permission of a provider for one attempt. */
export interface Permit {
  /** Time until which the next call may use the permit if the first call cancels its slot. */
  readonly reusableUntil: number;
  /** Returns the permit to the provider. Never throws. */
  giveBack(): void;
}

/** Provider of a throttle's slots. All times are values of `performance.now()`. */
export interface SlotProvider {
  /** Whether `ask` stays pending until a slot is due: the wait is then not known beforehand. */
  readonly hasUnknownWait: boolean;
  /** Requests one slot. Resolves to a permit, or to the time at which to ask again; rejects if the provider fails. */
  ask(): Promise<Permit | number>;
}

/** Creates a throttle that requests slots from a provider, one at a time, for the first call in its queue. */
export function throttleOver(provider: SlotProvider, maxWait: number): Throttle {
  const queue = new WaitingQueue<Slot>(proceed);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let retryAt = -Infinity;

  /** Returns the time of the next request to the provider. */
  const nextTurn = (): number => Math.max(queue.heldUntil, retryAt);

  /** Handles everything that is due now, and sets the timer for the next step. */
  function proceed(): void {
    clearTimeout(timer);
    // The first call has waited longest: if it is within `maxWait`, so are the others.
    while (nextTurn() - queue.firstJoinedAt > maxWait) queue.refuseFirst(maxWaitError(nextTurn()));
    if (queue.length === 0) return;
    if (!isAsking && nextTurn() <= performance.now()) void ask();
    const dueAt = isAsking ? overdueAt() : nextTurn();
    if (dueAt === Infinity) return;
    // Time has passed since the comparison, and Node warns about a negative delay.
    const waitMs = Math.max(0, dueAt - performance.now());
    timer = setTimeout(onTimer, Math.min(waitMs, MAX_TIMER_MS));
  }

  function onTimer(): void {
    while (isAsking && overdueAt() <= performance.now()) queue.refuseFirst(maxWaitError());
    proceed();
  }

  /** Returns the deadline of the first call while a wait of unknown length is pending. */
  const overdueAt = (): number =>
    provider.hasUnknownWait ? queue.firstJoinedAt + maxWait : Infinity;

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      const reply = await provider.ask();
      if (typeof reply === "number") retryAt = reply;
      else offer(reply);
    } catch (cause) {
      queue.refuseFirst(new ThrottleError("unavailable", { cause }));
    }
    isAsking = false;
    proceed();
  }

  /** Admits the first call with a permit, unless all calls have left or a hold has begun since the request. */
  function offer(permit: Permit): void {
    const isHeld = queue.heldUntil > performance.now();
    if (isHeld || !queue.admitFirst(toSlot(permit))) permit.giveBack();
  }

  function toSlot(permit: Permit): Slot {
    let open = true;
    return {
      start() {
        open = false;
      },
      cancel() {
        if (open && performance.now() < permit.reusableUntil) offer(permit);
        open = false;
      },
    };
  }

  function reserve(options: AcquireOptions = {}): Promise<Slot> {
    const slot = queue.join(options);
    proceed();
    return slot;
  }

  return {
    reserve,
    acquire: async (options = {}) =>
      (await reserve(assertOptions("options", options, ACQUIRE_OPTIONS))).start(),
    holdUntil(epochMs) {
      queue.hold(epochMs);
      proceed();
    },
  };
}
