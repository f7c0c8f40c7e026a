import type { ApiPromise } from "../http/api-promise.ts";
import { CallTimer } from "../http/call-timer.ts";
import type { ClientEvent } from "../http/events.ts";
import type { RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import {
  assertDuration,
  assertFunction,
  assertOptions,
  assertSignal,
  type OptionNames,
  optionOr,
  toTimeLimit,
} from "../options.ts";
import type { MomtReport } from "../schemas/momt-report.ts";
import { retrieveMomtReport } from "../wire/v2.ts";

/** Options of a wait for a report. All options of a call but `totalTimeout` and `signal` apply to each poll. */
export interface WaitOptions extends RequestOptions {
  /** Pause between two polls in milliseconds. Each poll is a call. Default: 10 000. */
  readonly interval?: number | undefined;
  /**
   * Timeout of the whole wait in milliseconds, callbacks included; the client's `totalTimeout` applies to each poll. Default:
   * `false`, no limit.
   */
  readonly totalTimeout?: number | false | undefined;
  /**
   * Callback for the report of each poll, the last one included. Its promise is awaited; an error that it throws ends the wait.
   */
  readonly onProgress?: ((report: MomtReport) => unknown) | undefined;
  /**
   * Callback that returns whether a report is finished; it may return a promise. Default: the report is cancelled, or has run
   * errors, or has its file (`s3_url`) and is completed (`import_completed_at`) or at 100 percent.
   */
  readonly isFinished?: ((report: MomtReport) => boolean | Promise<boolean>) | undefined;
}

const WAIT_OPTIONS: OptionNames<WaitOptions> = {
  interval: true,
  onProgress: true,
  isFinished: true,
  signal: true,
  timeout: true,
  totalTimeout: true,
  retry: true,
  headers: true,
  validateRequests: true,
  responseValidation: true,
  onEvent: true,
};

/** Returns whether a report will not change any more. The states of a report are not documented. */
const isFinishedReport = (report: MomtReport): boolean => {
  const { cancelled, run_errors, s3_url, import_completed_at, percent_complete } = report;
  const hasErrors =
    typeof run_errors === "object" ? Object.keys(run_errors ?? {}).length > 0 : run_errors;
  const isComplete = Boolean(import_completed_at) || percent_complete >= 100;
  return Boolean(cancelled) || Boolean(hasErrors) || (Boolean(s3_url) && isComplete);
};

/** Methods for reports on messages that phones sent and received. */
export class MomtReports {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Retrieves the status and the data of a report (specification: "Version 2", endpoint 8).
   *
   * @param reportId Id of the report, a positive integer.
   * @throws {@link ValidationError} when `reportId` is not a positive integer. Nothing is sent then.
   * @throws {@link NotFoundError}, typically, when there is no such report.
   * @throws {@link ApiError}, {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError}, {@link AbortError} or
   * {@link ResponseValidationError}, as any call does; TypeError when an option is not valid.
   * @example
   * const { percent_complete } = await v2.momtReports.retrieve(3);
   */
  retrieve(reportId: number, options?: RequestOptions): ApiPromise<MomtReport> {
    return this.#send(retrieveMomtReport, { params: { ID: reportId } }, options);
  }

  /**
   * Polls a report (specification: "Version 2", endpoint 8) until its file is complete, or it is cancelled or has run errors.
   *
   * @param reportId Id of the report, a positive integer.
   * @returns the report of the last poll. Unless it is `cancelled` or has `run_errors`, `downloadReport` can follow.
   * @throws {@link TimeoutError} when `totalTimeout` is over, and {@link AbortError} when `signal` fires, also in a callback.
   * @throws {@link ValidationError} when `reportId` is not a positive integer. Nothing is sent then.
   * @throws {@link NotFoundError}, typically, when there is no such report.
   * @throws {@link ApiError}, {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError}, {@link AbortError} or
   * {@link ResponseValidationError}, as any call does; TypeError when an option is not valid or does not exist.
   * @throws what `onProgress` or `isFinished` throws.
   * @example
   * const report = await v2.momtReports.waitUntilFinished(3, {
   *   onProgress: ({ percent_complete }) => console.log(`${percent_complete} %`),
   * });
   */
  async waitUntilFinished(reportId: number, options: WaitOptions = {}): Promise<MomtReport> {
    const { interval, totalTimeout, signal, onProgress, isFinished, ...each } = assertOptions(
      "options",
      options,
      WAIT_OPTIONS,
    );
    const listener = optionOr("onEvent", each.onEvent, undefined, assertFunction);
    const report = optionOr("onProgress", onProgress, undefined, assertFunction);
    const isLast = optionOr("isFinished", isFinished, isFinishedReport, assertFunction);
    const intervalMs = optionOr("interval", interval, 10_000, assertDuration);
    const limitMs = optionOr("totalTimeout", totalTimeout, Infinity, toTimeLimit);
    optionOr("signal", signal, undefined, assertSignal);
    let attempts = 0;
    let callId: string | undefined;
    const onEvent = (event: ClientEvent) => {
      if (event.type === "request") {
        attempts += 1;
        callId = event.callId;
      }
      return listener?.(event);
    };
    // Its time limit and signal bound every phase: the polls, the callbacks and the pauses.
    const timer = new CallTimer(signal, limitMs, () => ({
      endpoint: retrieveMomtReport.id,
      callId,
      attempts,
      previousOutcome: attempts === 0 ? "not_sent" : "unknown",
    }));
    for (;;) {
      const polled = await timer.run((ended) =>
        this.retrieve(reportId, { ...each, signal: ended, onEvent }),
      );
      const isOver = await timer.run(async () => {
        await report?.(polled);
        return isLast(polled);
      });
      if (isOver) return polled;
      await timer.pause(intervalMs);
    }
  }
}
