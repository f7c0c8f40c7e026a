import * as z from "zod/mini";
import type { FakeClock } from "./clock.ts";
import { appendBounded, type WorldEvents } from "./events.ts";
import { type DeepReadonly, listOf, string } from "./fields.ts";
import {
  type PhoneMessage,
  type ReceivedMessage,
  receivedMessageSchema,
  type SentMessage,
  sentMessageSchema,
} from "./messages.ts";
import type { DeliveryEvent } from "./sends.ts";

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

type MessageByRcs = Pick<SentMessage, "text" | "file" | "cause" | "transactionId">;

/** Messages between the service and phones, oldest first, and the phones that RCS or SMS does not reach. */
export class Outbox {
  /** Messages to phones. */
  readonly messages: SentMessage[] = [];
  /** Messages to and from phones. */
  readonly conversations: PhoneMessage[] = [];
  readonly withoutRcs = new Set<string>();
  readonly withoutSms = new Set<string>();
  readonly #clock: FakeClock;
  readonly #events: WorldEvents;
  readonly #limit: number;

  constructor(clock: FakeClock, events: WorldEvents, limit: number) {
    this.#clock = clock;
    this.#events = events;
    this.#limit = limit;
  }

  sendSms(to: string, message: Pick<SentMessage, "text" | "file" | "cause" | "list_id">): void {
    if (this.withoutSms.has(to)) return;
    this.#record({ at: this.#clock.timestamp, to, channel: "sms", ...message });
  }

  /** Sends a message by RCS, or its fallback by SMS if RCS does not reach the phone. */
  sendRcs(to: string, message: MessageByRcs, smsFailover: string): DeliveryEvent {
    const at = this.#clock.timestamp;
    if (!this.withoutRcs.has(to)) {
      this.#record({ at, to, channel: "rcs", ...message });
      return "delivered";
    }
    if (this.withoutSms.has(to)) return "failed";
    const { cause: _, transactionId = "", ...fallbackOf } = message;
    const fallback = { text: smsFailover, cause: "smsFailover", transactionId, fallbackOf };
    this.#record({ at, to, channel: "sms", ...fallback });
    return "fell_back";
  }

  receive(message: Omit<ReceivedMessage, "at">): void {
    this.#append({ direction: "received", at: this.#clock.timestamp, ...message });
  }

  save(): SavedMessages {
    return {
      messages: this.conversations,
      withoutRcs: [...this.withoutRcs],
      withoutSms: [...this.withoutSms],
    };
  }

  restore({ messages, withoutRcs, withoutSms }: SavedMessages): void {
    for (const message of messages) {
      appendBounded(this.conversations, message, this.#limit);
      if (message.direction === "received") continue;
      const { direction: _, ...sent } = message;
      appendBounded(this.messages, sent, this.#limit);
    }
    for (const phone of withoutRcs) this.withoutRcs.add(phone);
    for (const phone of withoutSms) this.withoutSms.add(phone);
  }

  #record(message: SentMessage): void {
    appendBounded(this.messages, message, this.#limit);
    this.#append({ direction: "sent", ...message });
  }

  #append(message: PhoneMessage): void {
    appendBounded(this.conversations, message, this.#limit);
    this.#events.emit({ type: "message", message });
  }
}
