import { ThrottleError } from "../errors.ts";

/** How a caller waits for a slot. */
export interface AcquireOptions {
  /** Takes the caller out of the line when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** The longest hold that the caller waits for, in milliseconds. Default: any. */
  readonly maxHold?: number | undefined;
}

interface Waiter {
  readonly maxHoldMs: number;
  admit(): void;
  refuse(error: unknown): void;
}

/** Callers that wait for a slot, first come first served, and the hold that a `Retry-After` put on them. */
export class WaitingLine {
  readonly #waiters: Waiter[] = [];
  readonly #onChange: () => void;
  #heldUntil = 0;

  /** @param onChange called when someone joins or leaves, or the hold changes. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get length(): number {
    return this.#waiters.length;
  }

  /** Epoch milliseconds; in the past when nothing is held. */
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
      const onAbort = () => waiter.refuse(signal?.reason);
      const waiter: Waiter = {
        maxHoldMs: maxHold,
        admit: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
          this.#onChange();
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

  /** Holds everyone back until a moment, never a shorter time than an earlier hold. */
  hold(untilEpochMs: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, untilEpochMs);
    this.#refuseWhoWillNotWait();
    this.#onChange();
  }

  #refuseWhoWillNotWait(): void {
    const holdMs = this.#heldUntil - Date.now();
    for (const waiter of this.#waiters.filter(({ maxHoldMs }) => holdMs > maxHoldMs)) {
      waiter.refuse(new ThrottleError("held", { retryAfterMs: holdMs }));
    }
  }
}
