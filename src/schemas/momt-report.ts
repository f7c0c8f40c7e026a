import * as z from "zod/mini";
import {
  boolean,
  integer,
  integerOrNull,
  looseObject,
  number,
  once,
  string,
  stringOrNull,
  timestamp,
  timestampOrNull,
} from "./fields.ts";

/** Field whose type is not documented: it is `null` in the shape shown. */
const undocumented = /* @__PURE__ */ once(() => z.optional(z.unknown()));

export const momtReportSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Id of the report, a positive integer. */
    id: integer(),
    /** Id of the account that the report belongs to. */
    account_id: integer(),
    /** URL of the finished file; `null` until there is one. It is a secret: anyone who has it may be able to download the file. */
    s3_url: stringOrNull(),
    /** Start of the import, ISO 8601. */
    import_started_at: timestampOrNull(),
    /** End of the import, ISO 8601. */
    import_completed_at: timestampOrNull(),
    /** Number of rows to process; may be `null`. */
    total_rows: integerOrNull(),
    /** Number of rows processed so far. */
    processed_rows: integer(),
    /** Progress of the report. Its range is not documented. */
    percent_complete: number(),
    /** Number of messages that phones sent. */
    mo_count: integer(),
    /** Number of messages that phones received. */
    mt_count: integer(),
    /** Short code of the report, if there is one. */
    shortcode: stringOrNull(),
    /** Period of the report in words. */
    date_range: string(),
    /** Start of the period, ISO 8601. */
    date_from: timestamp(),
    /** End of the period, ISO 8601. */
    date_to: timestamp(),
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
    created_at: timestamp(),
    /** Time at which the report was last changed, ISO 8601. */
    updated_at: timestamp(),
    /** Whether the counts are calculated. */
    counts_calculated: boolean(),
    /** Whether the report is a CSV file. */
    is_csv: boolean(),
    /** URL of a webhook. Its payload is not documented. */
    webhook_callback_url: stringOrNull(),
    /** Not documented: `null` in the shape shown. This package takes any value that is not empty for errors. */
    run_errors: undocumented(),
    /** Not documented: `null` in the shape shown. This package takes a truthy value for a cancelled report. */
    cancelled: undocumented(),
  }),
);

/**
 * MOMT report: a report on mobile-originated messages, which phones sent, and mobile-terminated messages, which phones
 * received.
 */
export interface MomtReport extends z.infer<ReturnType<typeof momtReportSchema>> {}
