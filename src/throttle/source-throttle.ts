import { ThrottleError } from "../errors.ts";
import { assertOptions, MAX_TIMER_MS } from "../options.ts";
import { ACQUIRE_OPTIONS, type AcquireOptions, type Slot, type Throttle } from "./throttle.ts";
import { maxWaitError, WaitingQueue } from "./waiting-queue.ts";

/** A slot that a source granted. */
export interface Grant {
  /** Time until which another call may use the slot if the first one cancels it. */
  readonly reusableUntil: number;
  /** Returns the slot to the source. Never throws. */
  giveBack(): void;
}

/** Source of a throttle's slots. Times are those of `performance.now()`. */
export interface SlotSource {
  /** Whether `ask` stays pending until a slot is due, so that the wait is not known beforehand. */
  readonly isSlow: boolean;
  /** Requests one slot: resolves to it, or to the time of the next request; rejects if the source fails. */
  ask(): Promise<Grant | number>;
}

/** Creates a throttle that requests one slot at a time from a source, for the first call in its queue. */
export function sourceThrottle(source: SlotSource, maxWait: number): Throttle {
  const queue = new WaitingQueue<Slot>(proceed);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let askAgainAt = Number.NEGATIVE_INFINITY;

  /** Returns the time of the next request to the source. */
  const nextTurn = (): number => Math.max(queue.heldUntil, askAgainAt);

  /** Handles everything that is due now, and sets the timer for the next step. */
  function proceed(): void {
    clearTimeout(timer);
    // The first call joined first, so once it may stay, all others may.
    while (nextTurn() - queue.firstJoinedAt > maxWait) queue.refuseFirst(maxWaitError(nextTurn()));
    if (queue.length === 0) return;
    if (!isAsking && nextTurn() <= performance.now()) void ask();
    const dueAt = isAsking ? overdueAt() : nextTurn();
    if (dueAt === Number.POSITIVE_INFINITY) return;
    // The clock has moved on since the comparison, and Node warns about a negative delay.
    const waitMs = Math.max(0, dueAt - performance.now());
    timer = setTimeout(onTimer, Math.min(waitMs, MAX_TIMER_MS));
  }

  function onTimer(): void {
    while (isAsking && overdueAt() <= performance.now()) queue.refuseFirst(maxWaitError());
    proceed();
  }

  /** Returns the time at which the first call has waited for a slow source as long as it may. */
  const overdueAt = (): number =>
    source.isSlow ? queue.firstJoinedAt + maxWait : Number.POSITIVE_INFINITY;

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      const reply = await source.ask();
      if (typeof reply === "number") askAgainAt = reply;
      else offer(reply);
    } catch (cause) {
      queue.refuseFirst(new ThrottleError("unavailable", { cause }));
    }
    isAsking = false;
    proceed();
  }

  /** Admits the first call with a grant. In the meantime, every call may have left or been held back. */
  function offer(grant: Grant): void {
    const isHeld = queue.heldUntil > performance.now();
    if (isHeld || !queue.admitFirst(toSlot(grant))) grant.giveBack();
  }

  function toSlot(grant: Grant): Slot {
    let open = true;
    return {
      start() {
        open = false;
      },
      cancel() {
        if (open && performance.now() < grant.reusableUntil) offer(grant);
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
