// Waits for a report, with progress: `npm run example wait-for-report 3`, where 3 is the report's id. Ctrl+C gives up.
import { AbortError, TimeoutError, V2Client } from "messaging-service-client";

const reportId = Number(process.argv[2]);
const interval = Number(process.env.POLL_MS ?? 10_000); // each poll is one of 1200 calls an hour

const controller = new AbortController();
process.once("SIGINT", () => controller.abort());

const v2 = new V2Client();
try {
  const report = await v2.momtReports.waitUntilFinished(reportId, {
    interval,
    totalTimeout: 30 * 60_000,
    signal: controller.signal,
    onProgress: ({ percent_complete, processed_rows, total_rows }) => {
      const bar = "█".repeat(Math.round(percent_complete / 5)).padEnd(20, "░");
      const rows = `${processed_rows} of ${total_rows ?? "?"} rows`;
      process.stderr.write(`\r${bar} ${percent_complete.toFixed(0).padStart(3)} %  ${rows}`);
    },
  });
  process.stderr.write("\n");
  if (report.cancelled || report.run_errors) {
    console.error("The report was cancelled, or failed:", report.run_errors);
    process.exitCode = 1;
  } else {
    console.log(`${report.mo_count} messages from phones, ${report.mt_count} to phones`);
    console.log(`file: ${report.s3_url}`);
  }
} catch (error) {
  if (!AbortError.is(error) && !TimeoutError.is(error)) throw error;
  console.error(`\n${error.message}; the report itself goes on`);
  process.exitCode = 1;
}
