import type { AnyMessagingServiceError, RateLimitError, ThrottleError } from "../../errors.ts";
import { MAX_TIMER_MS } from "../../options.ts";

/** Pause in milliseconds after a 429 without `Retry-After`; it doubles until an item gets through. */
const FIRST_PAUSE_MS = 1000;

/** Returns whether an error asks for a pause instead of ending its item: a 429, or a throttle that is held or too full. */
export const asksForPause = (
  error: AnyMessagingServiceError | undefined,
): error is RateLimitError | ThrottleError =>
  error?.code === "rate_limit" || (error?.code === "throttle" && error.reason !== "unavailable");

/** Pauses of a whole run. */
export class Pauses {
  readonly #maxMs: number;
  #until = Number.NEGATIVE_INFINITY;
  #inARow = 0;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Records that an item got through. */
  reset(): void {
    this.#inARow = 0;
  }

  /** Begins a pause, or extends the current one. Returns `false` if it would be longer than allowed. */
  begin(retryAfterMs = 0): boolean {
    const now = performance.now();
    // Items that are under way together meet the same limit.
    if (now >= this.#until) this.#inARow += 1;
    const pauseMs = Math.max(retryAfterMs, FIRST_PAUSE_MS * 2 ** (this.#inARow - 1));
    if (pauseMs > this.#maxMs) return false;
    this.#until = Math.max(this.#until, now + pauseMs);
    return true;
  }

  /** Resolves at the end of the current pause, or when the signal fires. */
  async wait(signal: AbortSignal): Promise<void> {
    for (;;) {
      const leftMs = this.#until - performance.now();
      if (leftMs <= 0 || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          resolve();
        };
        const timer = setTimeout(end, Math.min(Math.ceil(leftMs), MAX_TIMER_MS));
        signal.addEventListener("abort", end, { once: true });
      });
    }
  }
}
