// What the specification says, written by hand from it: nothing here is derived from `src`. The tests compare the code with it, and
// the documents and tables of the docs take their words from it.

import type {
  Account,
  ApiPromise,
  List,
  MomtReport,
  PagePromise,
  ScheduledMessage,
  SingleOptInResult,
  Subscriber,
  Transaction,
  TransactionalClient,
  V2Client,
} from "messaging-service-client";
import type * as schemas from "../../../src/core/schemas/index.ts";
import type * as transactional from "../../../src/core/wire/transactional.ts";
import type * as v2 from "../../../src/core/wire/v2.ts";
import type { DocumentedType } from "./field-table.ts";

/**
 * Responses of the service with invented values. Each resource has one response with every field set, and one with every nullable
 * field `null`.
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

/** Schemas of resources, responses that each accepts, and the documented types of the fields of the first response. */
export const RESOURCES: readonly (readonly [
  name: keyof typeof schemas,
  responses: readonly [object, ...object[]],
  fields: Readonly<Record<string, DocumentedType>>,
])[] = [
  ["accountSchema", [account], { id: "integer", email: "string", username: "string" }],
  [
    "pageSchema",
    [envelope, emptyEnvelope, { ...envelope, lists: [bareList] }],
    {
      status: "string",
      per_page: "integer",
      count: "integer",
      page: "integer",
      pages_count: "integer",
    },
  ],
  [
    "subscriberSchema",
    [subscriber, bareSubscriber],
    {
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
    },
  ],
  [
    "scheduledMessageSchema",
    [scheduledMessage, bareScheduledMessage],
    {
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
    },
  ],
  ["transactionSchema", [transaction], { message: "string", transactionId: "string" }],
  [
    "momtReportSchema",
    [report, bareReport],
    {
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
    },
  ],
  [
    "listSchema",
    [list, bareList],
    {
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
    },
  ],
  [
    "optInRequestSchema",
    [step, bareStep],
    {
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
    },
  ],
  [
    "optInSettingsResultSchema",
    [singleResult, bareSingleResult],
    { first_optin_message: "string or null", second_optin_message: "string or null" },
  ],
  [
    "optInSettingsResultSchema",
    [doubleResult, { ...doubleResult, opt_in_requests: [] }],
    {
      status: "string",
      "opt_in_requests.0.id": "integer",
      "opt_in_requests.1.created_at": "timestamp",
    },
  ],
  [
    "validationErrorSchema",
    [validationError, { error: "Validation failed", errors: [] }],
    { "errors.0.code": "string", "errors.0.message": "string" },
  ],
];

/** Groups of operations. `missing` names what the specification does not describe, and `more` what is not a method of an endpoint. */
export const TAGS = {
  Accounts: { about: "The account of an API key.", missing: "changing it" },
  Lists: {
    about: "Collections of subscribers, with their keywords, messages and opt-in settings.",
    missing: "changing its other settings or keywords, deleting it",
  },
  Subscribers: {
    about: "Phone numbers on lists.",
    missing: "listing, reading or adding subscribers (keep phone numbers in your own database)",
  },
  "Scheduled messages": {
    about: "Messages that are set to go to a list.",
    missing: "scheduling, changing or canceling a message, sending a broadcast",
  },
  "MOMT reports": {
    about: "Reports on mobile-originated and mobile-terminated messages.",
    more: "`momtReports.waitUntilFinished()`, [`downloadReport`](reports.md)",
    missing: "creating or listing reports",
  },
  Messages: {
    about: "Messages to one phone number, accepted asynchronously.",
    more: "[how](sending-rcs.md)",
    missing: "reading it back",
  },
} as const;

/** Descriptions of parameters by name, or by endpoint. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  "GET /api/v2/momt_reports/{ID}": "Id of the report.",
  ID: "Id of the list.",
  SUBSCRIBER_ID: "Phone number of the subscriber.",
  page: "Number of the page, starting at 1.",
  per_page: "Number of records per page.",
  include_deleted: "Whether deleted lists are included.",
  start_date: "`YYYYMMDD`, UTC. Messages that are set to go out before it are left out.",
  end_date: "`YYYYMMDD`, UTC. Messages that are set to go out after it are left out.",
};

/** Defaults of the specification, from "Limits" and the notes on queries. */
export const DEFAULTS: Readonly<Record<string, unknown>> = {
  page: 1,
  per_page: 10,
  include_deleted: true,
};

