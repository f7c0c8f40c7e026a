import { MAX_TIMER_MS } from "../options/assertions.ts";

/** That a phase of a call was ended before its work was done. */
export class Interruption {
  readonly by: "signal" | "attempt" | "total";
  /** Whether the work had begun. */
  readonly begun: boolean;
  /** The reason of the caller's signal. */
  readonly reason: unknown;

  constructor(by: "signal" | "attempt" | "total", begun: boolean, reason?: unknown) {
    this.by = by;
    this.begun = begun;
    this.reason = reason;
  }
}

/**
 * What can end a call early: the caller's signal, and the clock that bounds the whole call.
 *
 * A call is a row of phases (a wait for the throttle, an attempt, a pause), each run by `bound`. Only
 * while a phase runs does anything listen to the signal, and is a timer set.
 */
export class CallClock {
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;

  constructor(signal: AbortSignal | undefined, totalTimeoutMs: number) {
    this.#signal = signal;
    this.#deadline = performance.now() + totalTimeoutMs;
  }

  /** Milliseconds that are left of the whole call. */
  get remainingMs(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  /** @throws Interruption when nothing more may begin. */
  check(): void {
    if (this.#signal?.aborted) throw new Interruption("signal", false, this.#signal.reason);
    if (this.remainingMs === 0) throw new Interruption("total", false);
  }

  /** Settles as the work does, or rejects with an {@link Interruption} as soon as its time is over. */
  bound<T>(
    work: (signal: AbortSignal) => Promise<T>,
    limitMs: number = Number.POSITIVE_INFINITY,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      this.check();
      const signal = this.#signal;
      const { remainingMs } = this;
      const controller = new AbortController();
      const interrupt = (by: Interruption["by"]) => {
        release();
        reject(new Interruption(by, true, signal?.reason));
        controller.abort();
      };
      const onAbort = () => interrupt("signal");
      const ms = Math.min(remainingMs, limitMs);
      const timer =
        ms < Number.POSITIVE_INFINITY
          ? setTimeout(interrupt, ms, remainingMs < limitMs ? "total" : "attempt")
          : undefined;
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      work(controller.signal).then(
        (value) => {
          release();
          resolve(value);
        },
        (error: unknown) => {
          release();
          reject(error);
        },
      );
    });
  }

  /** A pause, of any length. */
  async pause(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= MAX_TIMER_MS) {
      await this.bound(
        (signal) =>
          new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, Math.min(leftMs, MAX_TIMER_MS));
            signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
          }),
      );
    }
  }
}
