import type { PhoneMessage } from "./messages.ts";
import type { Webhook } from "./sends.ts";

/** Receiver of the events of messages and webhooks. */
export interface WorldEvents {
  emit(
    event:
      | { readonly type: "message"; readonly message: PhoneMessage }
      | { readonly type: "webhook"; readonly webhook: Webhook },
  ): void;
}

/** Appends an item to a list and forgets the oldest items beyond the limit. */
export const appendBounded = <T>(items: T[], item: T, limit: number): void => {
  items.push(item);
  if (items.length > limit) items.splice(0, items.length - limit);
};
