/** Options of a call's wait for its slot, as a client passes them to a throttle. */
export interface AcquireOptions {
  /** Signal that takes the call out of the queue. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Longest hold that the call waits for, in milliseconds (a client's `maxRetryAfter`); a longer hold fails the call. Default: no
   * limit.
   */
  readonly maxHold?: number | undefined;
  /** Called once if the call has to wait, with the expected wait in milliseconds if the throttle knows it. Default: none. */
  readonly onQueued?: ((expectedWaitMs?: number) => void) | undefined;
}

/**
 * Right to start one attempt, granted by a throttle. It counts against the limit from its reservation on, so every slot must be
 * started or canceled.
 */
export interface Slot {
  /** Starts the attempt, which counts from now on. Has no effect on a canceled slot. */
  start(): void;
  /**
   * Reports that the service has responded, so the request has arrived. A throttle may then count the attempt from now instead.
   */
  responded?(): void;
  /** Gives an unused slot to the next call in the queue. After `start`, reports that the attempt ended without a response. */
  cancel(): void;
}

export interface Permit {
  /** Time until which the permit may be used or given back. */
  readonly reusableUntil: number;
  start?(): void;
  /** Ends the attempt, if it has started and has not ended. */
  end?(): void;
  /** Returns an unused permit to the provider. Never throws. */
  giveBack(): void;
}

export interface SlotProvider {
  /** Whether `take` stays pending until a slot is due, so the wait is not known in advance. */
  readonly hasUnknownWait?: boolean;
  /**
   * Takes a slot, or returns the milliseconds to wait before the next request. A promise resolves to `undefined` if there is no
   * slot, and rejects if the provider fails.
   */
  take(): Permit | number | Promise<Permit | undefined>;
  /** Returns the earliest start of a call with `ahead` calls in front of it, if no call starts before `notBefore`. */
  startAfter?(ahead: number, notBefore: number): number;
}
