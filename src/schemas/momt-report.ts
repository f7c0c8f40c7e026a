import * as z from "zod/mini";
import { amount, flag, integer, integerOrNull, open, text, textOrNull } from "./fields.ts";

/** Its type is not documented: it is `null` in the shape shown. */
const undocumented = /* @__PURE__ */ z.optional(/* @__PURE__ */ z.unknown());

/** Specification: "MOMT report". */
export const momtReportSchema = /* @__PURE__ */ open({
  id: integer,
  account_id: integer,
  /** Where the finished file is. */
  s3_url: textOrNull,
  /** ISO 8601. */
  import_started_at: textOrNull,
  /** ISO 8601. */
  import_completed_at: textOrNull,
  total_rows: integerOrNull,
  processed_rows: integer,
  percent_complete: amount,
  /** Messages that phones sent. */
  mo_count: integer,
  /** Messages that phones received. */
  mt_count: integer,
  shortcode: textOrNull,
  date_range: text,
  /** ISO 8601. */
  date_from: text,
  /** ISO 8601. */
  date_to: text,
  campaign: undocumented,
  carrier: undocumented,
  phone_number: undocumented,
  direction: undocumented,
  status_array: undocumented,
  type: undocumented,
  message_type: undocumented,
  /** ISO 8601. */
  created_at: text,
  /** ISO 8601. */
  updated_at: text,
  counts_calculated: flag,
  is_csv: flag,
  webhook_callback_url: textOrNull,
  run_errors: undocumented,
  cancelled: undocumented,
});

/** A report on messages that phones sent (MO) and received (MT) (specification: "MOMT report"). */
export interface MomtReport extends z.infer<typeof momtReportSchema> {}
