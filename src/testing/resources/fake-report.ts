import type { MomtReport } from "../../schemas/momt-report.ts";

/** Origin of the files of finished reports. */
export const FILES_ORIGIN = "https://files.messaging.test";

/** Report as the fake stores it. */
export interface StoredReport {
  /** Report as it was added. */
  readonly resource: MomtReport;
  readonly startedMs: number;
  /** Time in milliseconds until the report is complete; `undefined` leaves it as it was added. */
  readonly durationMs: number | undefined;
  /** Time at which the report was canceled or failed, and the fields that show it. */
  stopped?: {
    readonly atMs: number;
    readonly fields: Pick<MomtReport, "cancelled" | "run_errors">;
  };
}

/** Fields that show the progress of a report. */
export const PROGRESS_FIELDS = [
  "import_started_at",
  "import_completed_at",
  "processed_rows",
  "percent_complete",
  "mo_count",
  "mt_count",
  "counts_calculated",
  "s3_url",
] as const;

/** Converts a stored report to the report that the service returns at a given time. */
export const toReport = (stored: StoredReport, nowMs: number): MomtReport => {
  const { resource, startedMs, durationMs, stopped } = stored;
  const fields = stopped?.fields ?? {};
  if (durationMs === undefined) return { ...resource, ...fields };
  const elapsedMs = Math.min(durationMs, (stopped?.atMs ?? nowMs) - startedMs);
  const progress = durationMs === 0 ? 1 : elapsedMs / durationMs;
  const rows = resource.total_rows ?? 0;
  const isDone = progress >= 1;
  const updatedMs = startedMs + elapsedMs;
  const shown: Pick<MomtReport, (typeof PROGRESS_FIELDS)[number]> = {
    import_started_at: new Date(startedMs).toISOString(),
    import_completed_at: isDone ? new Date(startedMs + durationMs).toISOString() : null,
    processed_rows: Math.floor(rows * progress),
    percent_complete: Math.floor(progress * 1000) / 10,
    mo_count: isDone ? Math.floor(rows / 3) : 0,
    mt_count: isDone ? rows - Math.floor(rows / 3) : 0,
    counts_calculated: isDone,
    s3_url: isDone ? `${FILES_ORIGIN}/reports/${resource.id}.csv` : null,
  };
  return { ...resource, ...shown, updated_at: new Date(updatedMs).toISOString(), ...fields };
};
