import { Clock } from "../clock.ts";
import { AbortError, type Outcome, TimeoutError } from "../errors.ts";
import { Phase } from "../transport/attempt.ts";
import { runWithin } from "../wait-for.ts";

const NOT_SENT = (): Outcome => "not_sent";

/**
 * Timer that ends a call when the caller's signal fires or `totalTimeout` is over.
 *
 * A call is a sequence of phases (a wait for the throttle, an attempt, a pause), each run by `run`. Between phases, no listener
 * is on the signal and no timer is set.
 */
export class CallTimer {
  readonly #signal: AbortSignal | undefined;
  readonly #totalTimeoutMs: number;
  /** Created for the first pause. Fake timers may end a pause while `performance.now()` does not advance. */
  #clock: Clock | undefined;
  readonly #endsAt: number;

  constructor(signal: AbortSignal | undefined, totalTimeoutMs: number) {
    this.#signal = signal;
    this.#totalTimeoutMs = totalTimeoutMs;
    this.#endsAt = this.now + totalTimeoutMs;
  }

  get now(): number {
    return this.#clock?.now() ?? performance.now();
  }

  get remainingMs(): number {
    const endsAt = this.#endsAt;
    return endsAt === Infinity ? endsAt : Math.max(0, endsAt - this.now);
  }

  /** @param outcomeIfEnded Returns the outcome of the call if a phase may not start. */
  check(outcomeIfEnded: () => Outcome = NOT_SENT): void {
    if (this.#signal?.aborted) throw this.#abortError(outcomeIfEnded());
    if (this.remainingMs > 0) return;
    throw new TimeoutError("total", this.#totalTimeoutMs, outcomeIfEnded());
  }

  /**
   * Runs one phase. Settles like its work, or rejects as soon as the time of the phase is over.
   *
   * @param outcomeIfEnded Returns the outcome of the call at the moment when the timer ends this phase.
   */
  async run<T>(
    work: (phase: Phase) => Promise<T>,
    outcomeIfEnded: () => Outcome = NOT_SENT,
    limitMs: number = Infinity,
    phase: Phase = new Phase(),
  ): Promise<T> {
    this.check(outcomeIfEnded);
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

  /** Waits, even for longer than a single timer can run. */
  async pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    this.#clock ??= new Clock();
    const clock = this.#clock;
    await this.run(
      (phase) =>
        new Promise<void>((resolve) => {
          phase.work = { cancel: clock.setTimer(clock.now() + ms, resolve) };
        }),
    );
  }

  #abortError(outcome: Outcome): AbortError {
    const cause = this.#signal?.reason;
    return new AbortError("aborted", outcome, { cause });
  }
}
