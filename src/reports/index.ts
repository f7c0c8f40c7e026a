/**
 * Downloads the files of finished reports.
 *
 * @module messaging-service-client/reports
 */
export type { DownloadedReport, DownloadOptions } from "./download-report.ts";
export { downloadReport } from "./download-report.ts";
