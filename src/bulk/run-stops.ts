import type { AnyMessagingServiceError } from "../core/errors.ts";
import { withoutUndefined } from "../core/options.ts";
import { startTimer, type WaitResult, waitFor } from "../core/wait-for.ts";
import type { RunSettings } from "./run-options.ts";
import type { RunSummary, StopReason } from "./run-result.ts";

type StopSettings = Pick<RunSettings<never>, "stop" | "signal" | "deadline">;

/** Decides whether a run continues, and ends its waits when it stops. */
export class RunStops {
  readonly #settings: StopSettings;
  readonly #onStop: () => void;
  readonly #waitController = new AbortController();
  #stopped: Pick<RunSummary, "stopped" | "error"> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(settings: StopSettings, onStop: () => void) {
    this.#settings = settings;
    this.#onStop = onStop;
  }

  /** Whether nothing more may start. The deadline is checked here as well, because its timer may be late. */
  get isStopped(): boolean {
    return this.#stopped !== undefined || this.#isLate;
  }

  get #isLate(): boolean {
    return Date.now() >= this.#settings.deadline;
  }

  stop(reason?: StopReason, error?: AnyMessagingServiceError): void {
    if (this.#stopped) return;
    this.#stopped = withoutUndefined({ stopped: reason, error });
    this.#onStop();
    this.#waitController.abort();
  }

  /** Stops the run, which then rejects with the first error that was passed to this method. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop();
  }

  /** Waits for work that may never settle. A stop or the time limit ends the wait. */
  wait<T>(work: Promise<T>, limitMs?: number): Promise<WaitResult<T>> {
    return waitFor(work, limitMs, this.#waitController.signal);
  }

  /** Listens for the signals and the deadline of the run. Returns a function that removes every listener and timer. */
  listen(abort: (reason: unknown) => void): () => void {
    const { stop, signal, deadline } = this.#settings;
    const onStop = () => this.stop("signal");
    const onAbort = () => {
      onStop();
      abort(signal?.reason);
    };
    const onDeadline = () => this.stop("deadline");
    const leftMs = deadline - Date.now();
    let cancelTimer = () => {};
    stop?.addEventListener("abort", onStop);
    signal?.addEventListener("abort", onAbort);
    if (leftMs <= 0) onDeadline();
    else if (leftMs < Number.POSITIVE_INFINITY) cancelTimer = startTimer(leftMs, onDeadline);
    if (stop?.aborted || signal?.aborted) onStop();
    return () => {
      cancelTimer();
      stop?.removeEventListener("abort", onStop);
      signal?.removeEventListener("abort", onAbort);
    };
  }

  /** @param isComplete Whether every item has its result. In that case, a stop from outside does not count. */
  toReason(isComplete: boolean): Pick<RunSummary, "stopped" | "error"> {
    if (this.#failure) throw this.#failure.error;
    if (isComplete && !this.#stopped?.error) return {};
    return this.#stopped ?? (this.#isLate ? { stopped: "deadline" } : {});
  }
}
