import * as z from "zod/mini";
import { withoutUndefined } from "../../core/options.ts";
import { type MomtReport, momtReportSchema } from "../../core/schemas/index.ts";
import { assertFields, assertUsage, parseUsage } from "./checks.ts";
import { type FakeRequest, type FakeResponse, FILES_ORIGIN, jsonResponse } from "./exchange.ts";
import { MS_PER_UNIT } from "./fake-clock.ts";
import * as f from "./fake-fields.ts";
import { phoneNumberAt } from "./fake-lists.ts";
import { findAccountId, type ResourceContext, type Some, type StoredReport } from "./store.ts";

/** Maximum duration of a report in minutes, about 1900 years. */
const MAX_MINUTES = 1_000_000_000;

/** Fields of a new report that a `MomtReport` does not have. */
export const newReportFields = f.objectOf({
  /**
   * Minutes of the fake's clock until the report is complete, 0 to 1 000 000 000; `null` leaves the report as given.
   * Default: 10, or `null` if a field of its progress is given, such as `percent_complete`.
   */
  minutes: z.optional(z.nullable(f.numberFrom(0, MAX_MINUTES))),
});

/** Number of rows. Each row becomes a line of the report's file. */
const rowCount = f.integerFrom(0, 1_000_000);

const newReportSchema = z.extend(momtReportSchema, {
  ...newReportFields.shape,
  total_rows: z.nullable(rowCount),
  processed_rows: rowCount,
  mo_count: rowCount,
  mt_count: rowCount,
  percent_complete: f.numberFrom(0, 100),
});

/** Fields of a new report. */
export interface NewReport extends Some<MomtReport>, Readonly<z.input<typeof newReportFields>> {}

const PROGRESS_FIELDS = [
  "import_started_at",
  "import_completed_at",
  "processed_rows",
  "percent_complete",
  "mo_count",
  "mt_count",
  "counts_calculated",
  "s3_url",
] as const;

const ADD_REPORT = "addReport";

export const addReport = (
  { store, clock }: ResourceContext,
  report: NewReport = {},
): StoredReport => {
  assertFields(ADD_REPORT, report);
  const { minutes, ...fields } = report;
  const hasProgress = PROGRESS_FIELDS.some((name) => fields[name] !== undefined);
  const duration = minutes === undefined ? (hasProgress ? null : 10) : minutes;
  const account_id = findAccountId(ADD_REPORT, store, fields.account_id);
  const id = store.ids.idOf(fields.id);
  const { timestamp, nowMs } = clock;
  const resource = {
    id,
    account_id,
    s3_url: null,
    import_started_at: null,
    import_completed_at: null,
    total_rows: 1000,
    processed_rows: 0,
    percent_complete: 0,
    mo_count: 0,
    mt_count: 0,
    shortcode: null,
    date_range: "custom",
    date_from: new Date(nowMs - 30 * MS_PER_UNIT.days).toISOString(),
    date_to: timestamp,
    campaign: null,
    carrier: null,
    phone_number: null,
    direction: null,
    status_array: null,
    type: null,
    message_type: null,
    created_at: timestamp,
    updated_at: timestamp,
    counts_calculated: false,
    is_csv: true,
    webhook_callback_url: null,
    run_errors: null,
    cancelled: null,
    ...withoutUndefined(fields),
  };
  parseUsage(ADD_REPORT, newReportSchema, { ...resource, minutes });
  assertUsage(ADD_REPORT, !store.reports.has(id), `${id} is taken`, "id");
  const durationMs = duration === null ? undefined : duration * MS_PER_UNIT.minutes;
  const stored: StoredReport = { resource, startedMs: nowMs, durationMs };
  store.reports.set(id, stored);
  return stored;
};

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

/** Returns the file of a report. The specification does not show such a file; the columns are the fake's own. */
const toCsv = (rows: number, inbound: number): string => {
  const lines = ["id,direction,phone_number"];
  for (let id = 1; id <= rows; id += 1) {
    lines.push(`${id},${id <= inbound ? "MO" : "MT"},${phoneNumberAt(id)}`);
  }
  return `${lines.join("\r\n")}\r\n`;
};

/** Responds to a request for a finished report's file, as an object store does; `undefined` for any other request. */
export const respondWithFile = (
  { store, clock }: ResourceContext,
  { method, path, headers }: FakeRequest,
): FakeResponse | undefined => {
  const id = /^\/reports\/(\d+)\.csv$/.exec(path)?.[1];
  if (id === undefined || method !== "GET") return undefined;
  // The link is the credential, and an object store refuses a second credential.
  if (headers.authorization ?? headers["x-api-key"]) {
    return jsonResponse(400, { error: "Only one way to authenticate is allowed" });
  }
  const stored = store.reports.get(Number(id));
  const report = stored && toReport(stored, clock.nowMs);
  if (report?.s3_url !== `${FILES_ORIGIN}${path}`) {
    return jsonResponse(403, { error: "There is no such file, or its link has expired" });
  }
  const csv = toCsv(report.total_rows ?? 0, report.mo_count);
  return { status: 200, headers: { "content-type": "text/csv" }, body: csv };
};
