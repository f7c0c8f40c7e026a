import * as z from "zod/mini";
import { dayProblems } from "../rules/calendar-day.ts";
import { amount, flag, follows, integer, open, openSet, text, textOrNull } from "./fields.ts";
import { pageQuery } from "./page.ts";

/** Specification: "Scheduled message". */
export const scheduledMessageSchema = /* @__PURE__ */ open({
  /** Identifies the message. */
  id: integer,
  /** The text. */
  content: textOrNull,
  /** When it is set to go out; ISO 8601. */
  sent_at: text,
  /** `scheduled`, or another value: the set is not documented. */
  status: /* @__PURE__ */ openSet(["scheduled"]),
  /** The name of the message. */
  name: textOrNull,
  /** Whether it is a broadcast. */
  is_broadcast: flag,
  /** Phone numbers that it goes to. */
  recipient_count: integer,
  /** Of these: reached. */
  success_count: integer,
  /** Of these: bounced. */
  bounces_count: integer,
  /** Of these: pending. */
  pending_count: integer,
  /** Of these: cleaned. */
  clean_count: integer,
  /** Of these: unsubscribed. */
  unsubscribe_count: integer,
  /** Messages sent as SMS. */
  sms_count: integer,
  /** Messages sent as MMS. */
  mms_count: integer,
  /** Messages sent as RCS. */
  rcs_count: integer,
  /** What sending costs; the unit is not documented. */
  send_cost: /* @__PURE__ */ z.nullable(amount),
  /** URL of the MMS attachment. */
  attachment: textOrNull,
});

/** A message that is set to go to a list (specification: "Scheduled message"). */
export interface ScheduledMessage extends z.infer<typeof scheduledMessageSchema> {}

const day = /* @__PURE__ */ z.optional(
  /* @__PURE__ */ text.check(/* @__PURE__ */ follows(dayProblems)),
);

/** Specification: "Scheduled messages", its query. */
export const scheduledMessagesQuerySchema = /* @__PURE__ */ pageQuery({
  /** The first day, UTC: `YYYYMMDD`. Default: no bound. */
  start_date: day,
  /** The last day, UTC: `YYYYMMDD`. Default: no bound. */
  end_date: day,
});

/** Which scheduled messages to ask for (specification: "Scheduled messages"). */
export interface ScheduledMessagesQuery
  extends Omit<z.input<typeof scheduledMessagesQuerySchema>, "start_date" | "end_date"> {
  /** The first day, UTC: `YYYYMMDD`, or a moment of that day. Default: no bound. */
  readonly start_date?: string | Date | undefined;
  /** The last day, UTC: `YYYYMMDD`, or a moment of that day. Default: no bound. */
  readonly end_date?: string | Date | undefined;
}
