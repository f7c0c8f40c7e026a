// Details of each endpoint in the OpenAPI documents that the endpoint and its schemas do not contain.

import type { Endpoint } from "../../../src/core/wire/endpoint.ts";
import * as transactional from "../../../src/core/wire/transactional.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
// Imported by path, because in plain Node the package name resolves to the last build.
import type { TransactionalClient, V2Client } from "../../../src/index.ts";

/** Clients of a fake service, and ids of its data, for the examples. */
export interface ExampleWorld {
  readonly v2: V2Client;
  readonly rcs: TransactionalClient;
  readonly listId: number;
  readonly phoneNumber: string;
  readonly reportId: number;
}

/** Details that an endpoint does not have. */
interface About {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** Section of the specification. */
  readonly section: string;
  /** Status of a success. Default: `2XX`, because the specification does not state the status. */
  readonly success?: "200" | "202" | "2XX";
  /** Makes calls whose requests and responses become the examples. */
  readonly example: (world: ExampleWorld) => Promise<unknown>;
}

/** Operation in the documents. */
export interface Operation extends About {
  readonly endpoint: Endpoint;
  readonly operationId: string;
}

export const TAGS = {
  Accounts: "The account of an API key.",
  Lists: "Collections of subscribers, with their keywords, messages and opt-in settings.",
  Subscribers: "Phone numbers on lists.",
  "Scheduled messages": "Messages that are set to go to a list.",
  "MOMT reports": "Reports on mobile-originated and mobile-terminated messages.",
  Messages: "Messages to one phone number, accepted now and delivered later.",
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

/** Descriptions of the fields beside a resource in a response. */
export const RESPONSE_FIELDS: Readonly<Record<string, string>> = {
  status: "`OK`, or a string that says what was done.",
  lists: "The lists of this page.",
  messages: "The messages of this page.",
};

const message = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks/messages",
  smsFailover: "Your table is ready",
};
const text = { ...message, rcsPayload: { text: "Your *table* is ready" } };
const file = { ...message, rcsPayload: { file: { url: "https://example.com/menu.pdf" } } };
const first_optin_message = "Welcome! Reply STOP to leave.";
const step = {
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

const ABOUT_V2: Readonly<Record<keyof typeof v2, About>> = {
  getAccount: {
    tag: "Accounts",
    summary: "The current account",
    section: "Version 2, endpoint 1",
    example: ({ v2 }) => v2.accounts.me(),
  },
  listLists: {
    tag: "Lists",
    summary: "All lists of the account",
    section: "Version 2, endpoint 2",
    example: async ({ v2 }) => v2.lists.list({ page: 1, per_page: 10 }),
  },
  createList: {
    tag: "Lists",
    summary: "Create a list",
    section: "Version 2, endpoint 5",
    example: ({ v2 }) =>
      v2.lists.create({ name: "Staff", message_help: "Call us. Reply STOP to leave." }),
  },
  retrieveList: {
    tag: "Lists",
    summary: "One list",
    section: "Version 2, endpoint 3",
    example: ({ v2, listId }) => v2.lists.retrieve(listId),
  },
  configureOptIn: {
    tag: "Lists",
    summary: "Configure opt-in type",
    section: "Version 2, endpoint 4",
    example: async ({ v2, listId }) => {
      await v2.lists.configureOptIn(listId, { opt_in_type: "single", first_optin_message });
      await v2.lists.configureOptIn(listId, { opt_in_type: "double", opt_in_requests: [step] });
    },
  },
  removeSubscriber: {
    tag: "Subscribers",
    summary: "Unsubscribe a subscriber from a list",
    section: "Version 2, endpoint 6",
    success: "200",
    example: ({ v2, listId, phoneNumber }) => v2.subscribers.remove(listId, phoneNumber),
  },
  listScheduledMessages: {
    tag: "Scheduled messages",
    summary: "Scheduled messages of a list",
    section: "Version 2, endpoint 7",
    success: "200",
    example: async ({ v2, listId }) =>
      v2.scheduledMessages.list(listId, { start_date: "20261120", end_date: "20261231" }),
  },
  retrieveMomtReport: {
    tag: "MOMT reports",
    summary: "Status and data of one MOMT report",
    section: "Version 2, endpoint 8",
    success: "200",
    example: ({ v2, reportId }) => v2.momtReports.retrieve(reportId),
  },
};

const ABOUT_TRANSACTIONAL: Readonly<Record<keyof typeof transactional, About>> = {
  sendRcsText: {
    tag: "Messages",
    summary: "Send an RCS text message",
    section: "Send an RCS text message",
    example: async ({ rcs }) => {
      await rcs.sendRcsText(text);
      await rcs.sendRcsText({ ...text, phoneNumber: "1" }).catch(() => {});
    },
  },
  sendRcsFile: {
    tag: "Messages",
    summary: "Send an RCS file message",
    section: "Send an RCS file message",
    success: "202",
    example: async ({ rcs }) => {
      await rcs.sendRcsFile(file);
      await rcs.sendRcsFile({ ...file, phoneNumber: "1" }).catch(() => {});
    },
  },
};

const toOperations = <Name extends string>(
  endpoints: Readonly<Record<Name, unknown>>,
  about: Readonly<Record<Name, About>>,
): readonly Operation[] =>
  (Object.keys(about) as Name[]).map((name) => ({
    ...about[name],
    endpoint: endpoints[name] as Endpoint,
    operationId: name,
  }));

export const v2Operations = toOperations(v2, ABOUT_V2);
export const transactionalOperations = toOperations(transactional, ABOUT_TRANSACTIONAL);
