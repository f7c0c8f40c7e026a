import { ThrottleError } from "../errors/throttle-error.ts";
import { invalidOption } from "../options/assertions.ts";

/** How a caller waits for a slot. */
export interface AcquireOptions {
  /** Takes the caller out of the line when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** The longest hold that the caller waits for, in milliseconds. Default: any. */
  readonly maxHold?: number | undefined;
}

interface Waiter {
  readonly joinedAt: number;
  readonly maxHoldMs: number;
  admit(): void;
  refuse(error: unknown): void;
}

/**
 * Callers that wait for a slot, first come first served, and the hold that a `Retry-After` put on them.
 *
 * Moments are on the clock of `performance.now()`: nobody sets it, so that a clock that is put right
 * neither lets more calls through nor keeps them waiting.
 */
export class WaitingLine {
  readonly #waiters: Waiter[] = [];
  readonly #onChange: () => void;
  #heldUntil = Number.NEGATIVE_INFINITY;

  /** @param onChange called when someone joins or leaves, or the hold changes. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get length(): number {
    return this.#waiters.length;
  }

  /** In the past when nothing is held. */
  get heldUntil(): number {
    return this.#heldUntil;
  }

  /** Resolves when the caller is admitted. */
  join({ signal, maxHold = Number.POSITIVE_INFINITY }: AcquireOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener("abort", onAbort);
        const index = this.#waiters.indexOf(waiter);
        if (index >= 0) this.#waiters.splice(index, 1);
      };
      const onAbort = () => {
        waiter.refuse(signal?.reason);
        this.#onChange();
      };
      const waiter: Waiter = {
        joinedAt: performance.now(),
        maxHoldMs: maxHold,
        admit: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiters.push(waiter);
      this.#refuseWhoWillNotWait();
      this.#onChange();
    });
  }

  /** Lets the first in; whether there was one. */
  admitFirst(): boolean {
    const [first] = this.#waiters;
    first?.admit();
    return first !== undefined;
  }

  /** Turns the first away. */
  refuseFirst(error: unknown): void {
    this.#waiters[0]?.refuse(error);
  }

  /** Turns away whoever would wait longer than that, by when the turn of each comes. */
  refuseLate(maxWaitMs: number, turnAfter: (ahead: number) => number): void {
    let ahead = 0;
    for (const waiter of [...this.#waiters]) {
      const turn = turnAfter(ahead);
      if (turn - waiter.joinedAt > maxWaitMs) waiter.refuse(tooLong(turn));
      else ahead += 1;
    }
  }

  /** Holds everyone back until a moment, never a shorter time than an earlier hold. */
  hold(untilEpochMs: number): void {
    if (!(typeof untilEpochMs === "number" && !Number.isNaN(untilEpochMs))) {
      throw invalidOption("holdUntil", "a moment in epoch milliseconds");
    }
    const holdMs = untilEpochMs - Date.now();
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + holdMs);
    this.#refuseWhoWillNotWait();
    this.#onChange();
  }

  #refuseWhoWillNotWait(): void {
    const holdMs = this.#heldUntil - performance.now();
    for (const waiter of this.#waiters.filter(({ maxHoldMs }) => holdMs > maxHoldMs)) {
      waiter.refuse(new ThrottleError("held", { retryAfterMs: Math.ceil(holdMs) }));
    }
  }
}

/** That a turn comes too late for who waits for it. */
export const tooLong = (turn: number): ThrottleError =>
  new ThrottleError("max_wait", { retryAfterMs: Math.ceil(turn - performance.now()) });
