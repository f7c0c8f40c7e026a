import type { MomtReport } from "../../schemas/momt-report.ts";

/** A report as the fake keeps it. */
export interface StoredReport {
  /** As it was put in. */
  readonly resource: MomtReport;
  readonly startedMs: number;
  /** How long it takes; `undefined`: it stays as it was put in. */
  readonly durationMs: number | undefined;
  /** When it was cancelled or failed, and what it has told since. */
  stopped?: {
    readonly atMs: number;
    readonly fields: Pick<MomtReport, "cancelled" | "run_errors">;
  };
}

/** What a report tells of its progress. */
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

/** A report as the service tells it at a moment. */
export const toReport = (stored: StoredReport, nowMs: number): MomtReport => {
  const { resource, startedMs, durationMs, stopped } = stored;
  const fields = stopped?.fields ?? {};
  if (durationMs === undefined) return { ...resource, ...fields };
  const elapsedMs = Math.min(durationMs, (stopped?.atMs ?? nowMs) - startedMs);
  const progress = durationMs === 0 ? 1 : elapsedMs / durationMs;
  const rows = resource.total_rows ?? 0;
  const isDone = progress >= 1;
  const updatedMs = startedMs + elapsedMs;
  const told: Pick<MomtReport, (typeof PROGRESS_FIELDS)[number]> = {
    import_started_at: new Date(startedMs).toISOString(),
    import_completed_at: isDone ? new Date(startedMs + durationMs).toISOString() : null,
    processed_rows: Math.floor(rows * progress),
    percent_complete: Math.floor(progress * 1000) / 10,
    mo_count: isDone ? Math.floor(rows / 3) : 0,
    mt_count: isDone ? rows - Math.floor(rows / 3) : 0,
    counts_calculated: isDone,
    s3_url: isDone ? `https://files.messaging.test/reports/${resource.id}.csv` : null,
  };
  return { ...resource, ...told, updated_at: new Date(updatedMs).toISOString(), ...fields };
};
