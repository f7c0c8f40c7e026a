import * as z from "zod/mini";
import { type DeepReadonly, listOf, string } from "./checks.ts";
import type { FakeClock } from "./clock.ts";
import { type Events, History } from "./events.ts";
import type { DeliveryEvent } from "./messages.ts";
import {
  type PhoneMessage,
  type ReceivedMessage,
  receivedMessageSchema,
  type SentMessage,
  sentMessageSchema,
} from "./messages.ts";

/** Messages in a saved state. */
export const savedMessagesSchema = z.object({
  messages: listOf(
    z.discriminatedUnion("direction", [
      z.extend(sentMessageSchema, { direction: z.literal("sent") }),
      z.extend(receivedMessageSchema, { direction: z.literal("received") }),
    ]),
  ),
  withoutRcs: listOf(string),
  withoutSms: listOf(string),
});
type SavedMessages = DeepReadonly<z.infer<typeof savedMessagesSchema>>;

/** Message before it has its id. */
type NewMessage = SavedMessages["messages"][number];

type MessageByRcs = Pick<SentMessage, "text" | "file" | "cause" | "transactionId">;

/** Messages between the service and phones, oldest first, and the phones that RCS or SMS does not reach. */
export class Outbox {
  /** Messages to phones. */
  readonly sent: History<SentMessage>;
  /** Messages to and from phones. */
  readonly messages: History<PhoneMessage>;
  readonly withoutRcs = new Set<string>();
  readonly withoutSms = new Set<string>();
  readonly #clock: FakeClock;
  readonly #events: Events;
  #lastId = 0;

  constructor(clock: FakeClock, events: Events, limit: number) {
    this.#clock = clock;
    this.#events = events;
    this.sent = new History(limit);
    this.messages = new History(limit);
  }

  sendSms(to: string, message: Pick<SentMessage, "text" | "file" | "cause" | "list_id">): void {
    if (this.withoutSms.has(to)) return;
    this.#add({ direction: "sent", at: this.#clock.timestamp, to, channel: "sms", ...message });
  }

  /** Sends a message by RCS, or its fallback by SMS if RCS does not reach the phone. */
  sendRcs(to: string, message: MessageByRcs, smsFailover: string): DeliveryEvent {
    const at = this.#clock.timestamp;
    if (!this.withoutRcs.has(to)) {
      this.#add({ direction: "sent", at, to, channel: "rcs", ...message });
      return "delivered";
    }
    if (this.withoutSms.has(to)) return "failed";
    const { cause: _, transactionId = "", ...fallbackOf } = message;
    const fallback = { text: smsFailover, cause: "smsFailover", transactionId, fallbackOf };
    this.#add({ direction: "sent", at, to, channel: "sms", ...fallback });
    return "fell_back";
  }

  receive(message: Omit<ReceivedMessage, "at">): void {
    this.#add({ direction: "received", at: this.#clock.timestamp, ...message });
  }

  /** Forgets the messages to and from a phone. */
  forget(phone: string): void {
    this.sent.remove(({ to }) => to === phone);
    this.messages.remove((message) => phoneOf(message) === phone);
  }

  save(): SavedMessages {
    return {
      messages: this.messages.items,
      withoutRcs: [...this.withoutRcs],
      withoutSms: [...this.withoutSms],
    };
  }

  restore({ messages, withoutRcs, withoutSms }: SavedMessages): void {
    for (const message of messages) this.#keep(message);
    for (const phone of withoutRcs) this.withoutRcs.add(phone);
    for (const phone of withoutSms) this.withoutSms.add(phone);
  }

  #add(message: NewMessage): void {
    this.#events.emit({ type: "message", message: this.#keep(message) });
  }

  #keep(message: NewMessage): PhoneMessage {
    this.#lastId += 1;
    const kept: PhoneMessage = { id: this.#lastId, ...message };
    this.messages.add(kept);
    if (message.direction === "sent") {
      const { direction: _, ...sent } = message;
      this.sent.add(sent);
    }
    return kept;
  }
}

/** Returns the phone that a message was sent to or came from. */
export const phoneOf = (message: PhoneMessage): string =>
  message.direction === "sent" ? message.to : message.from;
