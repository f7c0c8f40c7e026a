import type { ApiPromise } from "../call/api-promise.ts";
import { Resource, sendOf } from "../call/send-of.ts";
import type { RequestOptions } from "../call/settings.ts";
import type { MomtReport } from "../schemas/momt-report.ts";
import { retrieveMomtReport } from "../wire/v2.ts";
import { type WaitOptions, waitForReport } from "./report-wait.ts";

/** Methods for MOMT reports, which cover messages that phones sent and received: `v2.momtReports`. */
export class MomtReports extends Resource {
  /**
   * Retrieves the status and the data of a report.
   *
   * @param reportId Id of the report, a positive integer.
   * @returns Current report, which may not be finished.
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
   * A poll that, after its retries, fails in a transient way does not end the wait before `totalTimeout`, unless its `Retry-After`
   * is longer than the rest of that time. Without `totalTimeout`, five such polls in a row end it. If the computer slept during a
   * poll or a pause, the wait polls once more before it times out.
   *
   * @param reportId Id of the report, a positive integer.
   * @returns Report of the last poll. If it has an `s3_url`, you can pass it to `downloadReport`.
   * @throws A {@link MessagingServiceError}: the error of a poll that fails, if it ends the wait; a {@link TimeoutError} if
   * `totalTimeout` is over; an {@link AbortError} if `signal` fires. The last two do not wait for a callback that is running.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @throws The error that `onProgress` or `isFinished` throws.
   * @example
   * const report = await v2.momtReports.waitUntilFinished(3, {
   *   onProgress: ({ percent_complete }) => console.log(`${percent_complete} %`),
   * });
   */
  async waitUntilFinished(reportId: number, options: WaitOptions = {}): Promise<MomtReport> {
    return waitForReport(options, (pollOptions) => this.retrieve(reportId, pollOptions));
  }
}
