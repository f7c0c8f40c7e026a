import type { RateLimitError, ThrottleError } from "../core/errors.ts";
import { startTimer } from "../core/wait-for.ts";

/** First pause in milliseconds if the service does not state how long to wait; it doubles until an item gets through. */
const FIRST_PAUSE_MS = 1000;

/** Pauses of a run, in which nothing starts. A pause is as long as a 429 or the throttle asks for. */
export class Pauses {
  readonly #maxPauseMs: number;
  readonly #onChange: () => void;
  #current: Promise<void> | undefined;
  #resolve = () => {};
  #cancelTimer = () => {};
  #isLimited = false;
  #until = new Date(0);
  #endsAt = 0;
  /** Number of rate limits since an item last got through. */
  #limitsInARow = 0;
  #isStopped = false;

  /** @param onChange Called when a pause begins, is extended or ends, but not when a stop ends it. */
  constructor(maxPauseMs: number, onChange: () => void) {
    this.#maxPauseMs = maxPauseMs;
    this.#onChange = onChange;
  }

  /** Promise that resolves at the end of the current pause, or when the run stops; `undefined` if there is no pause. */
  get current(): Promise<void> | undefined {
    return this.#current;
  }

  get until(): Date | undefined {
    return this.#current && this.#until;
  }

  /** Whether the service asked for the current pause. Otherwise, an attempt that has its slot of the throttle may still start. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  /** Resets the backoff after an item got through, whether or not the service accepted it. */
  reset(): void {
    this.#limitsInARow = 0;
  }

  /** Pauses for as long as a 429 or the throttle asks for. Returns `false` if that exceeds the longest pause. */
  add(error: RateLimitError | ThrottleError): boolean {
    // Attempts that end during a pause were on the wire together, and met the same limit.
    if (!this.#current) this.#limitsInARow += 1;
    const backoffMs = FIRST_PAUSE_MS * 2 ** Math.max(0, this.#limitsInARow - 1);
    // The pauses grow even if the service always asks for a pause of 0, so such a service eventually stops the run.
    const leastMs = this.#limitsInARow > 1 ? backoffMs / 2 : 0;
    const pauseMs = Math.max(error.retryAfterMs ?? backoffMs, leastMs);
    if (pauseMs > this.#maxPauseMs) return false;
    const endsAt = performance.now() + pauseMs;
    if (this.#isStopped || pauseMs === 0 || endsAt <= this.#endsAt) return true;
    this.#isLimited ||= error.code === "rate_limit";
    this.#endsAt = endsAt;
    this.#until = new Date(Date.now() + pauseMs);
    this.#current ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#cancelTimer();
    // Only the timer ends the pause, because a test may fake the timers but not the clocks.
    this.#cancelTimer = startTimer(Math.ceil(pauseMs), () => {
      this.#end();
      this.#onChange();
    });
    this.#onChange();
    return true;
  }

  /** Ends the current pause and prevents further pauses. */
  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  #end(): void {
    this.#cancelTimer();
    this.#current = undefined;
    this.#isLimited = false;
    this.#endsAt = 0;
    this.#resolve();
  }
}