const message = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks/messages",
  smsFailover: "Your table is ready",
};
const text = { ...message, rcsPayload: { text: "Your *table* is ready" } };
const file = { ...message, rcsPayload: { file: { url: "https://example.com/menu.pdf" } } };
const first_optin_message = "Welcome! Reply STOP to leave.";
const newStep = {
  collected_data: "yes",
  request_message: "Reply YES to join.",
  retry_message: "Sorry, we did not understand. Reply YES to join.",
  follow_up: true,
  follow_up_hour: 24,
  no_response_message: "Still interested? Reply YES to join.",
  success_action: "optinsubscriber",
  opt_in_message: "You are in!",
  second_opt_in_message: "Welcome back!",
} as const;

const NOT_SENT = ', unless `error.outcome` is `"not_sent"` or `"rejected"`';

/** Clients of a fake service, and ids of its data. */
export interface CallWorld {
  readonly v2: V2Client;
  readonly rcs: TransactionalClient;
  readonly listId: number;
  readonly phone: string;
  readonly reportId: number;
}

/** Returns the path of a template with the ids of a world. */
export const toPath = (
  template: string,
  { listId, phone, reportId }: Pick<CallWorld, "listId" | "phone" | "reportId">,
): string =>
  template
    .replace("{SUBSCRIBER_ID}", phone)
    .replace("{ID}", `${template.includes("/momt_reports/") ? reportId : listId}`);

/** Endpoint as the specification describes it. */
export type Specified = {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** Section of the specification. */
  readonly section: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Status of a success. Default: `2XX`, because the specification does not state which. */
  readonly success?: "200" | "202" | "2XX";
  /** Fields without which a response proves nothing. */
  readonly required: Readonly<Record<string, "object" | "array" | "string" | "integer">>;
  /** Response bodies. */
  readonly bodies: readonly object[];
  /** Calls of the method of the client. Their requests and responses are the examples of the documents. */
  readonly calls: readonly [Call, ...Call[]];
} & (
  | { readonly idempotent: true }
  /** `remedy` continues a sentence that begins with "no": what to do instead of repeating the call. */
  | { readonly idempotent: false; readonly remedy: string }
);

type Call = (world: CallWorld) => Pick<ApiPromise<unknown>, "then" | "withResponse">;

const status = "OK";
const PAGE = { page: "integer", pages_count: "integer" } as const;

