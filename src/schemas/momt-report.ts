import * as z from "zod/mini";
import { amount, flag, integer, integerOrNull, open, text, textOrNull } from "./fields.ts";

/** Its type is not documented: it is `null` in the shape shown. */
const undocumented = /* @__PURE__ */ z.optional(/* @__PURE__ */ z.unknown());

/** Specification: "MOMT report". */
export const momtReportSchema = /* @__PURE__ */ open({
  /** Identifies the report; a positive integer. */
  id: integer,
  /** The account that the report belongs to. */
  account_id: integer,
  /** Where the finished file is. */
  s3_url: textOrNull,
  /** ISO 8601. */
  import_started_at: textOrNull,
  /** ISO 8601. */
  import_completed_at: textOrNull,
  /** Rows to process; `null` as long as that is not known. */
  total_rows: integerOrNull,
  /** Rows processed so far. */
  processed_rows: integer,
  /** How much is done, 0 to 100. */
  percent_complete: amount,
  /** Messages that phones sent. */
  mo_count: integer,
  /** Messages that phones received. */
  mt_count: integer,
  /** The short code, where there is one. */
  shortcode: textOrNull,
  /** The period, in words. */
  date_range: text,
  /** ISO 8601. */
  date_from: text,
  /** ISO 8601. */
  date_to: text,
  /** Not documented: `null` in the shape shown. */
  campaign: undocumented,
  /** Not documented: `null` in the shape shown. */
  carrier: undocumented,
  /** Not documented: `null` in the shape shown. */
  phone_number: undocumented,
  /** Not documented: `null` in the shape shown. */
  direction: undocumented,
  /** Not documented: `null` in the shape shown. */
  status_array: undocumented,
  /** Not documented: `null` in the shape shown. */
  type: undocumented,
  /** Not documented: `null` in the shape shown. */
  message_type: undocumented,
  /** ISO 8601. */
  created_at: text,
  /** ISO 8601. */
  updated_at: text,
  /** Whether the counts are calculated. */
  counts_calculated: flag,
  /** Whether the report is a CSV file. */
  is_csv: flag,
  /** URL of a webhook; what is sent there is not documented. */
  webhook_callback_url: textOrNull,
  /** Not documented: `null` in the shape shown. Anything else is taken for errors. */
  run_errors: undocumented,
  /** Not documented: `null` in the shape shown. Anything true is taken for a cancelled report. */
  cancelled: undocumented,
});

/** A report on messages that phones sent (MO) and received (MT) (specification: "MOMT report"). */
export interface MomtReport extends z.infer<typeof momtReportSchema> {}
