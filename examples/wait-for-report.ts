// Waits for a report and saves its file: `node wait-for-report.ts 7 report.csv`, where 7 is the report's id. Ctrl+C and SIGTERM stop waiting.
import { rename, writeFile } from "node:fs/promises";
import { AbortError, MessagingServiceError, V2Client } from "messaging-service-client";
import { downloadReport } from "messaging-service-client/reports";

const reportId = Number(process.argv[2]);
const path = process.argv[3] ?? `report-${reportId}.csv`;
const interval = Number(process.env.POLL_MS ?? 10_000); // each poll is one of the 1200 calls an hour

const controller = new AbortController();
const { signal } = controller;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => controller.abort());

const showProgress = (fraction: number, words: string) => {
  const bar = "█".repeat(Math.round(fraction * 20)).padEnd(20, "░");
  process.stderr.write(`\r${bar} ${(fraction * 100).toFixed(0).padStart(3)} %  ${words}`);
};

const v2 = new V2Client();
try {
  const report = await v2.momtReports.waitUntilFinished(reportId, {
    interval,
    totalTimeout: 30 * 60_000,
    signal,
    onProgress: ({ percent_complete, processed_rows, total_rows }) =>
      showProgress(percent_complete / 100, `${processed_rows} of ${total_rows ?? "?"} rows`),
  });
  process.stderr.write("\n");
  if (report.cancelled || report.s3_url === null) {
    console.error("The report was cancelled or failed:", report.run_errors);
    process.exit(1);
  }
  const { body } = await downloadReport(report, {
    signal,
    onProgress: ({ received, total }) =>
      showProgress(total ? received / total : 0, `${received} of ${total ?? "?"} bytes`),
  });
  // The file has a temporary name until it is complete, so nobody mistakes a partial file for the report.
  await writeFile(`${path}.part`, body);
  await rename(`${path}.part`, path);
  process.stderr.write("\n");
  console.log(`${report.mo_count} messages from phones, ${report.mt_count} to phones`);
  console.log(`Saved as ${path}`);
} catch (error) {
  if (!MessagingServiceError.is(error)) throw error;
  const hint = AbortError.is(error) ? "; the service still makes the report" : "";
  console.error(`\n${error.message}${hint}`);
  process.exitCode = 1;
}
