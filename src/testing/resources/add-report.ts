import { momtReportSchema } from "../../schemas/momt-report.ts";
import { assertFields, assertResource, assertUsage } from "../assert-usage.ts";
import { assertTimestamps } from "./assert-timestamps.ts";
import { PROGRESS_FIELDS, type StoredReport } from "./fake-report.ts";
import { findAccountId } from "./find-resource.ts";
import { given, type NewReport, type ResourceContext } from "./new-resources.ts";

const CALL = "addReport";
const MINUTE_MS = 60_000;
/** Longest duration of a report, about 1900 years. */
const MAX_MINUTES = 1_000_000_000;
/** Largest number of rows, because each of them becomes a line of the report's file. */
const MAX_ROWS = 1_000_000;

const TIMESTAMPS = [
  "import_started_at",
  "import_completed_at",
  "date_from",
  "date_to",
  "created_at",
  "updated_at",
] as const;

/** Adds a report, with generated values for missing fields. */
export const addReport = (
  { store, clock }: ResourceContext,
  report: NewReport = {},
): StoredReport => {
  assertFields(CALL, report);
  const { minutes, ...fields } = report;
  const hasProgress = PROGRESS_FIELDS.some((name) => fields[name] !== undefined);
  const duration = minutes === undefined ? (hasProgress ? null : 10) : minutes;
  const isDuration =
    duration === null || (typeof duration === "number" && duration >= 0 && duration <= MAX_MINUTES);
  assertUsage(CALL, isDuration, `minutes must be a number from 0 to ${MAX_MINUTES}, or null`);
  const account_id = findAccountId(CALL, store, fields.account_id);
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
    date_from: new Date(nowMs - 30 * 86_400_000).toISOString(),
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
    ...given(fields),
  };
  assertResource(CALL, momtReportSchema, resource);
  assertTimestamps(CALL, resource, TIMESTAMPS);
  const rows = resource.total_rows ?? 0;
  assertUsage(CALL, rows >= 0 && rows <= MAX_ROWS, `total_rows must be from 0 to ${MAX_ROWS}`);
  assertUsage(CALL, !store.reports.has(id), `id ${id} is taken`);
  const durationMs = duration === null ? undefined : duration * MINUTE_MS;
  const stored: StoredReport = { resource, startedMs: nowMs, durationMs };
  store.reports.set(id, stored);
  return stored;
};
