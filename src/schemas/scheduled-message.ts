import * as z from "zod/mini";
import { dayProblems } from "../rules/calendar-day.ts";
import { amount, flag, follows, integer, open, openSet, text, textOrNull } from "./fields.ts";
import { pageQuery } from "./page.ts";

/** Specification: "Scheduled message". */
export const scheduledMessageSchema = /* @__PURE__ */ open({
  id: integer,
  content: textOrNull,
  /** When it is set to go out; ISO 8601. */
  sent_at: text,
  /** `scheduled`, or another value: the set is not documented. */
  status: /* @__PURE__ */ openSet(["scheduled"]),
  name: textOrNull,
  is_broadcast: flag,
  recipient_count: integer,
  success_count: integer,
  bounces_count: integer,
  pending_count: integer,
  clean_count: integer,
  unsubscribe_count: integer,
  sms_count: integer,
  mms_count: integer,
  rcs_count: integer,
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
  start_date: day,
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
