import { ThrottleError } from "../errors.ts";
import { isIsolateShared, Lease } from "../isolate.ts";
import { invalidOption, type OptionNames } from "../options.ts";
import type { Clock } from "./clock.ts";

/** Options of a call's wait for its slot, as a client passes them to a throttle. */
export interface AcquireOptions {
  /** Signal that takes the call out of the queue. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum hold that the call waits for, in milliseconds; a client passes its `maxRetryAfter`. During a longer hold, the call
   * fails at once. Default: no limit.
   */
  readonly maxHold?: number | undefined;
  /**
   * End of the hold that the call has already waited for, in epoch milliseconds. Its own timer has shown that this time has
   * come, even if a clock shows less. Default: none.
   */
  readonly heldUntil?: number | undefined;
}

export const ACQUIRE_OPTIONS: OptionNames<AcquireOptions> = {
  signal: true,
  maxHold: true,
  heldUntil: true,
};

/** Call that waits for a slot. */
export interface Waiter<T> {
  readonly joinedAt: number;
  readonly maxHoldMs: number;
  readonly lease: Lease;
  timer: ReturnType<typeof setTimeout> | undefined;
  resolve(slot: T): void;
  reject(error: unknown): void;
}

/**
 * Function that admits or refuses a call if it is time to, and otherwise returns the time at which to look again.
 *
 * @param ahead Number of calls in front of the call.
 * @param isDue Whether the time has come that the function returned before.
 */
export type Turn<T> = (waiter: Waiter<T>, ahead: number, isDue: boolean) => number;

/**
 * Queue of calls that wait for a slot, first come, first served, with the hold that a `Retry-After` puts on them.
 *
 * A call joins, leaves or is admitted in constant time. Only the first call has a timer, and when it has left, the next call
 * gets its turn at once.
 *
 * In an isolate that requests share, no call may settle the promise of another request, or rely on its timer. There, each call
 * has a timer and looks for its turn itself, and a call whose lease is over has lost its place.
 */
export class WaitingQueue<T> {
  readonly #clock: Clock;
  readonly #turn: Turn<T>;
  readonly #isShared = isIsolateShared();
  readonly #waiters = new Set<Waiter<T>>();
  /** Iterator that has returned the first call. A new one would pass every call that has left. */
  #order = this.#waiters.values();
  #first: Waiter<T> | undefined;
  #heldUntil = -Infinity;
  #heldUntilEpochMs = -Infinity;
  /** No call in the queue has a shorter `maxHold`. */
  #shortestHoldMs = Infinity;

  constructor(clock: Clock, turn: Turn<T>) {
    this.#clock = clock;
    this.#turn = turn;
  }

  get length(): number {
    return this.#waiters.size;
  }

  get first(): Waiter<T> | undefined {
    return this.#first;
  }

  /** End of the hold; in the past if there is none. */
  get heldUntil(): number {
    return this.#heldUntil;
  }

  has(waiter: Waiter<T>): boolean {
    return this.#waiters.has(waiter);
  }

