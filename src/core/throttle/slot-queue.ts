import type { Clock } from "../clock.ts";
import { ThrottleError } from "../errors.ts";
import { hasEnded, isIsolateShared, LEASE_MS } from "../isolate.ts";
import { invalidOption } from "../options.ts";
import type { AcquireOptions, Permit, Slot, SlotProvider } from "./slot.ts";

interface Waiter {
  readonly joinedAt: number;
  readonly maxHoldMs: number;
  /** Time at which the call has looked for its turn. */
  seenAt: number;
  cancelTimer?: () => void;
  resolve(slot: Slot): void;
  reject(error: unknown): void;
}

/**
 * Queue of calls that wait for a provider's slots, first come, first served, with the hold that a `Retry-After` puts on them.
 *
 * A call joins, leaves or is admitted in constant time. Only the first call looks for its turn and has a timer.
 *
 * In an isolate that requests share, no call may settle the promise of another request, or rely on its timer. There, each call
 * has a timer and looks for its turn itself, and a call that no longer looks has lost its place.
 */
export class SlotQueue {
  readonly #provider: SlotProvider;
  readonly #clock: Clock;
  readonly #maxWait: number;
  readonly #isShared = isIsolateShared();
  readonly #waiters = new Set<Waiter>();
  /** Iterator that has returned the first call. A new one would pass every call that has left. */
  #order = this.#waiters.values();
  #first: Waiter | undefined;
  #asker: Waiter | undefined;
  #heldUntil = -Infinity;
  #cancelHold = () => {};
  /** No call in the queue has a shorter `maxHold`. */
  #shortestHoldMs = Infinity;

  constructor(provider: SlotProvider, clock: Clock, maxWait: number) {
    this.#provider = provider;
    this.#clock = clock;
    this.#maxWait = maxWait;
  }

  count(): number {
    this.#dropEnded();
    return this.#waiters.size;
  }

  /** Returns the milliseconds until a call with `ahead` calls in front of it may start, if the provider knows. */
  waitAfter(ahead: number): number | undefined {
    const at = this.#provider.startAfter?.(ahead, this.#heldUntil);
    return at === undefined ? undefined : at - this.#clock.now();
  }

