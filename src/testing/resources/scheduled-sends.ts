import { countMessage } from "../opt-in/opt-in-machine.ts";
import type { FakeWorld } from "../world.ts";
import { type StoredList, statusOf } from "./stored-list.ts";

/** Sends a scheduled message to every subscriber of its list. */
const send = ({ outbox }: FakeWorld, list: StoredList, id: number): void => {
  const message = list.scheduledMessages.find((known) => known.id === id);
  if (!message || list.deleted) return;
  const recipients = [...list.subscribers.values()].filter(
    (subscriber) => statusOf(subscriber) === "subscribed",
  );
  for (const { phone_number } of recipients) {
    const { content, attachment } = message;
    outbox.sendSms(phone_number, {
      ...(content !== null && { text: content }),
      ...(attachment !== null && { file: attachment }),
      cause: "scheduled_message",
      list_id: list.resource.id,
    });
    countMessage(list, phone_number);
  }
  const count = recipients.length;
  const counts = { recipient_count: count, success_count: count, pending_count: 0 };
  const sent = { ...message, status: "sent", ...counts };
  list.scheduledMessages = list.scheduledMessages.map((known) =>
    known === message ? sent : known,
  );
};

/** Schedules a message for its time, if that is after `sinceMs`. */
export const scheduleSend = (
  world: FakeWorld,
  list: StoredList,
  id: number,
  sinceMs: number,
): void => {
  const message = list.scheduledMessages.find((known) => known.id === id);
  const sentAtMs = Date.parse(message?.sent_at ?? "");
  if (message?.status !== "scheduled" || !(sentAtMs > sinceMs)) return;
  world.clock.setAlarm(sentAtMs, () => send(world, list, id));
};
