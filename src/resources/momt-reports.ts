import type { ApiPromise } from "../http/api-promise.ts";
import type { ClientEvent } from "../http/events.ts";
import type { RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import type { MomtReport } from "../schemas/momt-report.ts";
import { retrieveMomtReport } from "../wire/v2.ts";
import { poll } from "./poll.ts";

/** How a report is waited for. Other than `totalTimeout`, the options of a call hold for each poll. */
export interface WaitOptions extends RequestOptions {
  /** Milliseconds between two polls; each costs a call. Default: 10 000. */
  readonly interval?: number | undefined;
  /** Milliseconds for the whole wait; the client's bounds each poll. Default: `false`, no limit. */
  readonly totalTimeout?: number | false | undefined;
  /** Told every report that is polled, the last one too. A promise is waited for; what it throws ends the wait. */
  readonly onProgress?: ((report: MomtReport) => unknown) | undefined;
  /** Whether a report is finished. Default: counts calculated, import completed, 100 percent, cancelled, or with run errors. */
  readonly isFinished?: ((report: MomtReport) => boolean) | undefined;
}

/** The states of a report are not documented; any of these fields says that nothing more will come. */
const isFinishedReport = (report: MomtReport): boolean => {
  const { counts_calculated, import_completed_at, percent_complete, cancelled, run_errors } =
    report;
  const hasErrors =
    typeof run_errors === "object" ? Object.keys(run_errors ?? {}).length > 0 : run_errors;
  return (
    counts_calculated === true ||
    Boolean(import_completed_at) ||
    percent_complete >= 100 ||
    Boolean(cancelled) ||
    Boolean(hasErrors)
  );
};

/** Reports on messages that phones sent and received. */
export class MomtReports {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Status and data of a report (specification: "Version 2", endpoint 8).
   *
   * @param reportId a positive integer.
   * @throws {@link NotFoundError} when there is no such report.
   * @example
   * const { percent_complete } = await v2.momtReports.retrieve(3);
   */
  retrieve(reportId: number, options?: RequestOptions): ApiPromise<MomtReport> {
    return this.#send(retrieveMomtReport, { params: { ID: reportId } }, options);
  }

  /**
   * Polls a report until it is completed, cancelled or has run errors.
   *
   * @param reportId a positive integer.
   * @throws {@link TimeoutError} when `totalTimeout` is over.
   * @example
   * const report = await v2.momtReports.waitUntilFinished(3, {
   *   onProgress: ({ percent_complete }) => console.log(`${percent_complete} %`),
   * });
   */
  waitUntilFinished(reportId: number, options: WaitOptions = {}): Promise<MomtReport> {
    const { interval, totalTimeout, signal, onProgress, isFinished, ...each } = options;
    return poll(
      retrieveMomtReport.id,
      (ended, onAttempt) => {
        const onEvent = (event: ClientEvent) => {
          if (event.type === "request") onAttempt();
          return each.onEvent?.(event);
        };
        return this.retrieve(reportId, { ...each, signal: ended, onEvent });
      },
      async (report) => {
        await onProgress?.(report);
        return (isFinished ?? isFinishedReport)(report);
      },
      { interval, totalTimeout, signal },
    );
  }
}
