import { type Account, accountSchema } from "../schemas/account.ts";
import { listOf, open, text } from "../schemas/fields.ts";
import { idSchema, subscriberIdSchema } from "../schemas/ids.ts";
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
import { anotherPage } from "./another-page.ts";
import { endpoint } from "./endpoint.ts";

const LIST_ID = { argument: ["listId"], schema: idSchema };

/** Specification: "Version 2", endpoint 1. */
export const getAccount = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/accounts/me",
  response: open({ status: text, account: accountSchema }),
  proof: { account: "object" },
  data: ({ account }): Account => account,
  repeat: "same",
});

/** Specification: "Version 2", endpoint 2. */
export const listLists = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/lists",
  query: listsQuerySchema,
  response: pageOf({ lists: listOf(listSchema) }),
  proof: { lists: "array", page: "integer", pages_count: "integer" },
  mismatch: anotherPage,
  data: ({ lists, ...page }) => ({ ...page, items: lists as List[] }),
  repeat: "same",
});

/** Specification: "Version 2", endpoint 3. */
export const retrieveList = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/lists/{ID}",
  params: { ID: LIST_ID },
  response: open({ status: text, list: listSchema }),
  proof: { list: "object" },
  data: ({ list }): List => list,
  repeat: "same",
});

/** Specification: "Version 2", endpoint 4. */
export const configureOptIn = /* @__PURE__ */ endpoint({
  method: "PUT",
  path: "/api/v2/lists/{ID}/opt_in_settings",
  params: { ID: LIST_ID },
  body: optInSettingsSchema,
  response: optInSettingsResultSchema,
  proof: { opt_in_type: "string" },
  data: (result) => result,
  repeat: "same",
});

/** Specification: "Version 2", endpoint 5. Its path ends with a slash. */
export const createList = /* @__PURE__ */ endpoint({
  method: "POST",
  path: "/api/v2/lists/",
  body: listCreateSchema,
  wrap: "list",
  response: open({ status: text, list: listSchema }),
  proof: { list: "object" },
  data: ({ list }): List => list,
  repeat: "again",
});

/** Specification: "Version 2", endpoint 6. */
export const removeSubscriber = /* @__PURE__ */ endpoint({
  method: "DELETE",
  path: "/api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}",
  params: {
    ID: LIST_ID,
    SUBSCRIBER_ID: { argument: ["phoneNumber"], schema: subscriberIdSchema },
  },
  response: open({ status: text, subscriber: subscriberSchema }),
  proof: { subscriber: "object" },
  data: ({ subscriber }): Subscriber => subscriber,
  repeat: "same",
});

/** Specification: "Version 2", endpoint 7. */
export const listScheduledMessages = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/lists/{ID}/messages/scheduled",
  params: { ID: LIST_ID },
  query: scheduledMessagesQuerySchema,
  response: pageOf({ messages: listOf(scheduledMessageSchema) }),
  proof: { messages: "array", page: "integer", pages_count: "integer" },
  mismatch: anotherPage,
  data: ({ messages, ...page }) => ({ ...page, items: messages }),
  repeat: "same",
});

/** Specification: "Version 2", endpoint 8. */
export const retrieveMomtReport = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/momt_reports/{ID}",
  params: { ID: { argument: ["reportId"], schema: idSchema } },
  response: open({ status: text, momt_report: momtReportSchema }),
  proof: { momt_report: "object" },
  data: ({ momt_report }): MomtReport => momt_report,
  repeat: "same",
});
