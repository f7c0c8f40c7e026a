import { ignoreErrors } from "../options.ts";
import type { AcquireOptions, Permit, Slot } from "./slot.ts";
import { SlotQueue } from "./slot-queue.ts";
import { NoReplyError, toMaxWaitError, toThrottleError } from "./throttle-error.ts";

interface Waiter {
  readonly joinedAt: number;
  readonly maxHoldMs: number;
  onQueued: AcquireOptions["onQueued"];
  cancelTimer?: () => void;
  resolve(slot: Slot): void;
  reject(error: unknown): void;
}

/**
 * Queue of a process, in which any call may settle the promise of any other call.
 *
 * A call joins, leaves or is admitted in constant time. Only the first call looks for a slot and has a timer.
 */
export class ProcessQueue extends SlotQueue {
  readonly #waiters = new Set<Waiter>();
  /** Iterator that last returned the first call. A new iterator would have to step over every call that has left. */
  #order = this.#waiters.values();
  #first: Waiter | undefined;
  /** Whether a reply of the provider is pending. */
  #isAsking = false;
  #cancelHold = () => {};
  /** Lower bound for the `maxHold` of every call in the queue. */
  #shortestHoldMs = Infinity;

  count(): number {
    return this.#waiters.size;
  }

  /** Holds back every call until a time. Checks each call in the queue only if one of them may have to be refused. */
  override hold(untilEpochMs: number): void {
    super.hold(untilEpochMs);
    // The call that received the 429 waits with its own timer, which fake timers may fire while `performance.now()` stays real.
    // This timer lets the clock of the throttle reach the end of the hold in that case.
    this.#cancelHold();
    this.#cancelHold = this.clock.setTimer(this.heldUntil, () => {}, true);
    if (this.heldUntil - this.clock.now() > this.#shortestHoldMs) {
      this.#shortestHoldMs = Infinity;
      for (const waiter of this.#waiters) {
        if (this.#refuseHeld(waiter)) continue;
        this.#shortestHoldMs = Math.min(this.#shortestHoldMs, waiter.maxHoldMs);
      }
    }
    this.#proceed();
  }

  protected join({ signal, maxHold = Infinity, onQueued }: AcquireOptions): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const endWith =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          waiter.cancelTimer?.();
          signal?.removeEventListener("abort", onAbort);
          this.#remove(waiter);
          settle(value);
        };
      const onAbort = () => {
        const isFirst = waiter === this.#first;
        waiter.reject(signal?.reason);
        if (isFirst) this.#proceed();
      };
      const waiter: Waiter = {
        joinedAt: this.clock.now(),
        maxHoldMs: maxHold,
        onQueued,
        resolve: endWith(resolve),
        reject: endWith(reject),
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#add(waiter);
      if (this.#refuseHeld(waiter)) return;
      const ahead = this.#waiters.size - 1;
      const waitMs = this.waitAfter(ahead);
      // The first call may get its slot as soon as the provider replies.
      if (waitMs !== undefined || ahead > 0) this.#announce(waiter, waitMs);
      if (ahead === 0) this.#look(waiter, false);
    });
  }

  protected passOn(permit: Permit): void {
    this.#offer(permit);
    this.#proceed();
  }

  /** Admits or refuses the calls in their order, until one has to wait. */
  #proceed(isDue = false): void {
    let isFirstDue = isDue;
    while (this.#first && this.#look(this.#first, isFirstDue)) isFirstDue = false;
  }

  /** Admits or refuses the first call if it is due, and sets its timer otherwise. Returns whether the call has left. */
  #look(waiter: Waiter, isDue: boolean): boolean {
    waiter.cancelTimer?.();
    if (this.#refuseHeld(waiter)) return true;
    const now = this.clock.now();
    const lastAt = waiter.joinedAt + this.maxWait;
    let at = this.heldUntil;
    if (at <= now) {
      const reply = this.#take();
      if (typeof reply === "object") {
        waiter.resolve(this.toSlot(reply));
        return true;
      }
      // While a reply of the provider is pending, only a wait of unknown length can become too long.
      if (reply === undefined && !this.provider.hasUnknownWait) return false;
      // The clock is read again, because the provider read it later than `now`. A timer that fires too early must be set again.
      at = reply === undefined ? lastAt : this.clock.now() + reply;
    }
    if (at > now ? at > lastAt : isDue) {
      waiter.reject(toMaxWaitError(at > now ? at - now : undefined));
      return true;
    }
    if (!this.#isAsking) this.#announce(waiter, at - now);
    if (at < Infinity) waiter.cancelTimer = this.clock.setTimer(at, () => this.#proceed(true));
    return false;
  }

  /** Reports to a call, only once, that it waits, with the length of the wait if it is known. */
  #announce(waiter: Waiter, waitMs: number | undefined): void {
    const { onQueued } = waiter;
    waiter.onQueued = undefined;
    if (onQueued) ignoreErrors(() => onQueued(waitMs));
  }

  /** Refuses a call whose `maxHold` is shorter than the rest of the hold. Returns whether the call was refused. */
  #refuseHeld(waiter: Waiter): boolean {
    const error = this.heldError(waiter.maxHoldMs);
    if (error) waiter.reject(error);
    return error !== undefined;
  }

  /** Takes a slot. Returns `undefined` while a reply of the provider is pending. */
  #take(): Permit | number | undefined {
    if (this.#isAsking) return undefined;
    const reply = this.provider.take();
    if (!(reply instanceof Promise)) return reply;
    this.#isAsking = true;
    void this.#receive(reply);
    return undefined;
  }

  async #receive(reply: Promise<Permit | undefined>): Promise<void> {
    try {
      const permit = await reply;
      if (permit) this.#offer(permit);
    } catch (thrown) {
      // Without a reply, every call that has waited for it fails. After an error, the next call asks again.
      do this.#first?.reject(toThrottleError(thrown));
      while (this.#first && thrown instanceof NoReplyError);
    }
    this.#isAsking = false;
    this.#proceed();
  }

  /**
   * Admits the first call with a permit. Gives the permit back if all calls have left, or if a hold has begun in the meantime.
   */
  #offer(permit: Permit): void {
    if (this.#first && this.heldUntil <= this.clock.now()) this.#first.resolve(this.toSlot(permit));
    else this.giveBack(permit);
  }

  #add(waiter: Waiter): void {
    this.#waiters.add(waiter);
    this.#first ??= this.#order.next().value;
    this.#shortestHoldMs = Math.min(this.#shortestHoldMs, waiter.maxHoldMs);
  }

  #remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (waiter === this.#first) this.#first = this.#order.next().value;
    if (this.#first) return;
    this.#order = this.#waiters.values();
    this.#shortestHoldMs = Infinity;
  }
}
