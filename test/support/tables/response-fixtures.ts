/**
 * Responses of the service, written by hand from the tables of the specification, with invented values.
 * Each resource has one response with every field set, and one with every nullable field `null`.
 */

export const account = { id: 7, email: "owner@example.com", username: "owner" };

export const step = {
  id: 41,
  list_id: 17,
  collected_data: "zip_code",
  request_message: "Reply with your ZIP code to join.",
  retry_message: "That is no ZIP code. Please try again.",
  follow_up: true,
  follow_up_hour: 2,
  no_response_message: "We still need your ZIP code.",
  success_action: "nextrequest",
  opt_in_message: "Welcome!",
  second_opt_in_message: "Welcome back!",
  bypass_opt_in_response: false,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-02T00:00:00.000+00:00",
};

export const bareStep = {
  ...step,
  id: 42,
  collected_data: "yes",
  follow_up: false,
  follow_up_hour: null,
  no_response_message: null,
  success_action: null,
  opt_in_message: null,
  second_opt_in_message: null,
  bypass_opt_in_response: true,
};

export const list = {
  id: 17,
  name: "VIP",
  email_digest: "digest@example.com",
  email_subscribe: true,
  email_unsubscribe: false,
  first_optin_message: "Welcome!",
  second_optin_message: "Welcome back!",
  message_help: "Reply STOP to leave.",
  message_stop: "You have left.",
  message_reply: "Thank you.",
  message_already_subscribed: "You are subscribed already.",
  message_yes: "Reply YES to join.",
  keyword_names: ["VIP", "JOIN"],
  counts: { subscribers: 1200, unsubscribed: 30, cleaned: 4 },
  opt_in_type: "double",
  opt_in_requests: [step, { ...bareStep, success_action: "optinsubscriber" }],
};

export const bareList = {
  id: 18,
  name: "",
  email_digest: null,
  email_subscribe: null,
  email_unsubscribe: null,
  first_optin_message: null,
  second_optin_message: null,
  message_help: null,
  message_stop: null,
  message_reply: null,
  message_already_subscribed: null,
  message_yes: null,
  keyword_names: [],
  counts: { subscribers: 0, unsubscribed: 0, cleaned: 0 },
  opt_in_type: "single",
  opt_in_requests: [],
};

export const subscriber = {
  phone_number: "12065550123",
  cleaned_at: "2026-03-01T00:00:00Z",
  subscribed_at: "2026-01-01T00:00:00Z",
  opted_out_at: "2026-02-01T00:00:00Z",
  opt_in_method: "keyword",
  keyword_name: "VIP",
  carrier: 3,
  carrier_name: "A carrier",
  global_carrier_id: "gc-3",
  global_carrier_name: "A carrier, everywhere",
  total_messages_received: 12,
};

export const bareSubscriber = {
  ...subscriber,
  cleaned_at: null,
  opted_out_at: null,
  opt_in_method: null,
  keyword_name: null,
  carrier: null,
  carrier_name: null,
  global_carrier_id: null,
  global_carrier_name: null,
  total_messages_received: 0,
};

export const scheduledMessage = {
  id: 90,
  content: "Half price today",
  sent_at: "2026-05-01T15:00:00Z",
  status: "scheduled",
  name: "Half price",
  is_broadcast: true,
  recipient_count: 100,
  success_count: 0,
  bounces_count: 0,
  pending_count: 100,
  clean_count: 0,
  unsubscribe_count: 0,
  sms_count: 60,
  mms_count: 30,
  rcs_count: 10,
  send_cost: 4.25,
  attachment: "https://example.com/menu.jpg",
};

export const bareScheduledMessage = {
  ...scheduledMessage,
  content: null,
  name: null,
  is_broadcast: false,
  send_cost: null,
  attachment: null,
};

export const report = {
  id: 3,
  account_id: 7,
  s3_url: "https://example.com/reports/3.csv",
  import_started_at: "2026-01-01T00:00:00Z",
  import_completed_at: "2026-01-01T00:10:00Z",
  total_rows: 250,
  processed_rows: 250,
  percent_complete: 99.5,
  mo_count: 50,
  mt_count: 200,
  shortcode: "12345",
  date_range: "last month",
  date_from: "2025-12-01T00:00:00Z",
  date_to: "2025-12-31T23:59:59Z",
  campaign: { id: 1 },
  carrier: 3,
  phone_number: "12065550123",
  direction: "mo",
  status_array: ["sent"],
  type: "momt",
  message_type: 0,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:10:00Z",
  counts_calculated: true,
  is_csv: true,
  webhook_callback_url: "https://example.com/hook",
  run_errors: ["row 3"],
  cancelled: false,
};

export const bareReport = {
  ...report,
  s3_url: null,
  import_started_at: null,
  import_completed_at: null,
  total_rows: null,
  processed_rows: 0,
  percent_complete: 0,
  shortcode: null,
  campaign: null,
  carrier: null,
  phone_number: null,
  direction: null,
  status_array: null,
  type: null,
  message_type: null,
  counts_calculated: false,
  is_csv: false,
  webhook_callback_url: null,
  run_errors: null,
  cancelled: null,
};

export const envelope = { status: "OK", per_page: 10, count: 25, page: 1, pages_count: 3 };
export const emptyEnvelope = { status: "OK", per_page: 10, count: 0, page: 1, pages_count: 0 };

export const transaction = { message: "Accepted for delivery", transactionId: "a1b2-c3d4" };

export const singleResult = {
  opt_in_type: "single",
  first_optin_message: "Welcome!",
  second_optin_message: "Welcome back!",
};
export const bareSingleResult = {
  opt_in_type: "single",
  first_optin_message: null,
  second_optin_message: null,
};
export const doubleResult = {
  status: "The opt-in settings were updated",
  opt_in_type: "double",
  opt_in_requests: [step, { ...bareStep, success_action: "optinsubscriber" }],
};

export const validationError = {
  error: "Validation failed",
  errors: [
    { code: "custom", message: "Invalid phone number", path: ["phoneNumber"] },
    {
      code: "too_big",
      message: "At most 160 characters",
      path: ["smsFailover"],
      maximum: 160,
      type: "string",
      inclusive: true,
      exact: false,
    },
    {
      code: "invalid_string",
      message: "Invalid url",
      path: ["rcsPayload", "file", "url"],
      validation: "url",
    },
    { code: "too_small", message: "Too small", path: ["items", 0], minimum: 1 },
  ],
};

const status = "OK";

/** Response bodies of each endpoint. */
export const BODIES: Readonly<Record<string, readonly object[]>> = {
  getAccount: [{ status, account }],
  listLists: [
    { ...envelope, lists: [list, bareList] },
    { ...emptyEnvelope, lists: [] },
  ],
  retrieveList: [
    { status, list },
    { status, list: bareList },
  ],
  configureOptIn: [singleResult, bareSingleResult, doubleResult],
  createList: [{ status: "The list was created", list: bareList }],
  removeSubscriber: [
    { status, subscriber: subscriber },
    { status, subscriber: bareSubscriber },
  ],
  listScheduledMessages: [
    { ...envelope, messages: [scheduledMessage, bareScheduledMessage] },
    { ...emptyEnvelope, messages: [] },
  ],
  retrieveMomtReport: [
    { status, momt_report: report },
    { status, momt_report: bareReport },
  ],
  sendRcsText: [transaction],
  sendRcsFile: [transaction],
};
