import { Clock } from "../clock.ts";
import { AbortError, type Outcome, TimeoutError } from "../errors.ts";
import { Phase } from "../transport/attempt.ts";
import { runWithin } from "../wait-for.ts";

/**
 * Timer that ends a call when the caller's signal fires or `totalTimeout` is over.
 *
 * A call is a sequence of phases (a wait for the throttle, an attempt, a pause), each run by `run`. Between phases there is
 * neither a listener on the signal nor a timer.
 */
export class CallTimer {
  readonly #signal: AbortSignal | undefined;
  readonly #totalTimeoutMs: number;
  readonly #clock = new Clock();
  readonly #endsAt: number;

  constructor(signal: AbortSignal | undefined, totalTimeoutMs: number) {
    this.#signal = signal;
    this.#totalTimeoutMs = totalTimeoutMs;
    this.#endsAt = this.now + totalTimeoutMs;
  }

  get now(): number {
    return this.#clock.now();
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
   * @param outcomeIfEnded Outcome of the call if the timer ends this phase, asked at that moment.
   */
  async run<T>(
    work: (phase: Phase) => PromiseLike<T>,
    outcomeIfEnded: () => Outcome = () => "not_sent",
    limitMs: number = Infinity,
    phase: Phase = new Phase(),
  ): Promise<T> {
    this.check(outcomeIfEnded());
    const { remainingMs } = this;
    return await runWithin(work(phase), Math.min(remainingMs, limitMs), this.#signal, (by) => {
      const outcome = outcomeIfEnded();
      phase.end();
      if (by === "stopped") throw this.#abortError(outcome);
      throw remainingMs < limitMs
        ? new TimeoutError("total", this.#totalTimeoutMs, outcome)
        : new TimeoutError("attempt", limitMs, outcome);
    });
  }

  /** Waits, even for longer than a single timer can. */
  async pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    await this.run(
      (phase) =>
        new Promise<void>((resolve) => {
          phase.work = { cancel: this.#clock.setTimer(this.now + ms, resolve) };
        }),
    );
  }

  #abortError(outcome: Outcome): AbortError {
    const cause = this.#signal?.reason;
    return new AbortError("aborted", outcome, { cause });
  }
}
