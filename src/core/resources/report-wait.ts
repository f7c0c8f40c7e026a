import { CallTimer } from "../call/call-timer.ts";
import type { ClientEvent } from "../call/events.ts";
import { CALL_OPTIONS, copyOptions, type RequestOptions } from "../call/settings.ts";
import {
  type AnyMessagingServiceError,
  MessagingServiceError,
  type Outcome,
  TimeoutError,
  toCallError,
} from "../errors.ts";
import {
  assertDuration,
  assertFunction,
  assertOptions,
  assertSignal,
  or,
  type ReadFrom,
  readEach,
  toTimeLimit,
} from "../options.ts";
import type { MomtReport } from "../schemas/momt-report.ts";
import { retrieveMomtReport } from "../wire/v2.ts";

/**
 * Options of `waitUntilFinished`. All options of a call except `totalTimeout` and `signal` apply to each poll.
 *
 * @category Options
 */
export interface WaitOptions extends RequestOptions {
  /** Pause between two polls in milliseconds, 0 or more. Each poll is a call. Default: 10 000. */
  readonly interval?: number | undefined;
  /**
   * Timeout of the whole wait in milliseconds, callbacks included, or `false` for none; the client's applies to each poll.
   * Default: `false`.
   */
  readonly totalTimeout?: number | false | undefined;
  /**
   * Callback that receives every report, including the last. It may return a promise, which is awaited. If it throws,
   * the wait ends with its error. Default: none.
   */
  readonly onProgress?: ((report: MomtReport) => unknown) | undefined;
  /**
   * Callback that returns whether a report is finished. It may return a promise. If it throws, the wait ends with its error.
   * Default: the report is `cancelled`, or has `run_errors`, or has its file (`s3_url`) and is completed
   * (`import_completed_at`) or at 100 percent.
   */
  readonly isFinished?: ((report: MomtReport) => boolean | Promise<boolean>) | undefined;
}

/** Number of polls in a row that fail in a transient way after which a wait without a `totalTimeout` ends. */
const MAX_ERRORS = 5;
/** Minimum delay of a timer in milliseconds that shows that the clock has jumped, for example because the computer slept. */
const LATE_MS = 100;

/** Returns whether the fields of a report show that it is finished. The states of a report are not documented. */
const isFinishedReport = (report: MomtReport): boolean => {
  const { cancelled, run_errors, s3_url, import_completed_at, percent_complete } = report;
  const hasErrors =
    typeof run_errors === "object" ? Object.keys(run_errors ?? {}).length > 0 : run_errors;
  const isComplete = Boolean(import_completed_at) || percent_complete >= 100;
  return Boolean(cancelled) || Boolean(hasErrors) || (Boolean(s3_url) && isComplete);
};

const ownOptions = () => ({
  interval: or(assertDuration, 10_000),
  totalTimeout: or(toTimeLimit, Infinity),
  signal: or(assertSignal),
  onEvent: or(assertFunction<(event: ClientEvent) => unknown>),
  onProgress: or(assertFunction<(report: MomtReport) => unknown>),
  isFinished: or(assertFunction<(report: MomtReport) => unknown>, isFinishedReport),
});

/** Wrapper for a value that a callback of the caller threw. The wait ends with this value, whatever it is. */
class CallbackFailure {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    this.thrown = thrown;
  }
}

/** One wait for a report. Its time limit and signal apply to every phase: polls, callbacks and pauses. */
export class ReportWait {
  readonly #retrieve: (options: RequestOptions) => Promise<MomtReport>;
  readonly #options: ReadFrom<ReturnType<typeof ownOptions>>;
  readonly #pollOptions: RequestOptions;
  /** Time after which a late end shows a jump of the clock. The time of callbacks, which may block the event loop, is added. */
  #endsAt: number;
  #timer: CallTimer;
  #hasJumped = false;
  #attempts = 0;
  #callId: string | undefined;
  #lastError: AnyMessagingServiceError | undefined;
  /** Number of polls in a row that have failed. */
  #errors = 0;

