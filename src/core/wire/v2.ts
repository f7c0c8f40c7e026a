import { customIssue, type ValidationIssue } from "../errors.ts";
import { type Account, accountSchema } from "../schemas/account.ts";
import * as f from "../schemas/fields.ts";
import { type List, listCreateSchema, listSchema, listsQuerySchema } from "../schemas/list.ts";
import { type MomtReport, momtReportSchema } from "../schemas/momt-report.ts";
import { optInSettingsResultSchema, optInSettingsSchema } from "../schemas/opt-in.ts";
import { pageOf } from "../schemas/page.ts";
import {
  scheduledMessageSchema,
  scheduledMessagesQuerySchema,
} from "../schemas/scheduled-message.ts";
import { type Subscriber, subscriberSchema } from "../schemas/subscriber.ts";
import { type EndpointInput, endpoint } from "./endpoint.ts";

/** Returns the issue of a page with a different number than requested, unless the list ends before the requested page. */
const pageIssue = (
  { page, pages_count }: { readonly page: number; readonly pages_count: number },
  { query }: EndpointInput,
): ValidationIssue | undefined => {
  const requested = Number((query as { page?: unknown } | undefined)?.page ?? 1);
  if (page === requested || pages_count < requested) return undefined;
  return customIssue(`must be ${requested}, the requested page`, ["page"]);
};

const SINGLE_FIELDS = ["first_optin_message", "second_optin_message"];

/**
 * Returns the issue of a response that does not match the opt-in settings that were sent, because it has the other type or lacks
 * the fields of its type (specification: "Configure opt-in type").
 */
const optInTypeIssue = (
  result: object & { readonly opt_in_type: string },
  { body }: EndpointInput,
): ValidationIssue | undefined => {
  const sent: unknown = Object(body).opt_in_type;
  // With the rules turned off, the caller may send an undocumented type. The response to it is not documented either.
  if (sent !== "single" && sent !== "double") return undefined;
  if (result.opt_in_type !== sent) {
    return customIssue(`must be ${sent}, the type sent`, ["opt_in_type"]);
  }
  const fields = result as Readonly<Record<string, unknown>>;
  if (sent === "double") {
    if (Array.isArray(fields.opt_in_requests)) return undefined;
    const message = "is required and must be an array";
    return { code: "invalid_type", type: "array", path: ["opt_in_requests"], message };
  }
  const missing = SINGLE_FIELDS.find((field) => fields[field] === undefined);
  if (missing === undefined) return undefined;
  const message = "is required and must be a string or null";
  return { code: "invalid_type", type: "string", path: [missing], message };
};

const LIST_ID = { argument: ["listId"], schema: f.idSchema };

/** Specification: "Version 2", endpoint 1. */
export const getAccount = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/accounts/me",
  response: () => f.looseObject({ status: f.string(), account: accountSchema() }),
  requiredFields: { account: "object" },
  unwrap: ({ account }): Account => account,
  idempotent: true,
});

/** Specification: "Version 2", endpoint 2. */
export const listLists = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/lists",
  query: listsQuerySchema,
  response: () => pageOf({ lists: f.listOf(listSchema()) }),
  requiredFields: { lists: "array", page: "integer", pages_count: "integer" },
  responseIssue: pageIssue,
  unwrap: ({ lists, ...page }) => ({ ...page, items: lists as List[] }),
  idempotent: true,
});

const listResponse = () => f.looseObject({ status: f.string(), list: listSchema() });

/** Specification: "Version 2", endpoint 3. */
export const retrieveList = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/lists/{ID}",
  params: { ID: LIST_ID },
  response: listResponse,
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
  response: listResponse,
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
    SUBSCRIBER_ID: { argument: ["phoneNumber"], schema: f.subscriberIdSchema },
  },
  response: () => f.looseObject({ status: f.string(), subscriber: subscriberSchema() }),
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
  response: () => pageOf({ messages: f.listOf(scheduledMessageSchema()) }),
  requiredFields: { messages: "array", page: "integer", pages_count: "integer" },
  responseIssue: pageIssue,
  unwrap: ({ messages, ...page }) => ({ ...page, items: messages }),
  idempotent: true,
});

/** Specification: "Version 2", endpoint 8. */
export const retrieveMomtReport = /* @__PURE__ */ endpoint({
  method: "GET",
  path: "/api/v2/momt_reports/{ID}",
  params: { ID: { argument: ["reportId"], schema: f.idSchema } },
  response: () => f.looseObject({ status: f.string(), momt_report: momtReportSchema() }),
  requiredFields: { momt_report: "object" },
  unwrap: ({ momt_report }): MomtReport => momt_report,
  idempotent: true,
});
