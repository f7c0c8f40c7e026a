import * as z from "zod/mini";
import { flag, flagOrNull, integer, listOf, open, openSet, text, textOrNull } from "./fields.ts";
import { optInRequestSchema } from "./opt-in.ts";
import { pageQuery } from "./page.ts";

/** Specification: "List". */
export const listSchema = /* @__PURE__ */ open({
  /** Identifies the list; a positive integer. */
  id: integer,
  /** The name of the list. */
  name: text,
  /** E-mail address that receives digests. */
  email_digest: textOrNull,
  /** What it turns on is not documented. */
  email_subscribe: flagOrNull,
  /** What it turns on is not documented. */
  email_unsubscribe: flagOrNull,
  /** Sent after a first-time opt-in (single opt-in). */
  first_optin_message: textOrNull,
  /** Sent after a repeat opt-in (single opt-in). */
  second_optin_message: textOrNull,
  /** Reply to a help request. */
  message_help: textOrNull,
  /** Reply to a stop request. */
  message_stop: textOrNull,
  /** A standard reply; when it is sent is not documented. */
  message_reply: textOrNull,
  /** A standard reply; when it is sent is not documented. */
  message_already_subscribed: textOrNull,
  /** A standard reply; when it is sent is not documented. */
  message_yes: textOrNull,
  /** Opt-in keywords of the list; may be empty. */
  keyword_names: /* @__PURE__ */ listOf(text),
  /** How many phone numbers are in each state. */
  counts: /* @__PURE__ */ open({
    /** Phone numbers that are subscribed. */
    subscribers: integer,
    /** Phone numbers that left, or were removed. */
    unsubscribed: integer,
    /** Phone numbers that were cleaned. */
    cleaned: integer,
  }),
  /** `single` or `double`: how phones get onto the list. */
  opt_in_type: /* @__PURE__ */ openSet(["single", "double"]),
  /** The steps of a double opt-in; empty for a single one. */
  opt_in_requests: /* @__PURE__ */ listOf(optInRequestSchema),
});

/** A collection of subscribers, with its keywords, messages and opt-in settings (specification: "List"). */
export interface List extends z.infer<typeof listSchema> {}

const optionalText = /* @__PURE__ */ z.optional(text);
const optionalFlag = /* @__PURE__ */ z.optional(flag);

/** Specification: "Create list". Which fields are required is not documented. */
export const listCreateSchema = /* @__PURE__ */ open({
  /** The name of the list. */
  name: optionalText,
  /** A standard reply; when it is sent is not documented. */
  message_yes: optionalText,
  /** Reply to a help request. */
  message_help: optionalText,
  /** Reply to a stop request. */
  message_stop: optionalText,
  /** A standard reply; when it is sent is not documented. */
  message_reply: optionalText,
  /** A standard reply; when it is sent is not documented. */
  message_already_subscribed: optionalText,
  /** Sent after a first-time opt-in (single opt-in). */
  first_optin_message: optionalText,
  /** Sent after a repeat opt-in (single opt-in). */
  second_optin_message: optionalText,
  /** E-mail address that receives digests. */
  email_digest: optionalText,
  /** What it turns on is not documented. */
  email_subscribe: optionalFlag,
  /** What it turns on is not documented. */
  email_unsubscribe: optionalFlag,
});

/** The settings of a new list (specification: "Create list"). */
export interface ListCreate extends z.input<typeof listCreateSchema> {}

/** Specification: "List lists". */
export const listsQuerySchema = /* @__PURE__ */ pageQuery({
  /** Whether deleted lists are included; the service does not mark them. Default: true. */
  include_deleted: optionalFlag,
});

/** Which lists to ask for (specification: "List lists"). */
export interface ListsQuery extends z.input<typeof listsQuerySchema> {}
