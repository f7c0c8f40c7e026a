import { AbortError, type Outcome, TimeoutError } from "../errors.ts";
import { Phase } from "../transport/attempt.ts";
import { startTimer } from "../wait-for.ts";

/**
 * Timer that ends a call when the caller's signal fires or `totalTimeout` is over.
 *
 * A call is a sequence of phases (a wait for the throttle, an attempt, a pause), each run by `run`. Between phases there is
 * neither a listener on the signal nor a timer.
 */
export class CallTimer {
  readonly #signal: AbortSignal | undefined;
  readonly #totalTimeoutMs: number;
  readonly #endsAt: number;
  /** Time that has passed by the call's own timers, but not by `performance.now()`, as with fake timers. */
  #unseenMs = 0;

  constructor(signal: AbortSignal | undefined, totalTimeoutMs: number) {
    this.#signal = signal;
    this.#totalTimeoutMs = totalTimeoutMs;
    this.#endsAt = performance.now() + totalTimeoutMs;
  }

  get now(): number {
    return performance.now() + this.#unseenMs;
  }

  get remainingMs(): number {
    const endsAt = this.#endsAt;
    return endsAt === Infinity ? endsAt : Math.max(0, endsAt - this.now);
  }

  /** @param outcome Outcome of the call if the phase may not begin. */
  check(outcome: Outcome = "not_sent"): void {
    if (this.#signal?.aborted) throw this.#abortError(outcome);
    if (this.remainingMs === 0) throw new TimeoutError("total", this.#totalTimeoutMs, outcome);
  }

  /**
   * Runs one phase. Settles like its work, or rejects as soon as its time is over.
   *
   * @param outcomeIfEnded Outcome of the call if the timer ends this phase.
   */
  run<T>(
    work: (phase: Phase) => PromiseLike<T>,
    outcomeIfEnded: Outcome = "not_sent",
    limitMs: number = Infinity,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      // After a 2xx response the call is done, even if the phase that reads it may not begin.
      this.check(outcomeIfEnded === "done" ? "done" : "not_sent");
      const signal = this.#signal;
      const { remainingMs } = this;
      const phase = new Phase();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const fail = (error: unknown) => {
        release();
        reject(error);
      };
      const end = (error: unknown) => {
        fail(error);
        phase.end();
      };
      const outcome = () => (phase.work?.isUnsent ? "not_sent" : outcomeIfEnded);
      const onAbort = () => end(this.#abortError(outcome()));
      const onTimeout = () =>
        end(
          remainingMs < limitMs
            ? new TimeoutError("total", this.#totalTimeoutMs, outcome())
            : new TimeoutError("attempt", limitMs, outcome()),
        );
      const ms = Math.min(remainingMs, limitMs);
      if (ms < Infinity) timer = setTimeout(onTimeout, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
      try {
        work(phase).then((value) => {
          release();
          resolve(value);
        }, fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  /** Waits, even for longer than a single timer can. */
  async pause(ms: number): Promise<void> {
    const endsAt = this.now + ms;
    if (ms > 0) {
      await this.run(
        (phase) =>
          new Promise<void>((resolve) => {
            phase.work = { cancel: startTimer(ms, resolve) };
          }),
      );
    }
    // The pause is over when its timers have fired, whatever the clock shows.
    this.#unseenMs += Math.max(0, endsAt - this.now);
  }

  #abortError(outcome: Outcome): AbortError {
    const cause = this.#signal?.reason;
    return new AbortError("aborted", outcome, { cause });
  }
}