  /** Adds a call to the queue. Resolves to its slot when the call is admitted. */
  join({ signal, maxHold = Infinity }: AcquireOptions): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const endWith =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(waiter.timer);
          waiter.lease.end();
          signal?.removeEventListener("abort", onAbort);
          this.#remove(waiter);
          settle(value);
        };
      const onAbort = () => {
        const isFirst = waiter === this.#first;
        waiter.reject(signal?.reason);
        if (isFirst) this.proceed();
      };
      const waiter: Waiter<T> = {
        joinedAt: this.#clock.now(),
        maxHoldMs: maxHold,
        lease: new Lease(this.#isShared, () => this.#look(waiter)),
        timer: undefined,
        resolve: endWith(resolve),
        reject: endWith(reject),
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#add(waiter);
      this.#look(waiter);
    });
  }

  /** Admits and refuses calls, the first one first, until one has to wait. */
  proceed(isDue = false): void {
    if (this.#isShared) return;
    let isFirstDue = isDue;
    while (this.#first && !this.#look(this.#first, isFirstDue)) isFirstDue = false;
  }

  /** Removes the calls whose requests have ended. */
  dropEnded(): void {
    for (const waiter of this.#isShared ? this.#waiters : []) {
      if (waiter.lease.isOver) this.#remove(waiter);
    }
  }

  /** Removes every call whose turn would come more than `maxWaitMs` after it joined; it rejects with a `ThrottleError`. */
  refuseLate(maxWaitMs: number, turnAfter: (ahead: number) => number): void {
    let ahead = 0;
    for (const waiter of this.#waiters) {
      const turn = turnAfter(ahead);
      if (turn - waiter.joinedAt > maxWaitMs) waiter.reject(maxWaitError(turn - this.#clock.now()));
      else ahead += 1;
    }
  }

  /**
   * Holds back every call until a time. A hold never shortens an earlier hold. It visits the queue only if a call may have to
   * be refused.
   */
  hold(untilEpochMs: number): void {
    if (!(typeof untilEpochMs === "number" && !Number.isNaN(untilEpochMs))) {
      throw invalidOption("holdUntil", "a time in epoch milliseconds");
    }
    const now = this.#clock.now();
    const until = now + untilEpochMs - Date.now();
    if (until > this.#heldUntil) {
      this.#heldUntil = until;
      this.#heldUntilEpochMs = untilEpochMs;
    }
    const holdMs = this.#heldUntil - now;
    if (this.#isShared || holdMs <= this.#shortestHoldMs) return;
    this.#shortestHoldMs = Infinity;
    for (const waiter of this.#waiters) {
      if (holdMs > waiter.maxHoldMs) waiter.reject(heldError(holdMs));
      else this.#shortestHoldMs = Math.min(this.#shortestHoldMs, waiter.maxHoldMs);
    }
  }

  /** Ends the hold if a call has already waited for its end. */
  endHold(untilEpochMs = -Infinity): void {
    if (this.#heldUntilEpochMs <= untilEpochMs) this.#clock.reach(this.#heldUntil);
  }

  /** Refuses a call, gives it its turn, or sets its timer. Returns whether the call still waits. */
  #look(waiter: Waiter<T>, isDue = false): boolean {
    clearTimeout(waiter.timer);
    let ahead = 0;
    if (this.#isShared) {
      // A call that was late was taken for one whose request had ended.
      this.#add(waiter);
      this.dropEnded();
      ahead = [...this.#waiters].indexOf(waiter);
    }
    const holdMs = this.#heldUntil - this.#clock.now();
    if (holdMs > waiter.maxHoldMs) waiter.reject(heldError(holdMs));
    else if (this.#isShared || waiter === this.#first) {
      const at = this.#turn(waiter, ahead, isDue);
      if (this.has(waiter) && at < Infinity) {
        waiter.timer = this.#clock.setTimer(at, (isOnTime) => {
          if (this.#isShared) this.#look(waiter, isOnTime);
          else this.proceed(isOnTime);
        });
      }
    }
    return this.has(waiter);
  }

  #add(waiter: Waiter<T>): void {
    this.#waiters.add(waiter);
    this.#first ??= this.#order.next().value;
    this.#shortestHoldMs = Math.min(this.#shortestHoldMs, waiter.maxHoldMs);
  }

  #remove(waiter: Waiter<T>): void {
    this.#waiters.delete(waiter);
    if (waiter === this.#first) this.#first = this.#order.next().value;
    if (this.#first) return;
    this.#order = this.#waiters.values();
    this.#shortestHoldMs = Infinity;
  }
}

const heldError = (holdMs: number): ThrottleError =>
  new ThrottleError("held", { retryAfterMs: Math.ceil(holdMs) });

/** Creates the error for a wait that would exceed `maxWait`, or for a wait of unknown length that has exceeded it. */
export const maxWaitError = (waitMs?: number): ThrottleError =>
  new ThrottleError("max_wait", waitMs === undefined ? {} : { retryAfterMs: Math.ceil(waitMs) });
