import type { PhoneMessage } from "./messages.ts";
import type { Webhook } from "./sends.ts";

/** Event of a fake service's state. */
export type WorldEvent =
  | {
      /** The service sent a message to a phone, or a phone sent one. */
      readonly type: "message";
      /** Message, as in `service.conversationWith()`. */
      readonly message: PhoneMessage;
    }
  | {
      /** A webhook was built, or its outcome became known. */
      readonly type: "webhook";
      /** Webhook, as in `service.webhooks`. */
      readonly webhook: Webhook;
    }
  | {
      /** Accounts, lists, phones, reports, failures or the clock may have changed. */
      readonly type: "state";
    };

/** Receiver of the events of a fake service's state. */
export interface WorldEvents {
  emit(event: WorldEvent): void;
}

/** Appends an item to a list and forgets the oldest items beyond the limit. */
export const appendBounded = <T>(items: T[], item: T, limit: number): void => {
  items.push(item);
  if (items.length > limit) items.splice(0, items.length - limit);
};
