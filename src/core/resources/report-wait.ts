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

/**
 * Polls a report until it is finished, and resolves to it. The time limit and the signal apply to every phase: polls, callbacks
 * and pauses.
 */
export const waitForReport = async (
  options: WaitOptions,
  retrieve: (options: RequestOptions) => Promise<MomtReport>,
): Promise<MomtReport> => {
  const table = ownOptions();
  assertOptions("options", options, { ...CALL_OPTIONS, ...table });
  const { interval, totalTimeout, signal, onEvent, onProgress, isFinished } = readEach(
    options,
    table,
  );
  let timer = new CallTimer(signal, totalTimeout);
  /** Time after which a late end shows a jump of the clock. The time of callbacks, which may block the event loop, is added. */
  let endsAt = performance.now() + totalTimeout;
  let hasJumped = false;
  let attempts = 0;
  let callId: string | undefined;
  let lastError: AnyMessagingServiceError | undefined;
  /** Number of polls in a row that have failed. */
  let errors = 0;

  const timed = async (work: () => unknown): Promise<unknown> => {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      endsAt += performance.now() - startedAt;
    }
  };

  const hear = (event: ClientEvent): unknown => {
    if (event.type === "request") {
      attempts += 1;
      callId = event.callId;
    }
    return timed(() => onEvent?.(event));
  };

  // All other options apply to each poll.
  const others = Object.entries(options).filter(([name]) => !Object.hasOwn(table, name));
  const pollOptions = { ...copyOptions(Object.fromEntries(others)), onEvent: hear };

  const callBack = async (report: MomtReport): Promise<unknown> => {
    try {
      await onProgress?.(report);
      return await isFinished(report);
    } catch (thrown) {
      throw new CallbackFailure(thrown);
    }
  };

  /** Polls once. Resolves to the report if it is finished; otherwise, to the pause before the next poll in milliseconds. */
  const poll = async (): Promise<MomtReport | number> => {
    const polled = await timer.run((phase) =>
      retrieve({ ...pollOptions, signal: phase.signal }).catch((thrown: unknown) => {
        if (MessagingServiceError.is(thrown) && thrown.isTransient) return thrown;
        throw thrown;
      }),
    );
    if (!MessagingServiceError.is(polled)) {
      lastError = undefined;
      errors = 0;
      return (await timed(() => timer.run(() => callBack(polled)))) ? polled : interval;
    }
    lastError = polled;
    errors += 1;
    const { retryAfterMs = 0 } = polled;
    const isOneTooMany = totalTimeout === Infinity && errors === MAX_ERRORS;
    if (isOneTooMany || retryAfterMs > timer.remainingMs) throw polled;
    return Math.max(interval, retryAfterMs);
  };

  /** Returns the error of a wait that has timed out, with the error of its last poll if that poll failed. */
  const timeoutError = (outcome: Outcome): TimeoutError => {
    const error = new TimeoutError("total", totalTimeout, outcome, { cause: lastError });
    if (lastError)
      error.message = `the wait took longer than ${totalTimeout} ms; its last poll failed: ${lastError.message}`;
    return error;
  };

  /** Throws the error, unless the wait has timed out after a jump of the clock. In that case, the wait may poll once more. */
  const passJump = (error: unknown): void => {
    if (!TimeoutError.is(error) || error.endpoint !== undefined) throw error;
    const lateMs = performance.now() - endsAt;
    if (hasJumped || lateMs < LATE_MS) throw timeoutError(error.outcome);
    hasJumped = true;
    timer = new CallTimer(signal, totalTimeout);
  };

  try {
    for (;;) {
      try {
        const next = await poll();
        if (typeof next === "object") return next;
        if (hasJumped) throw timeoutError("unknown");
        // Without a timer, the polls of a `fetch` that never waits, such as a mock, would block the event loop.
        await timer.pause(Math.max(1, next));
      } catch (error) {
        passJump(error);
      }
    }
  } catch (error) {
    if (error instanceof CallbackFailure) throw error.thrown;
    throw toCallError(error, {
      endpoint: retrieveMomtReport.id,
      callId,
      attempts,
      previousOutcome: attempts === 0 ? "not_sent" : "unknown",
    });
  }
};