  /** Returns a slot synchronously if it is free. */
  reserve(options: AcquireOptions = {}): Slot | Promise<Slot> {
    const ahead = this.count();
    const waitMs = this.waitAfter(ahead);
    if (waitMs !== undefined && !options.signal?.aborted) {
      if (waitMs > this.#maxWait) return Promise.reject(maxWaitError(waitMs));
      if (waitMs <= 0 && ahead === 0) return this.#toSlot(this.#provider.take() as Permit);
    }
    return this.#join(options);
  }

  /** Holds back every call until a time. A hold never shortens an earlier one, and visits the queue only if a call may have to be refused. */
  hold(untilEpochMs: number): void {
    if (!(typeof untilEpochMs === "number" && !Number.isNaN(untilEpochMs))) {
      throw invalidOption("holdUntil", "a time in epoch milliseconds");
    }
    const now = this.#clock.now();
    this.#heldUntil = Math.max(this.#heldUntil, now + untilEpochMs - Date.now());
    if (this.#isShared) return;
    // The call that met the 429 waits by a timer of its own, which fake timers may end while `performance.now()` stays real.
    this.#cancelHold();
    this.#cancelHold = this.#clock.setTimer(this.#heldUntil, () => {}, true);
    if (this.#heldUntil - now > this.#shortestHoldMs) {
      this.#shortestHoldMs = Infinity;
      for (const waiter of this.#waiters) {
        if (this.#refuseHeld(waiter)) continue;
        this.#shortestHoldMs = Math.min(this.#shortestHoldMs, waiter.maxHoldMs);
      }
    }
    this.#proceed();
  }

  #join({ signal, maxHold = Infinity }: AcquireOptions): Promise<Slot> {
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
        joinedAt: this.#clock.now(),
        maxHoldMs: maxHold,
        seenAt: performance.now(),
        resolve: endWith(resolve),
        reject: endWith(reject),
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#add(waiter);
      if (this.#isShared) this.#watch(waiter);
      else if (!this.#refuseHeld(waiter) && waiter === this.#first) this.#look(waiter, false);
    });
  }

  /** Admits and refuses calls, the first one first, until one has to wait. */
  #proceed(isDue = false): void {
    if (this.#isShared) return;
    let isFirstDue = isDue;
    while (this.#first && this.#look(this.#first, isFirstDue)) isFirstDue = false;
  }

  /** Lets a call in a shared isolate look for its turn, now and again by its own timer. Each look is also its sign of life. */
  #watch(waiter: Waiter, isDue = false): void {
    waiter.seenAt = performance.now();
    // A call that was late was taken for one whose request had ended.
    this.#add(waiter);
    this.#dropEnded();
    const ahead = [...this.#waiters].indexOf(waiter);
    if (ahead === 0 ? this.#look(waiter, isDue) : this.#refuseHeld(waiter)) return;
    const waitMs = Math.min(LEASE_MS, Math.max(1, this.waitAfter(ahead) ?? LEASE_MS));
    waiter.cancelTimer?.();
    waiter.cancelTimer = this.#clock.setTimer(this.#clock.now() + waitMs, () =>
      this.#watch(waiter, true),
    );
  }

  /** Admits or refuses the first call if it is time to, or sets its timer. Returns whether the call has left. */
  #look(waiter: Waiter, isDue: boolean): boolean {
    waiter.cancelTimer?.();
    if (this.#refuseHeld(waiter)) return true;
    const now = this.#clock.now();
    const lastAt = waiter.joinedAt + this.#maxWait;
    let at = this.#heldUntil;
    if (at <= now) {
      const reply = this.#take(waiter);
      if (typeof reply === "object") {
        waiter.resolve(this.#toSlot(reply));
        return true;
      }
      // While the provider is being asked, only a wait of unknown length can be too long.
      if (reply === undefined && !this.#provider.hasUnknownWait) return false;
      // Read again: the provider's own look at the clock was later than `now`, and a timer that is early would be set twice.
      at = reply === undefined ? lastAt : this.#clock.now() + reply;
    }
    if (at > now ? at > lastAt : isDue) {
      waiter.reject(maxWaitError(at > now ? at - now : undefined));
      return true;
    }
    if (at < Infinity) waiter.cancelTimer = this.#clock.setTimer(at, () => this.#proceed(true));
    return false;
  }

  /** Refuses a call whose `maxHold` is shorter than the rest of the hold. Returns whether it did. */
  #refuseHeld(waiter: Waiter): boolean {
    const holdMs = this.#heldUntil - this.#clock.now();
    if (holdMs <= waiter.maxHoldMs) return false;
    waiter.reject(new ThrottleError("held", { retryAfterMs: Math.ceil(holdMs) }));
    return true;
  }

  /** Takes a slot. Returns `undefined` while the provider is being asked. */
  #take(waiter: Waiter): Permit | number | undefined {
    // In a shared isolate, the reply for a call that has left may never arrive.
    if (this.#asker && (!this.#isShared || this.#waiters.has(this.#asker))) return undefined;
    const reply = this.#provider.take();
    if (!(reply instanceof Promise)) return reply;
    this.#asker = waiter;
    void this.#receive(reply, waiter);
    return undefined;
  }

  async #receive(reply: Promise<Permit | undefined>, asker: Waiter): Promise<void> {
    try {
      const permit = await reply;
      if (permit) this.#offer(permit, asker);
    } catch (cause) {
      this.#recipientOf(asker)?.reject(new ThrottleError("unavailable", { cause }));
    }
    if (this.#asker === asker) this.#asker = undefined;
    this.#proceed();
  }

  /** Returns the call that receives what was taken for a call, if any call still waits. */
  #recipientOf(asker: Waiter | undefined): Waiter | undefined {
    if (!this.#isShared) return this.#first;
    return asker && this.#waiters.has(asker) ? asker : undefined;
  }

  /** Admits a call with a permit, unless all calls have left or a hold has begun since it was taken. */
  #offer(permit: Permit, asker?: Waiter): void {
    const now = this.#clock.now();
    const recipient = this.#heldUntil > now ? undefined : this.#recipientOf(asker);
    if (recipient) recipient.resolve(this.#toSlot(permit));
    // A point given back after its window would be one too many in the next window. A lost point costs only one call.
    else if (now < permit.reusableUntil) permit.giveBack();
  }

  /** The methods are closures, not methods of a class: a throttle that wraps this one may copy them into its own slot. */
  #toSlot(permit: Permit): Slot {
    let isOpen = true;
    let isStarted = false;
    const end = () => {
      if (isStarted) permit.end?.();
    };
    return {
      start: () => {
        if (!isOpen) return;
        isOpen = false;
        isStarted = true;
        permit.start?.();
      },
      responded: end,
      cancel: () => {
        if (!isOpen) return end();
        isOpen = false;
        if (this.#clock.now() >= permit.reusableUntil) return;
        this.#offer(permit);
        this.#proceed();
      },
    };
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

  #dropEnded(): void {
    for (const waiter of this.#isShared ? this.#waiters : []) {
      if (hasEnded(waiter.seenAt)) this.#remove(waiter);
    }
  }
}

/** Creates the error for a wait that would exceed `maxWait`, or for a wait of unknown length that has exceeded it. */
const maxWaitError = (waitMs?: number): ThrottleError =>
  new ThrottleError("max_wait", waitMs === undefined ? {} : { retryAfterMs: Math.ceil(waitMs) });
