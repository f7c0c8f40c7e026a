import { expect } from "vitest";
import * as v2 from "../../../src/core/wire/v2.ts";
import { bareList } from "../tables/specification.ts";
import type { WireCase } from "./wire-case.ts";
import { PHONE, requestTo } from "./world.ts";

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

const LISTS = "GET /api/v2/lists";
const SETTINGS = "PUT /api/v2/lists/10/opt_in_settings";
const SUBSCRIBERS = "/api/v2/lists/10/subscribers";
const MESSAGES = "GET /api/v2/lists/10/messages/scheduled";
const single = { opt_in_type: "single", first_optin_message: "Hi", second_optin_message: "Again" };
const removal = { status: expect.stringMatching(/unsubscribed/), subscriber: removed };

/** Returns a request that succeeds. */
const ok = (
  name: string,
  request: WireCase["request"],
  body: object,
  more: Partial<WireCase> = {},
): WireCase => ({ name, request, status: 200, body, ...more });

/** A read of each endpoint without a body. The cases below check the current endpoints in more detail. */
const reads = Object.values(v2)
  .filter(({ method }) => method === "GET")
  .map((endpoint) => {
    const fits = endpoint.matchesResponse?.() ?? (() => false);
    return ok(`${endpoint.id}, by its schema`, requestTo(endpoint), expect.toSatisfy(fits));
  });

/** Requests to each endpoint of version 2 and its successful responses. */
export const v2Cases: readonly WireCase[] = [
  ...reads,
  ok("the account of the key", "GET /api/v2/accounts/me", {
    status: "OK",
    account: { id: 1, email: "owner@example.com", username: "owner" },
  }),
  ok("the lists, including deleted ones", LISTS, { ...page, lists: [vip, old] }),
  ok("the lists without deleted ones", `${LISTS}?include_deleted=false`, {
    ...page,
    count: 1,
    lists: [vip],
  }),
  ok("the second page of lists", `${LISTS}?page=2&per_page=1`, {
    ...page,
    page: 2,
    per_page: 1,
    pages_count: 2,
    lists: [old],
  }),
  ok("one list", `${LISTS}/10`, { status: "OK", list: vip }),
  ok(
    "a list that is created",
    "POST /api/v2/lists/",
    { status: expect.stringMatching(/created/), list: created },
    { send: { list: { name: "New", message_yes: "Yes!", email_subscribe: true } }, status: 201 },
  ),
  ok("single opt-in settings: these three fields only", SETTINGS, single, { send: single }),
  ok(
    "double opt-in settings",
    SETTINGS,
    { status: updated, opt_in_type: "double", opt_in_requests: [storedStep] },
    { send: { opt_in_type: "double", bypass_opt_in_response: true, opt_in_requests: [step] } },
  ),
  ok("a subscriber who is removed", `DELETE ${SUBSCRIBERS}/${encodeURIComponent(PHONE)}`, removal),
  ok("scheduled messages", MESSAGES, { ...page, messages: [january, february] }),
  ok(
    "scheduled messages of some days, with the count of the returned ones",
    `${MESSAGES}?start_date=20260101&end_date=20260131`,
    { ...page, count: 1, messages: [january] },
  ),
  ok(
    "a report",
    "GET /api/v2/momt_reports/30",
    {
      status: "OK",
      momt_report: expect.objectContaining({
        id: 30,
        account_id: 1,
        counts_calculated: false,
        total_rows: 600,
        processed_rows: 300,
        percent_complete: 50,
      }),
    },
    { before: async (service) => service.advance({ minutes: 5 }) },
  ),
];
