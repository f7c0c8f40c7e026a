import * as z from "zod/mini";
import * as f from "./fields.ts";

/** Field whose type is not documented. It is `null` in the shape shown. */
const undocumented = /* @__PURE__ */ f.once(() => z.optional(z.unknown()));

export const momtReportSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Id of the report. */
    id: f.integer(),
    /** Id of the account that the report belongs to. */
    account_id: f.integer(),
    /**
     * URL of the file; may be `null`. Keep it secret, because anyone who has it may be able to download the file.
     */
    s3_url: f.stringOrNull(),
    /** Start of the import, ISO 8601. */
    import_started_at: f.timestampOrNull(),
    /** End of the import, ISO 8601. */
    import_completed_at: f.timestampOrNull(),
    /** Number of rows to process; may be `null`. */
    total_rows: f.integerOrNull(),
    /** Number of rows processed so far. */
    processed_rows: f.integer(),
    /** Progress of the report. Its range is not documented. */
    percent_complete: f.number(),
    /** Number of messages that phones sent. */
    mo_count: f.integer(),
    /** Number of messages that phones received. */
    mt_count: f.integer(),
    /** Short code of the report, if there is one. */
    shortcode: f.stringOrNull(),
    /** Period of the report. Its format is not documented. */
    date_range: f.string(),
    /** Start of the period, ISO 8601. */
    date_from: f.timestamp(),
    /** End of the period, ISO 8601. */
    date_to: f.timestamp(),
    /** Not documented: `null` in the shape shown. */
    campaign: undocumented(),
    /** Not documented: `null` in the shape shown. */
    carrier: undocumented(),
    /** Not documented: `null` in the shape shown. */
    phone_number: undocumented(),
    /** Not documented: `null` in the shape shown. */
    direction: undocumented(),
    /** Not documented: `null` in the shape shown. */
    status_array: undocumented(),
    /** Not documented: `null` in the shape shown. */
    type: undocumented(),
    /** Not documented: `null` in the shape shown. */
    message_type: undocumented(),
    /** Time at which the report was created, ISO 8601. */
    created_at: f.timestamp(),
    /** Time at which the report was last changed, ISO 8601. */
    updated_at: f.timestamp(),
    /** Whether the counts are calculated. */
    counts_calculated: f.boolean(),
    /** Whether the report is a CSV file. */
    is_csv: f.boolean(),
    /** URL of a webhook. Its payload is not documented. */
    webhook_callback_url: f.stringOrNull(),
    /** Not documented: `null` in the shape shown. This package treats any value that is not empty as errors. */
    run_errors: undocumented(),
    /** Not documented: `null` in the shape shown. This package treats a report with a truthy value as cancelled. */
    cancelled: undocumented(),
  }),
);

/**
 * MOMT report: a report on mobile-originated messages, which phones sent, and mobile-terminated messages, which phones
 * received.
 */
export interface MomtReport extends z.infer<ReturnType<typeof momtReportSchema>> {}
