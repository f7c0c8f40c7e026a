import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { momtReportSchema } from "../../src/schemas/index.ts";
import { testFields, testResponses, withField } from "../support/tables/field-table.ts";
import { bareReport, report } from "../support/tables/response-fixtures.ts";

describe("momtReportSchema", () => {
  testResponses(momtReportSchema, {
    "a report with every field set": report,
    "a report with every nullable field null": bareReport,
  });

  testFields(momtReportSchema, report, {
    id: "integer",
    account_id: "integer",
    s3_url: "string or null",
    import_started_at: "timestamp or null",
    import_completed_at: "timestamp or null",
    total_rows: "integer or null",
    processed_rows: "integer",
    percent_complete: "number",
    mo_count: "integer",
    mt_count: "integer",
    shortcode: "string or null",
    date_range: "string",
    date_from: "timestamp",
    date_to: "timestamp",
    created_at: "timestamp",
    updated_at: "timestamp",
    counts_calculated: "boolean",
    is_csv: "boolean",
    webhook_callback_url: "string or null",
  });

  test.each([
    "campaign",
    "carrier",
    "phone_number",
    "direction",
    "status_array",
    "type",
    "message_type",
    "run_errors",
    "cancelled",
  ])(
    "momtReportSchema accepts any value of %s, whose type is not documented, and its absence",
    (field) => {
      for (const value of [null, "text", 5, 1.5, true, ["a"], { a: 1 }]) {
        const changed = withField(report, field, value);
        expect(z.safeParse(momtReportSchema, changed)).toEqual({ success: true, data: changed });
      }
      expect(z.safeParse(momtReportSchema, withField(report, field)).success).toBe(true);
    },
  );
});
