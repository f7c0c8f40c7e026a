import type { AnyMessagingServiceError } from "../errors.ts";
import { given, MAX_TIMER_MS } from "../options.ts";
import { type WaitResult, waitFor } from "../wait-for.ts";
import type { RunSettings } from "./run-options.ts";
import type { RunSummary, StopReason } from "./run-result.ts";

/** Options that stop a run from outside. */
type StopSettings = Pick<RunSettings<never>, "stop" | "signal" | "deadline">;

/** Decides whether a run goes on, and ends its waits when it does not. */
export class RunStops {
  readonly #settings: StopSettings;
  readonly #onStop: () => void;
  readonly #aborted = new AbortController();
  /** Ends the current waits. */
  readonly #ended = new AbortController();
  #stopped: Pick<RunSummary, "stopped" | "error"> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** @param onStop Called once, when the run stops. */
  constructor(settings: StopSettings, onStop: () => void) {
    this.#settings = settings;
    this.#onStop = onStop;
  }

  /** Fires with the caller's `signal`, on which many listeners would look like a leak. */
  get aborted(): AbortSignal {
    return this.#aborted.signal;
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Whether anything may start now. Stops the run if its deadline has passed. */
  get mayStart(): boolean {
    if (Date.now() >= this.#settings.deadline) this.stop("deadline");
    return !this.isStopped;
  }

  /** Stops the run, unless it has stopped before. */
  stop(reason?: StopReason, error?: AnyMessagingServiceError): void {
    if (this.isStopped) return;
    this.#stopped = given({ stopped: reason, error });
    this.#onStop();
    this.#ended.abort();
  }

  /** Stops the run, which rejects with this error unless an earlier error has stopped it. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop();
  }

  /** Waits for work that may never settle. A stop or the time limit ends the wait. */
  wait<T>(work: Promise<T>, limitMs?: number): Promise<WaitResult<T>> {
    return waitFor(work, limitMs, this.#ended.signal);
  }

  /**
   * Listens for what stops the run from outside. Returns a function that removes every listener and timer.
   *
   * @param abort Aborts the requests on the wire: the caller's `signal` has fired.
   */
  listen(abort: (reason: unknown) => void): () => void {
    const { stop, signal, deadline } = this.#settings;
    const onStop = () => this.stop("signal");
    const onAbort = () => {
      onStop();
      abort(signal?.reason);
      this.#aborted.abort();
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const awaitDeadline = (now: number) => {
      const leftMs = Math.min(deadline - now, MAX_TIMER_MS);
      // The timer has fired, whatever the clock shows: fake timers may leave it behind.
      const onTimer = () => awaitDeadline(Math.max(Date.now(), now + leftMs));
      if (leftMs > 0) timer = setTimeout(onTimer, leftMs);
      else this.stop("deadline");
    };
    stop?.addEventListener("abort", onStop);
    signal?.addEventListener("abort", onAbort);
    if (deadline < Number.POSITIVE_INFINITY) awaitDeadline(Date.now());
    if (stop?.aborted || signal?.aborted) onStop();
    return () => {
      clearTimeout(timer);
      stop?.removeEventListener("abort", onStop);
      signal?.removeEventListener("abort", onAbort);
    };
  }

  /**
   * Returns the reason for the stop, or throws the error that stopped the run.
   *
   * @param isComplete Whether every item has its result. A stop from outside then does not count.
   */
  toReason(isComplete: boolean): Pick<RunSummary, "stopped" | "error"> {
    if (this.#failure) throw this.#failure.error;
    return !this.#stopped || (isComplete && !this.#stopped.error) ? {} : this.#stopped;
  }
}