  constructor(options: WaitOptions, retrieve: (options: RequestOptions) => Promise<MomtReport>) {
    const table = ownOptions();
    assertOptions("options", options, { ...CALL_OPTIONS, ...table });
    const { interval, totalTimeout, signal, onProgress, isFinished, ...pollOptions } = options;
    this.#retrieve = retrieve;
    this.#options = readEach(options, table);
    this.#pollOptions = { ...copyOptions(pollOptions), onEvent: (event) => this.#hear(event) };
    this.#timer = new CallTimer(this.#options.signal, this.#options.totalTimeout);
    this.#endsAt = performance.now() + this.#options.totalTimeout;
  }

  /** Resolves to the report as soon as it is finished. */
  async run(): Promise<MomtReport> {
    try {
      for (;;) {
        try {
          const next = await this.#poll();
          if (typeof next === "object") return next;
          if (this.#hasJumped) throw this.#timeoutError("unknown");
          // Without a timer, the polls of a `fetch` that never waits, such as a mock, would block the event loop.
          await this.#timer.pause(Math.max(1, next));
        } catch (error) {
          this.#passJump(error);
        }
      }
    } catch (error) {
      if (error instanceof CallbackFailure) throw error.thrown;
      throw toCallError(error, {
        endpoint: retrieveMomtReport.id,
        callId: this.#callId,
        attempts: this.#attempts,
        previousOutcome: this.#attempts === 0 ? "not_sent" : "unknown",
      });
    }
  }

  #hear(event: ClientEvent): unknown {
    if (event.type === "request") {
      this.#attempts += 1;
      this.#callId = event.callId;
    }
    return this.#timed(() => this.#options.onEvent?.(event));
  }

  async #timed(work: () => unknown): Promise<unknown> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#endsAt += performance.now() - startedAt;
    }
  }

  /** Polls once. Resolves to the report if it is finished; otherwise, to the pause before the next poll in milliseconds. */
  async #poll(): Promise<MomtReport | number> {
    const polled = await this.#timer.run(({ signal }) =>
      this.#retrieve({ ...this.#pollOptions, signal }).catch((thrown: unknown) => {
        if (MessagingServiceError.is(thrown) && thrown.isTransient) return thrown;
        throw thrown;
      }),
    );
    const { interval, totalTimeout } = this.#options;
    if (!MessagingServiceError.is(polled)) {
      this.#lastError = undefined;
      this.#errors = 0;
      return (await this.#isFinished(polled)) ? polled : interval;
    }
    this.#lastError = polled;
    this.#errors += 1;
    const { retryAfterMs = 0 } = polled;
    const isOneTooMany = totalTimeout === Infinity && this.#errors === MAX_ERRORS;
    if (isOneTooMany || retryAfterMs > this.#timer.remainingMs) throw polled;
    return Math.max(interval, retryAfterMs);
  }

  #isFinished(report: MomtReport): Promise<unknown> {
    const { onProgress, isFinished } = this.#options;
    const work = async () => {
      try {
        await onProgress?.(report);
        return await isFinished(report);
      } catch (thrown) {
        throw new CallbackFailure(thrown);
      }
    };
    return this.#timed(() => this.#timer.run(work));
  }

  /** Throws the error, unless the wait has timed out after a jump of the clock. In that case, the wait may poll once more. */
  #passJump(error: unknown): void {
    if (!TimeoutError.is(error) || error.endpoint !== undefined) throw error;
    const lateMs = performance.now() - this.#endsAt;
    if (this.#hasJumped || lateMs < LATE_MS) throw this.#timeoutError(error.outcome);
    this.#hasJumped = true;
    this.#timer = new CallTimer(this.#options.signal, this.#options.totalTimeout);
  }

  /** Returns the error of a wait that has timed out, with the error of its last poll if that poll failed. */
  #timeoutError(outcome: Outcome): TimeoutError {
    const { totalTimeout } = this.#options;
    const cause = this.#lastError;
    const error = new TimeoutError("total", totalTimeout, outcome, { cause });
    if (cause)
      error.message = `the wait took longer than ${totalTimeout} ms; its last poll failed: ${cause.message}`;
    return error;
  }
}
