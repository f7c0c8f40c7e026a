import { withoutUndefined } from "../../core/options.ts";
import { type ScheduledMessage, scheduledMessageSchema } from "../../core/schemas/index.ts";
import { assertFields, assertUsage, parseUsage } from "./checks.ts";
import { MS_PER_UNIT } from "./fake-clock.ts";
import { findList, type Some, type StoredList, statusOf, toList } from "./store.ts";
import type { FakeWorld } from "./world.ts";

/** Fields of a new scheduled message. */
export interface NewScheduledMessage extends Some<ScheduledMessage> {}

const ADD_SCHEDULED_MESSAGE = "addScheduledMessage";

export const addScheduledMessage = (
  world: FakeWorld,
  listId: number,
  fields: NewScheduledMessage = {},
): ScheduledMessage => {
  const { store, clock } = world;
  const list = findList(ADD_SCHEDULED_MESSAGE, store, listId);
  assertFields(ADD_SCHEDULED_MESSAGE, fields);
  const id = store.ids.idOf(fields.id);
  const recipients = toList(list).counts.subscribers;
  const message: ScheduledMessage = {
    id,
    content: `Message ${id}`,
    sent_at: new Date(clock.nowMs + MS_PER_UNIT.days).toISOString(),
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
    ...withoutUndefined(fields),
  };
  parseUsage(ADD_SCHEDULED_MESSAGE, scheduledMessageSchema, message);
  const isTaken = [...store.lists.values()].some(({ scheduledMessages }) =>
    scheduledMessages.some((known) => known.id === id),
  );
  assertUsage(ADD_SCHEDULED_MESSAGE, !isTaken, `${id} is taken`, "id");
  list.scheduledMessages.push(message);
  scheduleSend(world, list, message, clock.nowMs);
  return message;
};

const send = ({ outbox }: FakeWorld, list: StoredList, message: ScheduledMessage): void => {
  const recipients = [...list.subscribers.values()].filter(
    (subscriber) => statusOf(subscriber) === "subscribed",
  );
  const { content, attachment } = message;
  const { length: reached } = recipients.filter(({ phone_number }) =>
    outbox.sendSms(list, phone_number, {
      ...(content !== null && { text: content }),
      ...(attachment !== null && { file: attachment }),
      cause: "scheduled_message",
    }),
  );
  const sent = {
    ...message,
    status: "sent",
    recipient_count: recipients.length,
    success_count: reached,
    bounces_count: recipients.length - reached,
    pending_count: 0,
    sms_count: reached,
  };
  list.scheduledMessages = list.scheduledMessages.map((known) =>
    known === message ? sent : known,
  );
};

/** Schedules a message for its `sent_at`, if that is after `sinceMs`. A deleted list sends nothing. */
export const scheduleSend = (
  world: FakeWorld,
  list: StoredList,
  message: ScheduledMessage,
  sinceMs: number,
): void => {
  const sentAtMs = Date.parse(message.sent_at ?? "");
  if (list.deleted || message.status !== "scheduled" || !(sentAtMs > sinceMs)) return;
  world.clock.setAlarm(sentAtMs, () => send(world, list, message), list);
};
