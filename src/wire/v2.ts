import { type Account, accountSchema } from "../schemas/account.ts";
import { idSchema, listOf, looseObject, string, subscriberIdSchema } from "../schemas/fields.ts";
import { type List, listCreateSchema, listSchema, listsQuerySchema } from "../schemas/list.ts";
import { type MomtReport, momtReportSchema } from "../schemas/momt-report.ts";
import { optInSettingsResultSchema } from "../schemas/opt-in.ts";
import { optInSettingsSchema } from "../schemas/opt-in-settings.ts";
import { pageOf } from "../schemas/page.ts";
import {
  scheduledMessageSchema,
  scheduledMessagesQuerySchema,
} from "../schemas/scheduled-message.ts";
import { type Subscriber, subscriberSchema } from "../schemas/subscriber.ts";
import { optInTypeIssue, pageIssue } from "./checks.ts";
import { endpoint } from "./endpoint.ts";

const LIST_ID = { argument: ["listId"], schema: idSchema };

/** Specification: "Version 2", endpoint 1. */
export const getAccount = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/accounts/me",
  response: () => looseObject({ status: string(), account: accountSchema() }),
  requiredFields: { account: "object" },
  unwrap: ({ account }): Account => account,
  idempotent: true,
});

/** Specification: "Version 2", endpoint 2. */
export const listLists = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/lists",
  query: listsQuerySchema,
  response: () => pageOf({ lists: listOf(listSchema()) }),
  requiredFields: { lists: "array", page: "integer", pages_count: "integer" },
  responseIssue: pageIssue,
  unwrap: ({ lists, ...page }) => ({ ...page, items: lists as List[] }),
  idempotent: true,
});

/** Specification: "Version 2", endpoint 3. */
export const retrieveList = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/lists/{ID}",
  params: { ID: LIST_ID },
  response: () => looseObject({ status: string(), list: listSchema() }),
  requiredFields: { list: "object" },
  unwrap: ({ list }): List => list,
  idempotent: true,
});

/** Specification: "Version 2", endpoint 4. */
export const configureOptIn = /* @__PURE__ */ endpoint({
  method: "PUT",
  path: "/api/v2/lists/{ID}/opt_in_settings",
  params: { ID: LIST_ID },
  body: optInSettingsSchema,
  response: optInSettingsResultSchema,
  requiredFields: { opt_in_type: "string" },
  responseIssue: optInTypeIssue,
  unwrap: (result) => result,
  idempotent: true,
});

/** Specification: "Version 2", endpoint 5. Its path ends with a slash. */
export const createList = /* @__PURE__ */ endpoint({
  method: "POST",
  path: "/api/v2/lists/",
  body: listCreateSchema,
  wrap: "list",
  response: () => looseObject({ status: string(), list: listSchema() }),
  requiredFields: { list: "object" },
  unwrap: ({ list }): List => list,
  idempotent: false,
});

/** Specification: "Version 2", endpoint 6. */
export const removeSubscriber = /* @__PURE__ */ endpoint({
  method: "DELETE",
  path: "/api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}",
  params: {
    ID: LIST_ID,
    SUBSCRIBER_ID: { argument: ["phoneNumber"], schema: subscriberIdSchema },
  },
  response: () => looseObject({ status: string(), subscriber: subscriberSchema() }),
  requiredFields: { subscriber: "object" },
  unwrap: ({ subscriber }): Subscriber => subscriber,
  idempotent: true,
});

/** Specification: "Version 2", endpoint 7. */
export const listScheduledMessages = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/lists/{ID}/messages/scheduled",
  params: { ID: LIST_ID },
  query: scheduledMessagesQuerySchema,
  response: () => pageOf({ messages: listOf(scheduledMessageSchema()) }),
  requiredFields: { messages: "array", page: "integer", pages_count: "integer" },
  responseIssue: pageIssue,
  unwrap: ({ messages, ...page }) => ({ ...page, items: messages }),
  idempotent: true,
});

/** Specification: "Version 2", endpoint 8. */
export const retrieveMomtReport = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/momt_reports/{ID}",
  params: { ID: { argument: ["reportId"], schema: idSchema } },
  response: () => looseObject({ status: string(), momt_report: momtReportSchema() }),
  requiredFields: { momt_report: "object" },
  unwrap: ({ momt_report }): MomtReport => momt_report,
  idempotent: true,
});
