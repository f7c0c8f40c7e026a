/**
 * Downloads the files of finished reports.
 *
 * @module messaging-service-client/reports
 */
export { type DownloadedReport, type DownloadOptions, downloadReport } from "./download-report.ts";
