import * as z from "zod/mini";
import { dayProblems } from "../rules/dates.ts";
import {
  boolean,
  integer,
  looseObject,
  number,
  once,
  openEnum,
  rule,
  string,
  stringOrNull,
  timestamp,
} from "./fields.ts";
import { type PageQuery, pageQuery } from "./page.ts";

export const scheduledMessageSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Id of the message. */
    id: integer(),
    /** Text of the message. */
    content: stringOrNull(),
    /** Time at which the message is set to go out, ISO 8601. */
    sent_at: timestamp(),
    /** Status of the message: `scheduled`, or an undocumented value. */
    status: openEnum(["scheduled"]),
    /** Name of the message. */
    name: stringOrNull(),
    /** Whether the message is a broadcast. */
    is_broadcast: boolean(),
    /** Number of recipients. */
    recipient_count: integer(),
    /** Number of recipients that were reached. */
    success_count: integer(),
    /** Number of recipients for which the message bounced. */
    bounces_count: integer(),
    /** Number of recipients that are pending. */
    pending_count: integer(),
    /** Number of recipients that were cleaned. */
    clean_count: integer(),
    /** Number of recipients that unsubscribed. */
    unsubscribe_count: integer(),
    /** Number of messages sent as SMS. */
    sms_count: integer(),
    /** Number of messages sent as MMS. */
    mms_count: integer(),
    /** Number of messages sent as RCS. */
    rcs_count: integer(),
    /** Cost of sending. Its unit is not documented. */
    send_cost: z.nullable(number()),
    /** URL of the MMS attachment. */
    attachment: stringOrNull(),
  }),
);

/** Message that is scheduled to go to a list. */
export interface ScheduledMessage extends z.infer<ReturnType<typeof scheduledMessageSchema>> {}

const day = /* @__PURE__ */ once(() => z.optional(string().check(rule(dayProblems))));

export const scheduledMessagesQuerySchema = /* @__PURE__ */ once(() =>
  pageQuery({
    /** First day, UTC, as `YYYYMMDD`. Default: no bound. */
    start_date: day(),
    /** Last day, UTC, as `YYYYMMDD`. Default: no bound. */
    end_date: day(),
  }),
);

/** Days, page and page size for `scheduledMessages.list`. */
export interface ScheduledMessagesQuery extends PageQuery {
  /** First day, inclusive: a string `YYYYMMDD`, or a `Date`, of which the UTC day is used. Default: no bound. */
  readonly start_date?: string | Date | undefined;
  /** Last day, inclusive: a string `YYYYMMDD`, or a `Date`, of which the UTC day is used. Default: no bound. */
  readonly end_date?: string | Date | undefined;
}
