import * as z from "zod/mini";
import type { FakeClock } from "./fake-clock.ts";
import type { Events } from "./fake-events.ts";
import * as f from "./fake-fields.ts";
import { History } from "./history.ts";
import {
  type PhoneMessage,
  receivedMessageSchema,
  type SentMessage,
  sentMessageSchema,
  type Webhook,
} from "./messages.ts";
import type { StoredList } from "./store.ts";

export const savedMessagesSchema = z.object({
  messages: f.listOf(
    z.discriminatedUnion("direction", [
      z.extend(sentMessageSchema, { direction: z.literal("sent") }),
      z.extend(receivedMessageSchema, { direction: z.literal("received") }),
    ]),
  ),
  withoutRcs: f.listOf(f.string),
  withoutSms: f.listOf(f.string),
});
type SavedMessages = f.DeepReadonly<z.infer<typeof savedMessagesSchema>>;

/** Message before it has its id. */
type NewMessage = SavedMessages["messages"][number];

type MessageByRcs = Pick<SentMessage, "text" | "file" | "cause" | "transactionId">;

/** Creates the outbox: the messages between the service and phones, oldest first, and the phones without RCS or SMS. */
export const createOutbox = (clock: FakeClock, events: Events, limit: number) => {
  const sent = new History<SentMessage>(limit);
  const messages = new History<PhoneMessage>(limit);
  const withoutRcs = new Set<string>();
  const withoutSms = new Set<string>();
  let lastId = 0;

  const keep = (message: NewMessage): PhoneMessage => {
    lastId += 1;
    const kept: PhoneMessage = { id: lastId, ...message };
    messages.add(kept);
    if (message.direction === "sent") {
      const { direction: _, ...rest } = message;
      sent.add(rest);
    }
    return kept;
  };
  const add = (message: NewMessage): void => {
    events.emit({ type: "message", message: keep(message) });
  };

  return {
    sent,
    messages,
    withoutRcs,
    withoutSms,

    /** Sends a message of a list by SMS and counts it. Returns the message; `undefined` if SMS does not reach the phone. */
    sendSms(
      { resource, subscribers }: StoredList,
      to: string,
      message: Pick<SentMessage, "text" | "file" | "cause">,
    ): SentMessage | undefined {
      if (withoutSms.has(to)) return undefined;
      const list_id = resource.id;
      const sms = { at: clock.timestamp, to, channel: "sms" as const, ...message, list_id };
      add({ direction: "sent", ...sms });
      const subscriber = subscribers.get(to);
      if (subscriber) {
        const total_messages_received = subscriber.total_messages_received + 1;
        subscribers.set(to, { ...subscriber, total_messages_received });
      }
      return sms;
    },

    /** Sends a message by RCS, or its fallback by SMS if RCS does not reach the phone. */
    sendRcs(to: string, message: MessageByRcs, smsFailover: string): Webhook["event"] {
      const at = clock.timestamp;
      if (!withoutRcs.has(to)) {
        add({ direction: "sent", at, to, channel: "rcs", ...message });
        return "delivered";
      }
      if (withoutSms.has(to)) return "failed";
      const { cause: _, transactionId = "", ...fallbackOf } = message;
      const fallback = { text: smsFailover, cause: "smsFailover", transactionId, fallbackOf };
      add({ direction: "sent", at, to, channel: "sms", ...fallback });
      return "fell_back";
    },

    receive: (message: Omit<z.infer<typeof receivedMessageSchema>, "at">): void =>
      add({ direction: "received", at: clock.timestamp, ...message }),

    forget(phone: string): void {
      sent.remove(({ to }) => to === phone);
      messages.remove((message) => phoneOf(message) === phone);
    },

    save(): SavedMessages {
      const inBoth = messages.items.filter(({ direction }) => direction === "sent").length;
      const older = sent.items.slice(0, sent.items.length - inBoth);
      return {
        messages: [
          ...older.map((one) => ({ direction: "sent" as const, ...one })),
          ...messages.items,
        ],
        withoutRcs: [...withoutRcs],
        withoutSms: [...withoutSms],
      };
    },

    restore(saved: SavedMessages): void {
      for (const message of saved.messages) keep(message);
      for (const phone of saved.withoutRcs) withoutRcs.add(phone);
      for (const phone of saved.withoutSms) withoutSms.add(phone);
    },
  };
};

export type Outbox = ReturnType<typeof createOutbox>;

export const phoneOf = (message: PhoneMessage): string =>
  message.direction === "sent" ? message.to : message.from;
