import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  accountSchema,
  listSchema,
  momtReportSchema,
  optInRequestSchema,
  optInSettingsResultSchema,
  pageSchema,
  scheduledMessageSchema,
  subscriberSchema,
  transactionSchema,
  validationErrorSchema,
} from "../../../src/core/schemas/index.ts";
import {
  issuesOf,
  testFields,
  testResponses,
  withField,
  wrongPaths,
} from "../../support/tables/field-table.ts";
import * as responses from "../../support/tables/response-fixtures.ts";

const { bareList, doubleResult, envelope, list, report, singleResult, step, validationError } =
  responses;

describe("accountSchema", () => {
  testResponses(accountSchema, {
    "an account": responses.account,
  });

  testFields(accountSchema, responses.account, {
    id: "integer",
    email: "string",
    username: "string",
  });
});

describe("pageSchema", () => {
  testResponses(pageSchema, {
    "a page": envelope,
    "a page of no items": responses.emptyEnvelope,
    "a page with its items": { ...envelope, lists: [bareList] },
  });

  testFields(pageSchema, envelope, {
    status: "string",
    per_page: "integer",
    count: "integer",
    page: "integer",
    pages_count: "integer",
  });
});

describe("subscriberSchema", () => {
  testResponses(subscriberSchema, {
    "a subscriber with every field set": responses.subscriber,
    "a subscriber with every nullable field null": responses.bareSubscriber,
  });

  testFields(subscriberSchema, responses.subscriber, {
    phone_number: "string",
    cleaned_at: "timestamp or null",
    subscribed_at: "timestamp",
    opted_out_at: "timestamp or null",
    opt_in_method: "string or null",
    keyword_name: "string or null",
    carrier: "integer or null",
    carrier_name: "string or null",
    global_carrier_id: "string or null",
    global_carrier_name: "string or null",
    total_messages_received: "integer",
  });
});

