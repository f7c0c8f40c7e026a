import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { scheduledMessageSchema, scheduledMessagesQuerySchema } from "../../src/schemas/index.ts";
import { issuesOf, testFields, testResponses, wrongPaths } from "../support/tables/field-table.ts";
import { bareScheduledMessage, scheduledMessage } from "../support/tables/response-fixtures.ts";

describe("scheduledMessageSchema", () => {
  testResponses(scheduledMessageSchema, {
    "a message with every field set": scheduledMessage,
    "a message with every nullable field null": bareScheduledMessage,
  });

  testFields(scheduledMessageSchema, scheduledMessage, {
    id: "integer",
    content: "string or null",
    sent_at: "timestamp",
    status: "string",
    name: "string or null",
    is_broadcast: "boolean",
    recipient_count: "integer",
    success_count: "integer",
    bounces_count: "integer",
    pending_count: "integer",
    clean_count: "integer",
    unsubscribe_count: "integer",
    sms_count: "integer",
    mms_count: "integer",
    rcs_count: "integer",
    send_cost: "number or null",
    attachment: "string or null",
  });
});

describe("scheduledMessagesQuerySchema", () => {
  test.each([
    {},
    { start_date: "20260101" },
    { start_date: "20260101", end_date: "20260131", page: 1, per_page: 1000 },
    // The caller is responsible for the order.
    { start_date: "20260201", end_date: "20260101" },
    { start_date: undefined, end_date: undefined, page: undefined, per_page: undefined },
    { later: "a field that the service may add" },
  ])("scheduledMessagesQuerySchema accepts %j", (query) => {
    expect(z.safeParse(scheduledMessagesQuerySchema, query)).toEqual({
      success: true,
      data: query,
    });
  });

  test.each(["2026-01-01", "20260230", "202601", "", "Invalid Date"])(
    "scheduledMessagesQuerySchema refuses %j, which is not a day",
    (day) => {
      expect(wrongPaths(scheduledMessagesQuerySchema, { start_date: day, end_date: day })).toEqual([
        "start_date: invalid_string",
        "end_date: invalid_string",
      ]);
    },
  );

  test.each([20260101, null, {}, new Date(0)])(
    "scheduledMessagesQuerySchema refuses %j, which is not a string",
    (day) => {
      expect(issuesOf(scheduledMessagesQuerySchema, { end_date: day })).toEqual([
        { code: "invalid_type", type: "string", message: "must be a string", path: ["end_date"] },
      ]);
    },
  );

  test("scheduledMessagesQuerySchema reports all issues together", () => {
    const query = { start_date: "x", end_date: 5, page: 0, per_page: 1001 };
    expect(wrongPaths(scheduledMessagesQuerySchema, query).sort()).toEqual([
      "end_date: invalid_type",
      "page: too_small",
      "per_page: too_big",
      "start_date: invalid_string",
    ]);
  });
});
