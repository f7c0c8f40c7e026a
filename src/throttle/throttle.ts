import type { OptionNames } from "../options.ts";

/** Options of a call's wait for its slot. */
export interface AcquireOptions {
  /** Signal that takes the call out of the queue. */
  readonly signal?: AbortSignal | undefined;
  /** Longest hold that the call waits for, in milliseconds. Default: any. */
  readonly maxHold?: number | undefined;
}

export const ACQUIRE_OPTIONS: OptionNames<AcquireOptions> = { signal: true, maxHold: true };

/**
 * A slot that a call holds until its attempt starts. It counts against the limit from its reservation, so every slot must
 * be started or canceled.
 */
export interface Slot {
  /** Starts the attempt, which counts from now on. Has no effect on a slot that was canceled. */
  start(): void;
  /**
   * Reports that the service has responded, so that it has received the request by now. An attempt may count from then.
   */
  responded?(): void;
  /**
   * Gives the slot back unused; the next call in the queue gets it. After `start`, it reports that the attempt has ended
   * without a response.
   */
  cancel(): void;
}

/** Throttle, which decides when an attempt may start. Clients of one account share a budget by sharing a throttle. */
export interface Throttle {
  /**
   * Resolves when an attempt may start, which counts from then on; rejects if no slot can be had, or the signal fires.
   */
  acquire(options?: AcquireOptions): Promise<void>;
  /**
   * Reserves a slot for an attempt that starts later. Returns it synchronously if one is free at once. Clients
   * prefer this to `acquire`, because they can then start the slot and the request in the same step.
   */
  reserve?(options?: AcquireOptions): Slot | Promise<Slot>;
  /** Holds back every attempt until a time in epoch milliseconds, because the service asked for it by `Retry-After`. */
  holdUntil?(epochMs: number): void;
}
