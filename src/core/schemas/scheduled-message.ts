import * as z from "zod/mini";
import { dayProblems } from "../rules/dates.ts";
import * as f from "./fields.ts";
import { type PageQuery, pageQuery } from "./page.ts";

export const scheduledMessageSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Id of the message. */
    id: f.integer(),
    /** Text of the message. */
    content: f.stringOrNull(),
    /** Time at which the message is set to go out, ISO 8601. */
    sent_at: f.timestamp(),
    /** Status of the message: `scheduled`, or an undocumented value. */
    status: f.openEnum(["scheduled"]),
    /** Name of the message. */
    name: f.stringOrNull(),
    /** Whether the message is a broadcast. */
    is_broadcast: f.boolean(),
    /** Number of recipients. */
    recipient_count: f.integer(),
    /** Number of recipients that were reached. */
    success_count: f.integer(),
    /** Number of recipients for which the message bounced. */
    bounces_count: f.integer(),
    /** Number of recipients that are pending. */
    pending_count: f.integer(),
    /** Number of recipients that were cleaned. */
    clean_count: f.integer(),
    /** Number of recipients that unsubscribed. */
    unsubscribe_count: f.integer(),
    /** Number of messages sent as SMS. */
    sms_count: f.integer(),
    /** Number of messages sent as MMS. */
    mms_count: f.integer(),
    /** Number of messages sent as RCS. */
    rcs_count: f.integer(),
    /** Cost of sending. Its unit is not documented. */
    send_cost: z.nullable(f.number()),
    /** URL of the MMS attachment. */
    attachment: f.stringOrNull(),
  }),
);

/** Message that is scheduled to go to a list. */
export interface ScheduledMessage extends z.infer<ReturnType<typeof scheduledMessageSchema>> {}

const day = /* @__PURE__ */ f.once(() => z.optional(f.string().check(f.rule(dayProblems))));

export const scheduledMessagesQuerySchema = /* @__PURE__ */ f.once(() =>
  pageQuery({
    /** First day, UTC, as `YYYYMMDD`. Default: no bound. */
    start_date: day(),
    /** Last day, UTC, as `YYYYMMDD`. Default: no bound. */
    end_date: day(),
  }),
);

/** Days, page and page size for `scheduledMessages.list`. */
export interface ScheduledMessagesQuery extends PageQuery {
  /** Day before which messages are excluded: `YYYYMMDD`, or a `Date`, whose UTC day is used. Default: no bound. */
  readonly start_date?: string | Date | undefined;
  /** Day after which messages are excluded: `YYYYMMDD`, or a `Date`, whose UTC day is used. Default: no bound. */
  readonly end_date?: string | Date | undefined;
}
