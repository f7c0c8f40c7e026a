import { expect } from "vitest";
import { bareList } from "../tables/response-fixtures.ts";
import type { WireCase } from "./wire-case.ts";
import { PHONE } from "./world.ts";

const vip = {
  ...bareList,
  id: 10,
  name: "VIP",
  message_help: "Call us.",
  keyword_names: ["VIP"],
  counts: { subscribers: 1, unsubscribed: 0, cleaned: 0 },
};
const old = { ...bareList, id: 11, name: "Old" };
const created = {
  ...old,
  id: expect.any(Number),
  name: "New",
  email_subscribe: true,
  message_yes: "Yes!",
};
const page = { status: "OK", per_page: 10, count: 2, page: 1, pages_count: 1 };
const step = {
  collected_data: "zip_code",
  request_message: "Your ZIP code?",
  retry_message: "Five digits, please.",
  follow_up: true,
  follow_up_hour: 2,
  no_response_message: "Still there?",
  success_action: "optinsubscriber",
  opt_in_message: "Welcome!",
  second_opt_in_message: "Welcome back!",
};
const storedStep = {
  ...step,
  id: expect.any(Number),
  list_id: 10,
  bypass_opt_in_response: true,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};
const removed = {
  phone_number: PHONE,
  cleaned_at: null,
  subscribed_at: "2026-01-01T00:00:00.000Z",
  opted_out_at: "2026-01-01T00:00:00.000Z",
  opt_in_method: "Keyword",
  keyword_name: "VIP",
  carrier: 7,
  carrier_name: expect.any(String),
  global_carrier_id: expect.any(String),
  global_carrier_name: expect.any(String),
  total_messages_received: 3,
};
const message = (id: number, sent_at: string) => ({
  id,
  content: `Message ${id}`,
  sent_at,
  status: "scheduled",
  name: `Message ${id}`,
  is_broadcast: true,
  recipient_count: 1,
  success_count: 0,
  bounces_count: 0,
  pending_count: 1,
  clean_count: 0,
  unsubscribe_count: 0,
  sms_count: 1,
  mms_count: 0,
  rcs_count: 0,
  send_cost: 0,
  attachment: null,
});
const january = message(20, "2026-01-05T17:00:00.000Z");
const february = message(21, "2026-02-05T17:00:00.000Z");
const updated = expect.stringMatching(/updated/);

/** Requests to each endpoint of version 2 and its successful responses. */
export const v2Cases: readonly WireCase[] = [
  {
    name: "the account of the key",
    request: "GET /api/v2/accounts/me",
    status: 200,
    body: { status: "OK", account: { id: 1, email: "owner@example.com", username: "owner" } },
  },
  {
    name: "the lists, including deleted ones",
    request: "GET /api/v2/lists",
    status: 200,
    body: { ...page, lists: [vip, old] },
  },
  {
    name: "the lists without deleted ones",
    request: "GET /api/v2/lists?include_deleted=false",
    status: 200,
    body: { ...page, count: 1, lists: [vip] },
  },
  {
    name: "the second page of lists",
    request: "GET /api/v2/lists?page=2&per_page=1",
    status: 200,
    body: { ...page, page: 2, per_page: 1, pages_count: 2, lists: [old] },
  },
  {
    name: "one list",
    request: "GET /api/v2/lists/10",
    status: 200,
    body: { status: "OK", list: vip },
  },
  {
    name: "a list that is created",
    request: "POST /api/v2/lists/",
    send: { list: { name: "New", message_yes: "Yes!", email_subscribe: true } },
    status: 201,
    body: { status: expect.stringMatching(/created/), list: created },
  },
  {
    name: "single opt-in settings: these three fields only",
    request: "PUT /api/v2/lists/10/opt_in_settings",
    send: { opt_in_type: "single", first_optin_message: "Hi", second_optin_message: "Hi again" },
    status: 200,
    body: { opt_in_type: "single", first_optin_message: "Hi", second_optin_message: "Hi again" },
  },
  {
    name: "double opt-in settings",
    request: "PUT /api/v2/lists/10/opt_in_settings",
    send: { opt_in_type: "double", bypass_opt_in_response: true, opt_in_requests: [step] },
    status: 200,
    body: { status: updated, opt_in_type: "double", opt_in_requests: [storedStep] },
  },
  {
    name: "a subscriber who is removed",
    request: `DELETE /api/v2/lists/10/subscribers/${encodeURIComponent(PHONE)}`,
    status: 200,
    body: { status: expect.stringMatching(/unsubscribed/), subscriber: removed },
  },
  {
    name: "a subscriber who is removed by a different format of the number",
    request: "DELETE /api/v2/lists/10/subscribers/(206)%20555-0123",
    status: 200,
    body: { status: expect.stringMatching(/unsubscribed/), subscriber: removed },
  },
  {
    name: "scheduled messages",
    request: "GET /api/v2/lists/10/messages/scheduled",
    status: 200,
    body: { ...page, messages: [january, february] },
  },
  {
    name: "scheduled messages of some days, with the count of the returned ones",
    request: "GET /api/v2/lists/10/messages/scheduled?start_date=20260101&end_date=20260131",
    status: 200,
    body: { ...page, count: 1, messages: [january] },
  },
  {
    name: "a report",
    request: "GET /api/v2/momt_reports/30",
    before: async (service) => service.advance({ minutes: 5 }),
    status: 200,
    body: {
      status: "OK",
      momt_report: expect.objectContaining({
        id: 30,
        account_id: 1,
        total_rows: 600,
        processed_rows: 300,
        percent_complete: 50,
        counts_calculated: false,
      }),
    },
  },
];
