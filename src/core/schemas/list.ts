import type * as z from "zod/mini";
import * as f from "./fields.ts";
import { type OptInRequest, optInRequestSchema } from "./opt-in.ts";
import { type PageQuery, pageQuery } from "./page.ts";

export const listSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Id of the list. */
    id: f.integer(),
    /** Name of the list. */
    name: f.string(),
    /** E-mail address that receives digests. */
    email_digest: f.stringOrNull(),
    /** Setting whose effect is not documented. */
    email_subscribe: f.booleanOrNull(),
    /** Setting whose effect is not documented. */
    email_unsubscribe: f.booleanOrNull(),
    /** Sent after a first-time opt-in (single opt-in). */
    first_optin_message: f.stringOrNull(),
    /** Sent after a repeat opt-in (single opt-in). */
    second_optin_message: f.stringOrNull(),
    /** Reply to a help request. */
    message_help: f.stringOrNull(),
    /** Reply to a stop request. */
    message_stop: f.stringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_reply: f.stringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_already_subscribed: f.stringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_yes: f.stringOrNull(),
    /** Opt-in keywords of the list. May be empty. */
    keyword_names: f.listOf(f.string()),
    /** Counts of phone numbers by state. */
    counts: f.looseObject({
      /** Number of subscribed phone numbers. */
      subscribers: f.integer(),
      /** Number of phone numbers that left the list or were removed from it. */
      unsubscribed: f.integer(),
      /** Number of cleaned phone numbers. When the service cleans a phone number is not documented. */
      cleaned: f.integer(),
    }),
    /** Type of opt-in: `single` or `double`. */
    opt_in_type: f.openEnum(["single", "double"]),
    /** Steps of a double opt-in. Empty for a single opt-in. */
    opt_in_requests: f.listOf(optInRequestSchema()),
  }),
);

/** List of subscribers, with its keywords, messages and opt-in settings. */
export interface List extends z.infer<ReturnType<typeof listSchema>> {
  /** Steps of a double opt-in. Empty for a single opt-in. */
  opt_in_requests: OptInRequest[];
}

const listCreateFields = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Name of the list. */
    name: f.optionalString(),
    /** Standard reply. When it is sent is not documented. */
    message_yes: f.optionalStringOrNull(),
    /** Reply to a help request. */
    message_help: f.optionalStringOrNull(),
    /** Reply to a stop request. */
    message_stop: f.optionalStringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_reply: f.optionalStringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_already_subscribed: f.optionalStringOrNull(),
    /** Sent after a first-time opt-in (single opt-in). */
    first_optin_message: f.optionalStringOrNull(),
    /** Sent after a repeat opt-in (single opt-in). */
    second_optin_message: f.optionalStringOrNull(),
    /** E-mail address that receives digests. */
    email_digest: f.optionalStringOrNull(),
    /** Setting whose effect is not documented. */
    email_subscribe: f.optionalBooleanOrNull(),
    /** Setting whose effect is not documented. */
    email_unsubscribe: f.optionalBooleanOrNull(),
  }),
);

export const listCreateSchema = /* @__PURE__ */ f.once(() =>
  f.withoutFieldsOf(listSchema(), listCreateFields()),
);

/** Settings of a new list. Which of them are required is not documented. */
export interface ListCreate extends z.input<ReturnType<typeof listCreateFields>> {}

export const listsQuerySchema = /* @__PURE__ */ f.once(() =>
  pageQuery({
    /** Whether the service includes deleted lists, which it does not mark. Default: `true`. */
    include_deleted: f.optionalBoolean(),
  }),
);

/** Filter, page and page size for `lists.list`. */
export interface ListsQuery extends PageQuery, z.input<ReturnType<typeof listsQuerySchema>> {}