/** Every endpoint, by the name of its wire object. */
export const ENDPOINTS = {
  getAccount: {
    tag: "Accounts",
    summary: "The current account",
    section: "Version 2, endpoint 1",
    method: "GET",
    path: "/api/v2/accounts/me",
    idempotent: true,
    required: { account: "object" },
    bodies: [{ status, account }],
    calls: [({ v2 }) => v2.accounts.me()],
  },
  listLists: {
    tag: "Lists",
    summary: "All lists of the account",
    section: "Version 2, endpoint 2",
    method: "GET",
    path: "/api/v2/lists",
    idempotent: true,
    required: { lists: "array", ...PAGE },
    bodies: [
      { ...envelope, lists: [list, bareList] },
      { ...emptyEnvelope, lists: [] },
    ],
    calls: [({ v2 }) => v2.lists.list({ page: 1, per_page: 10 })],
  },
  createList: {
    tag: "Lists",
    summary: "Create a list",
    section: "Version 2, endpoint 5",
    method: "POST",
    path: "/api/v2/lists/",
    idempotent: false,
    remedy: ". Look for the list first, or you may create it twice",
    required: { list: "object" },
    bodies: [{ status: "The list was created", list: bareList }],
    calls: [
      ({ v2 }) => v2.lists.create({ name: "Staff", message_help: "Call us. Reply STOP to leave." }),
    ],
  },
  retrieveList: {
    tag: "Lists",
    summary: "One list",
    section: "Version 2, endpoint 3",
    method: "GET",
    path: "/api/v2/lists/{ID}",
    idempotent: true,
    required: { list: "object" },
    bodies: [
      { status, list },
      { status, list: bareList },
    ],
    calls: [({ v2, listId }) => v2.lists.retrieve(listId)],
  },
  configureOptIn: {
    tag: "Lists",
    summary: "Configure opt-in type",
    section: "Version 2, endpoint 4",
    method: "PUT",
    path: "/api/v2/lists/{ID}/opt_in_settings",
    idempotent: true,
    required: { opt_in_type: "string" },
    bodies: [singleResult, bareSingleResult, doubleResult],
    calls: [
      ({ v2, listId }) =>
        v2.lists.configureOptIn(listId, { opt_in_type: "single", first_optin_message }),
      ({ v2, listId }) =>
        v2.lists.configureOptIn(listId, { opt_in_type: "double", opt_in_requests: [newStep] }),
    ],
  },
  removeSubscriber: {
    tag: "Subscribers",
    summary: "Unsubscribe a subscriber from a list",
    section: "Version 2, endpoint 6",
    method: "DELETE",
    path: "/api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}",
    success: "200",
    idempotent: true,
    required: { subscriber: "object" },
    bodies: [
      { status, subscriber },
      { status, subscriber: bareSubscriber },
    ],
    calls: [({ v2, listId, phone }) => v2.subscribers.remove(listId, phone)],
  },
  listScheduledMessages: {
    tag: "Scheduled messages",
    summary: "Scheduled messages of a list",
    section: "Version 2, endpoint 7",
    method: "GET",
    path: "/api/v2/lists/{ID}/messages/scheduled",
    success: "200",
    idempotent: true,
    required: { messages: "array", ...PAGE },
    bodies: [
      { ...envelope, messages: [scheduledMessage, bareScheduledMessage] },
      { ...emptyEnvelope, messages: [] },
    ],
    calls: [
      ({ v2, listId }) =>
        v2.scheduledMessages.list(listId, { start_date: "20261120", end_date: "20261231" }),
    ],
  },
  retrieveMomtReport: {
    tag: "MOMT reports",
    summary: "Status and data of one MOMT report",
    section: "Version 2, endpoint 8",
    method: "GET",
    path: "/api/v2/momt_reports/{ID}",
    success: "200",
    idempotent: true,
    required: { momt_report: "object" },
    bodies: [
      { status, momt_report: report },
      { status, momt_report: bareReport },
    ],
    calls: [({ v2, reportId }) => v2.momtReports.retrieve(reportId)],
  },
  sendRcsText: {
    tag: "Messages",
    summary: "Send an RCS text message",
    section: "Send an RCS text message",
    method: "POST",
    path: "/transactional_messages/send_rcs_text",
    idempotent: false,
    remedy: NOT_SENT,
    required: { transactionId: "string" },
    bodies: [transaction],
    calls: [
      ({ rcs }) => rcs.sendRcsText(text),
      ({ rcs }) => rcs.sendRcsText({ ...text, phoneNumber: "1" }),
    ],
  },
  sendRcsFile: {
    tag: "Messages",
    summary: "Send an RCS file message",
    section: "Send an RCS file message",
    method: "POST",
    path: "/transactional_messages/send_rcs_file",
    success: "202",
    idempotent: false,
    remedy: NOT_SENT,
    required: { transactionId: "string" },
    bodies: [transaction],
    calls: [
      ({ rcs }) => rcs.sendRcsFile(file),
      ({ rcs }) => rcs.sendRcsFile({ ...file, phoneNumber: "1" }),
    ],
  },
} satisfies Readonly<Record<keyof typeof v2 | keyof typeof transactional, Specified>>;

/** Types of the first call of each endpoint. */
export interface Results {
  readonly getAccount: ApiPromise<Account>;
  readonly listLists: PagePromise<List>;
  readonly createList: ApiPromise<List>;
  readonly retrieveList: ApiPromise<List>;
  readonly configureOptIn: ApiPromise<SingleOptInResult>;
  readonly removeSubscriber: ApiPromise<Subscriber>;
  readonly listScheduledMessages: PagePromise<ScheduledMessage>;
  readonly retrieveMomtReport: ApiPromise<MomtReport>;
  readonly sendRcsText: ApiPromise<Transaction>;
  readonly sendRcsFile: ApiPromise<Transaction>;
}

/** Endpoints that return a page of a list. */
export const LISTS = Object.entries<Specified>(ENDPOINTS).filter(
  ([, { required }]) => "pages_count" in required,
);