describe("scheduledMessageSchema", () => {
  testResponses(scheduledMessageSchema, {
    "a message with every field set": responses.scheduledMessage,
    "a message with every nullable field null": responses.bareScheduledMessage,
  });

  testFields(scheduledMessageSchema, responses.scheduledMessage, {
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

describe("transactionSchema", () => {
  testResponses(transactionSchema, {
    "an acceptance": responses.transaction,
  });

  testFields(transactionSchema, responses.transaction, {
    message: "string",
    transactionId: "string",
  });
});

describe("momtReportSchema", () => {
  testResponses(momtReportSchema, {
    "a report with every field set": report,
    "a report with every nullable field null": responses.bareReport,
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

describe("listSchema", () => {
  testResponses(listSchema, {
    "a list with every field set": list,
    "a list with every nullable field null, and no keyword, subscriber or step": bareList,
  });

  testFields(listSchema, list, {
    id: "integer",
    name: "string",
    email_digest: "string or null",
    email_subscribe: "boolean or null",
    email_unsubscribe: "boolean or null",
    first_optin_message: "string or null",
    second_optin_message: "string or null",
    message_help: "string or null",
    message_stop: "string or null",
    message_reply: "string or null",
    message_already_subscribed: "string or null",
    message_yes: "string or null",
    keyword_names: "array of string",
    "counts.subscribers": "integer",
    "counts.unsubscribed": "integer",
    "counts.cleaned": "integer",
    opt_in_type: "string",
  });

  test("listSchema keeps undocumented fields, even in counts and steps", () => {
    const grown = withField(withField(list, "counts.bounced", 3), "opt_in_requests.0.order", 1);
    expect(z.safeParse(listSchema, grown)).toEqual({ success: true, data: grown });
  });

  test.each<[path: string, value: unknown, wrong: string]>([
    ["counts", null, "counts: invalid_type"],
    ["counts", [], "counts: invalid_type"],
    ["opt_in_requests", null, "opt_in_requests: invalid_type"],
    ["opt_in_requests", {}, "opt_in_requests: invalid_type"],
    ["opt_in_requests", [null], "opt_in_requests.0: invalid_type"],
    ["opt_in_requests.1.follow_up", null, "opt_in_requests.1.follow_up: invalid_type"],
    ["keyword_names", ["VIP", null], "keyword_names.1: invalid_type"],
  ])("listSchema refuses %s: %j", (path, value, wrong) => {
    expect(wrongPaths(listSchema, withField(list, path, value))).toEqual([wrong]);
  });

  test.each(["counts", "opt_in_requests"])("listSchema requires %s", (path) => {
    expect(wrongPaths(listSchema, withField(list, path))).toEqual([`${path}: invalid_type`]);
  });

  test("listSchema reports all issues together", () => {
    expect(
      wrongPaths(listSchema, { ...bareList, id: "18", counts: {}, keyword_names: [1] }),
    ).toEqual([
      "id: invalid_type",
      "keyword_names.0: invalid_type",
      "counts.subscribers: invalid_type",
      "counts.unsubscribed: invalid_type",
      "counts.cleaned: invalid_type",
    ]);
  });
});

describe("optInRequestSchema", () => {
  testResponses(optInRequestSchema, {
    "a step with every field set": step,
    "a step with every nullable field null": responses.bareStep,
  });

  testFields(optInRequestSchema, step, {
    id: "integer",
    list_id: "integer",
    collected_data: "string",
    request_message: "string",
    retry_message: "string",
    follow_up: "boolean",
    follow_up_hour: "integer or null",
    no_response_message: "string or null",
    success_action: "string or null",
    opt_in_message: "string or null",
    second_opt_in_message: "string or null",
    bypass_opt_in_response: "boolean",
    created_at: "timestamp",
    updated_at: "timestamp",
  });

  test.each([
    ["collected_data", ["zip_code", "email_address", "first_name", "yes", "birthday"]],
    ["success_action", ["nextrequest", "optinsubscriber", "notify"]],
  ])("optInRequestSchema accepts documented and undocumented values of %s", (field, values) => {
    for (const value of values) {
      expect(wrongPaths(optInRequestSchema, { ...step, [field]: value })).toEqual([]);
    }
  });

  test("optInRequestSchema applies no rule of requests to responses", () => {
    const odd = { ...step, follow_up: true, follow_up_hour: null };
    expect(z.safeParse(optInRequestSchema, odd)).toEqual({ success: true, data: odd });
  });
});

describe("optInSettingsResultSchema", () => {
  describe("single", () => {
    testResponses(optInSettingsResultSchema, {
      "the result with both messages": singleResult,
      "the result with neither": responses.bareSingleResult,
    });
    testFields(optInSettingsResultSchema, singleResult, {
      first_optin_message: "string or null",
      second_optin_message: "string or null",
    });
  });

  describe("double", () => {
    testResponses(optInSettingsResultSchema, {
      "the result with its steps": doubleResult,
      "the result without steps": { ...doubleResult, opt_in_requests: [] },
    });
    testFields(optInSettingsResultSchema, doubleResult, {
      status: "string",
      "opt_in_requests.0.id": "integer",
      "opt_in_requests.1.created_at": "timestamp",
    });
  });

  test.each(["triple", "", null, 1, undefined])(
    "optInSettingsResultSchema refuses the type %j",
    (type) => {
      const wrong = withField(singleResult, "opt_in_type", type);
      expect(issuesOf(optInSettingsResultSchema, wrong).map(({ path }) => path)).toEqual([
        ["opt_in_type"],
      ]);
    },
  );
});

describe("validationErrorSchema", () => {
  testResponses(validationErrorSchema, {
    "a body with items of every kind": validationError,
    "a body without items": { error: "Validation failed", errors: [] },
  });

  testFields(validationErrorSchema, validationError, {
    "errors.0.code": "string",
    "errors.0.message": "string",
  });

  test("validationErrorSchema does not require the summary", () => {
    const { errors } = validationError;
    expect(z.safeParse(validationErrorSchema, { errors })).toEqual({
      success: true,
      data: { errors },
    });
  });

  test("validationErrorSchema requires the summary to be a string", () => {
    const wrong = withField(validationError, "error", 5);
    expect(wrongPaths(validationErrorSchema, wrong)).toEqual(["error: invalid_type"]);
  });

  test("validationErrorSchema requires the items", () => {
    const wrong = withField(validationError, "errors");
    expect(wrongPaths(validationErrorSchema, wrong)).toEqual(["errors: invalid_type"]);
  });

  test.each([[[]], [["a"]], [["a", 0, "b"]], [[0]]])(
    "validationErrorSchema accepts the path %j",
    (path) => {
      const changed = withField(validationError, "errors.0.path", path);
      expect(wrongPaths(validationErrorSchema, changed)).toEqual([]);
    },
  );

  test.each<[path: unknown, wrong: string]>([
    [undefined, "errors.0.path: invalid_type"],
    ["phoneNumber", "errors.0.path: invalid_type"],
    [[null], "errors.0.path.0: invalid_union"],
    [["a", {}], "errors.0.path.1: invalid_union"],
  ])("validationErrorSchema refuses the path %j", (path, wrong) => {
    const changed = withField(validationError, "errors.0.path", path);
    expect(wrongPaths(validationErrorSchema, changed)).toEqual([wrong]);
  });

  test.each<[field: string, right: unknown, wrong: unknown]>([
    ["validation", "regex", 5],
    ["minimum", 0.5, "1"],
    ["maximum", 255, "255"],
    ["type", "string", ["string"]],
    ["inclusive", false, "false"],
    ["exact", true, 1],
  ])("the field %s of a validation error is optional and has one type", (field, right, wrong) => {
    const at = `errors.0.${field}`;
    const parse = (value: unknown) =>
      wrongPaths(validationErrorSchema, withField(validationError, at, value));
    expect(parse(right)).toEqual([]);
    expect(parse(undefined)).toEqual([]);
    expect(parse(wrong)).toEqual([`${at}: invalid_type`]);
  });
});
