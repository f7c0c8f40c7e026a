import type * as z from "zod/mini";
import {
  booleanOrNull,
  integer,
  leaveOut,
  listOf,
  looseObject,
  once,
  openEnum,
  optionalBoolean,
  optionalBooleanOrNull,
  optionalString,
  optionalStringOrNull,
  string,
  stringOrNull,
} from "./fields.ts";
import { type OptInRequest, optInRequestSchema } from "./opt-in.ts";
import { type PageQuery, pageQuery } from "./page.ts";

export const listSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Id of the list, a positive integer. */
    id: integer(),
    /** Name of the list. */
    name: string(),
    /** E-mail address that receives digests. */
    email_digest: stringOrNull(),
    /** Setting whose effect is not documented. */
    email_subscribe: booleanOrNull(),
    /** Setting whose effect is not documented. */
    email_unsubscribe: booleanOrNull(),
    /** Sent after a first-time opt-in (single opt-in). */
    first_optin_message: stringOrNull(),
    /** Sent after a repeat opt-in (single opt-in). */
    second_optin_message: stringOrNull(),
    /** Reply to a help request. */
    message_help: stringOrNull(),
    /** Reply to a stop request. */
    message_stop: stringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_reply: stringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_already_subscribed: stringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_yes: stringOrNull(),
    /** Opt-in keywords of the list. May be empty. */
    keyword_names: listOf(string()),
    /** Numbers of phones by state. */
    counts: looseObject({
      /** Number of subscribed phones. */
      subscribers: integer(),
      /** Number of phones that left the list or were removed from it. */
      unsubscribed: integer(),
      /** Number of cleaned phones. When the service cleans a phone is not documented. */
      cleaned: integer(),
    }),
    /** Type of opt-in: `single` or `double`. */
    opt_in_type: openEnum(["single", "double"]),
    /** Steps of a double opt-in. Empty for a single opt-in. */
    opt_in_requests: listOf(optInRequestSchema()),
  }),
);

/** List of subscribers, with its keywords, messages and opt-in settings. */
export interface List extends z.infer<ReturnType<typeof listSchema>> {
  /** Steps of a double opt-in. Empty for a single opt-in. */
  opt_in_requests: OptInRequest[];
}

type ListResponseField = Exclude<keyof List, keyof ListCreate>;

const LIST_RESPONSE_FIELDS: Readonly<Record<ListResponseField, true>> = {
  id: true,
  keyword_names: true,
  counts: true,
  opt_in_type: true,
  opt_in_requests: true,
};

const listCreateFields = /* @__PURE__ */ once(() =>
  looseObject({
    /** Name of the list. */
    name: optionalString(),
    /** Standard reply. When it is sent is not documented. */
    message_yes: optionalStringOrNull(),
    /** Reply to a help request. */
    message_help: optionalStringOrNull(),
    /** Reply to a stop request. */
    message_stop: optionalStringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_reply: optionalStringOrNull(),
    /** Standard reply. When it is sent is not documented. */
    message_already_subscribed: optionalStringOrNull(),
    /** Sent after a first-time opt-in (single opt-in). */
    first_optin_message: optionalStringOrNull(),
    /** Sent after a repeat opt-in (single opt-in). */
    second_optin_message: optionalStringOrNull(),
    /** E-mail address that receives digests. */
    email_digest: optionalStringOrNull(),
    /** Setting whose effect is not documented. */
    email_subscribe: optionalBooleanOrNull(),
    /** Setting whose effect is not documented. */
    email_unsubscribe: optionalBooleanOrNull(),
  }),
);

export const listCreateSchema = /* @__PURE__ */ once(() =>
  listCreateFields().check(leaveOut(LIST_RESPONSE_FIELDS)),
);

/** Settings of a new list. Which of them are required is not documented. */
export interface ListCreate extends z.input<ReturnType<typeof listCreateFields>> {}

export const listsQuerySchema = /* @__PURE__ */ once(() =>
  pageQuery({
    /** Whether the service includes deleted lists, which it does not mark. Default: `true`. */
    include_deleted: optionalBoolean(),
  }),
);

/** Filter, page and page size for `lists.list`. */
export interface ListsQuery extends PageQuery, z.input<ReturnType<typeof listsQuerySchema>> {}
