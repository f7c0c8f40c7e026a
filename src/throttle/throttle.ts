/** How a call waits for its slot. */
export interface AcquireOptions {
  /** Signal that takes the call out of the queue. */
  readonly signal?: AbortSignal | undefined;
  /** Longest hold that the call waits for, in milliseconds. Default: any. */
  readonly maxHold?: number | undefined;
}

/**
 * A slot that a call holds until its attempt starts. It counts against the limit all the while, so every slot
 * must be started or canceled. Only the first of the two has an effect.
 */
export interface Slot {
  /** Starts the attempt, which counts from now on. */
  start(): void;
  /** Tells that the service has responded, so that it received the request by now. An attempt may count from then. */
  responded?(): void;
  /** Gives the slot back unused: the next call in the queue gets it. */
  cancel(): void;
}

/** Decides when an attempt may start. Clients of one account share a budget by sharing a throttle. */
export interface Throttle {
  /** Resolves when an attempt may start, which counts from then on; rejects when none can be had, or the signal fires. */
  acquire(options?: AcquireOptions): Promise<void>;
  /**
   * Reserves a slot for an attempt that starts later. Returns it synchronously where one is free at once. Clients
   * prefer this to `acquire`, because they can then start the slot and the request in the same step.
   */
  reserve?(options?: AcquireOptions): Slot | Promise<Slot>;
  /** Holds back every attempt until a moment in epoch milliseconds: the service asked for it by `Retry-After`. */
  holdUntil?(epochMs: number): void;
}
