import { ThrottleError } from "../errors.ts";
import { invalidOption, type OptionNames } from "../options.ts";

/** Options of a call's wait for its slot, as a client passes them to a throttle. */
export interface AcquireOptions {
  /** Signal that takes the call out of the queue. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum hold that the call waits for, in milliseconds; a client passes its `maxRetryAfter`. During a longer hold, the call
   * fails at once. Default: no limit.
   */
  readonly maxHold?: number | undefined;
}

export const ACQUIRE_OPTIONS: OptionNames<AcquireOptions> = { signal: true, maxHold: true };

interface Waiter<T> {
  readonly joinedAt: number;
  readonly maxHoldMs: number;
  resolve(slot: T): void;
  reject(error: unknown): void;
  previous: Waiter<T> | undefined;
  next: Waiter<T> | undefined;
}

/**
 * Queue of calls that wait for a slot, first come, first served, with the hold that a `Retry-After` puts on them.
 *
 * The queue is a linked list: a call joins, leaves or is admitted in constant time. All times are values of
 * `performance.now()`, which is monotonic: a correction of the system clock neither admits more calls nor delays them.
 */
export class WaitingQueue<T> {
  readonly #onAbort: () => void;
  #first: Waiter<T> | undefined;
  #last: Waiter<T> | undefined;
  #length = 0;
  #heldUntil = -Infinity;

  /** @param onAbort Called after a signal has taken a call out of the queue. */
  constructor(onAbort: () => void) {
    this.#onAbort = onAbort;
  }

  get length(): number {
    return this.#length;
  }

  /** Time at which the first call joined; infinity if the queue is empty. */
  get firstJoinedAt(): number {
    return this.#first?.joinedAt ?? Infinity;
  }

  /** End of the hold; in the past if there is none. */
  get heldUntil(): number {
    return this.#heldUntil;
  }

  /** Adds a call to the queue. Resolves to its slot when the call is admitted. */
  join({ signal, maxHold = Infinity }: AcquireOptions): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const holdMs = this.#heldUntil - performance.now();
      if (holdMs > maxHold) return reject(heldError(holdMs));
      const leave = () => {
        signal?.removeEventListener("abort", onAbort);
        this.#unlink(waiter);
      };
      const onAbort = () => {
        waiter.reject(signal?.reason);
        this.#onAbort();
      };
      const waiter: Waiter<T> = {
        joinedAt: performance.now(),
        maxHoldMs: maxHold,
        resolve: (slot) => {
          leave();
          resolve(slot);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
        previous: this.#last,
        next: undefined,
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      if (this.#last) this.#last.next = waiter;
      else this.#first = waiter;
      this.#last = waiter;
      this.#length += 1;
    });
  }

  /** Admits the first call. Returns whether there was one. */
  admitFirst(slot: T): boolean {
    const first = this.#first;
    first?.resolve(slot);
    return first !== undefined;
  }

  /** Removes the first call, which rejects with an error. */
  refuseFirst(error: unknown): void {
    this.#first?.reject(error);
  }

  /** Removes every call whose turn would come more than `maxWaitMs` after it joined; it rejects with a `ThrottleError`. */
  refuseLate(maxWaitMs: number, turnAfter: (ahead: number) => number): void {
    let ahead = 0;
    for (const waiter of this.#waiters()) {
      const turn = turnAfter(ahead);
      if (turn - waiter.joinedAt > maxWaitMs) waiter.reject(maxWaitError(turn));
      else ahead += 1;
    }
  }

  /** Holds back every call until a time. A hold never shortens an earlier hold. */
  hold(untilEpochMs: number): void {
    if (!(typeof untilEpochMs === "number" && !Number.isNaN(untilEpochMs))) {
      throw invalidOption("holdUntil", "a time in epoch milliseconds");
    }
    const holdMs = untilEpochMs - Date.now();
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + holdMs);
    const longestMs = this.#heldUntil - performance.now();
    for (const waiter of this.#waiters()) {
      if (longestMs > waiter.maxHoldMs) waiter.reject(heldError(longestMs));
    }
  }

  *#waiters(): Generator<Waiter<T>> {
    for (let waiter = this.#first; waiter; ) {
      const { next }: Waiter<T> = waiter;
      yield waiter;
      waiter = next;
    }
  }

  #unlink({ previous, next }: Waiter<T>): void {
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    this.#length -= 1;
  }
}

const heldError = (holdMs: number): ThrottleError =>
  new ThrottleError("held", { retryAfterMs: Math.ceil(holdMs) });

/** Creates the error for a turn that would exceed `maxWait`, or for a wait of unknown length that has exceeded `maxWait`. */
export const maxWaitError = (turn?: number): ThrottleError =>
  new ThrottleError(
    "max_wait",
    turn === undefined ? {} : { retryAfterMs: Math.ceil(turn - performance.now()) },
  );
