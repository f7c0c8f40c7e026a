import type { ApiPromise } from "../call/api-promise.ts";
import { CallTimer } from "../call/call-timer.ts";
import type { ClientEvent } from "../call/events.ts";
import { Resource, sendOf } from "../call/send-of.ts";
import { CALL_OPTIONS, copyOptions, type RequestOptions } from "../call/settings.ts";
import {
  type AnyMessagingServiceError,
  MessagingServiceError,
  TimeoutError,
  toCallError,
} from "../errors.ts";
import {
  assertDuration,
  assertFunction,
  assertOptions,
  assertSignal,
  or,
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
   * Timeout of the whole wait in milliseconds, callbacks included, or `false` for none. The client's `totalTimeout` applies to
   * each poll. Default: `false`.
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

const OWN_OPTIONS = { interval: true, onProgress: true, isFinished: true } as const;

/** Returns whether a report is finished, as far as its fields show: the states of a report are not documented. */
const isFinishedReport = (report: MomtReport): boolean => {
  const { cancelled, run_errors, s3_url, import_completed_at, percent_complete } = report;
  const hasErrors =
    typeof run_errors === "object" ? Object.keys(run_errors ?? {}).length > 0 : run_errors;
  const isComplete = Boolean(import_completed_at) || percent_complete >= 100;
  return Boolean(cancelled) || Boolean(hasErrors) || (Boolean(s3_url) && isComplete);
};

/** Maximum number of polls in a row that fail in a transient way, without a `totalTimeout`. */
const MAX_ERRORS = 5;
/** Time in milliseconds by which a timer is late if the clock has jumped, as on a computer that slept. */
const LATE_MS = 100;

/** Returns the error of a wait that is over, with the error of its last poll, if that failed. */
const waitError = (
  late: TimeoutError,
  lastError: AnyMessagingServiceError | undefined,
): TimeoutError => {
  if (!lastError) return late;
  const error = new TimeoutError("total", late.timeoutMs, late.outcome, { cause: lastError });
  error.message = `the wait took longer than ${late.timeoutMs} ms; its last poll failed: ${lastError.message}`;
  return error;
};

/** Methods for MOMT reports, on messages that phones sent and received: `v2.momtReports`. */
export class MomtReports extends Resource {
  /**
   * Retrieves the status and the data of a report.
   *
   * @param reportId Id of the report, a positive integer.
   * @returns Report at this moment; it may not be finished.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError}, before anything is sent, if `reportId` is not a positive
   * integer; typically, a {@link NotFoundError} if there is no such report.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * const { percent_complete } = await v2.momtReports.retrieve(3);
   */
  retrieve(reportId: number, options?: RequestOptions): ApiPromise<MomtReport> {
    return sendOf(this)(retrieveMomtReport, { params: { ID: reportId } }, options);
  }

  /**
   * Polls a report until its file is complete, or until it is cancelled or has run errors.
   *
   * A poll that fails in a transient way does not end the wait before `totalTimeout`; without one, five such polls in a row do. If
   * the computer slept, the wait polls once more before its time is over.
   *
   * @param reportId Id of the report, a positive integer.
   * @returns Report of the last poll. Unless it is `cancelled` or has `run_errors`, you can pass it to `downloadReport`.
   * @throws A {@link MessagingServiceError}: the error of a poll that fails, if it ends the wait; a {@link TimeoutError} if `totalTimeout` is over; an
   * {@link AbortError} if `signal` fires. The last two do not wait for a callback that is running.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @throws The error that `onProgress` or `isFinished` throws.
   * @example
   * const report = await v2.momtReports.waitUntilFinished(3, {
   *   onProgress: ({ percent_complete }) => console.log(`${percent_complete} %`),
   * });
   */
  async waitUntilFinished(reportId: number, options: WaitOptions = {}): Promise<MomtReport> {
    assertOptions("options", options, { ...CALL_OPTIONS, ...OWN_OPTIONS });
    const { interval, totalTimeout, signal, onProgress, isFinished, ...others } = options;
    const pollOptions = copyOptions(others);
    const listener = or(assertFunction)("onEvent", pollOptions.onEvent);
    or(assertFunction)("onProgress", onProgress);
    const isLast = or(assertFunction, isFinishedReport)("isFinished", isFinished);
    const intervalMs = or(assertDuration, 10_000)("interval", interval);
    const limitMs = or(toTimeLimit, Infinity)("totalTimeout", totalTimeout);
    or(assertSignal)("signal", signal);
    let attempts = 0;
    let callId: string | undefined;
    const onEvent = (event: ClientEvent) => {
      if (event.type === "request") {
        attempts += 1;
        callId = event.callId;
      }
      return listener?.(event);
    };
    // Its time limit and signal apply to every phase: polls, callbacks and pauses.
    let timer = new CallTimer(signal, limitMs);
    const endsAt = performance.now() + limitMs;
    let failure: { readonly thrown: unknown } | undefined;
    let lastError: AnyMessagingServiceError | undefined;
    let errors = 0;
    /** Polls once. Resolves to the report if it is finished; otherwise, to the pause before the next poll in milliseconds. */
    const poll = async (): Promise<MomtReport | number> => {
      const polled = await timer.run((phase) =>
        this.retrieve(reportId, { ...pollOptions, signal: phase.signal, onEvent }).catch(
          (thrown: unknown) => {
            if (MessagingServiceError.is(thrown) && thrown.isTransient) return thrown;
            throw thrown;
          },
        ),
      );
      if (MessagingServiceError.is(polled)) {
        lastError = polled;
        errors += 1;
        const { retryAfterMs = 0 } = polled;
        const isOneTooMany = limitMs === Infinity && errors === MAX_ERRORS;
        if (isOneTooMany || retryAfterMs > timer.remainingMs) throw polled;
        return Math.max(intervalMs, retryAfterMs);
      }
      lastError = undefined;
      errors = 0;
      const isOver = await timer.run(async () => {
        try {
          await onProgress?.(polled);
          return await isLast(polled);
        } catch (thrown) {
          failure = { thrown };
          throw thrown;
        }
      });
      return isOver ? polled : intervalMs;
    };
    let hasJumped = false;
    try {
      for (;;) {
        try {
          const next = await poll();
          if (typeof next === "object") return next;
          if (hasJumped) throw new TimeoutError("total", limitMs, "unknown");
          await timer.pause(next);
        } catch (error) {
          const isLate = error !== failure?.thrown && TimeoutError.is(error);
          if (!isLate || error.endpoint !== undefined) throw error;
          if (hasJumped || performance.now() - endsAt < LATE_MS) throw waitError(error, lastError);
          hasJumped = true;
          timer = new CallTimer(signal, limitMs);
        }
      }
    } catch (error) {
      // An error of a callback is the caller's own.
      if (error === failure?.thrown) throw error;
      const previousOutcome = attempts === 0 ? "not_sent" : "unknown";
      const { id: endpoint } = retrieveMomtReport;
      throw toCallError(error, { endpoint, callId, attempts, previousOutcome });
    }
  }
}
