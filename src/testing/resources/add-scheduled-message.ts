import { type ScheduledMessage, scheduledMessageSchema } from "../../schemas/scheduled-message.ts";
import { assertFields, assertResource, assertUsage } from "../assert-usage.ts";
import { assertTimestamps } from "./assert-timestamps.ts";
import { findList } from "./find-resource.ts";
import { given, type NewScheduledMessage, type ResourceContext } from "./new-resources.ts";
import { toList } from "./stored-list.ts";

const CALL = "addScheduledMessage";
const DAY_MS = 86_400_000;

/** Adds a scheduled message to a list, with generated values for missing fields. */
export const addScheduledMessage = (
  { store, clock }: ResourceContext,
  listId: number,
  fields: NewScheduledMessage = {},
): ScheduledMessage => {
  const list = findList(CALL, store, listId);
  assertFields(CALL, fields);
  const id = store.ids.idOf(fields.id);
  const recipients = toList(list).counts.subscribers;
  const message: ScheduledMessage = {
    id,
    content: `Message ${id}`,
    sent_at: new Date(clock.nowMs + DAY_MS).toISOString(),
    status: "scheduled",
    name: `Message ${id}`,
    is_broadcast: true,
    recipient_count: recipients,
    success_count: 0,
    bounces_count: 0,
    pending_count: recipients,
    clean_count: 0,
    unsubscribe_count: 0,
    sms_count: recipients,
    mms_count: 0,
    rcs_count: 0,
    send_cost: 0,
    attachment: null,
    ...given(fields),
  };
  assertResource(CALL, scheduledMessageSchema, message);
  assertTimestamps(CALL, message, ["sent_at"]);
  const isTaken = [...store.lists.values()].some(({ scheduledMessages }) =>
    scheduledMessages.some((known) => known.id === id),
  );
  assertUsage(CALL, !isTaken, `id ${id} is taken`);
  list.scheduledMessages.push(message);
  return message;
};
