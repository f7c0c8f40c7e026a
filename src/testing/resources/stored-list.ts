import type { Account } from "../../schemas/account.ts";
import type { List } from "../../schemas/list.ts";
import type { ScheduledMessage } from "../../schemas/scheduled-message.ts";
import type { Subscriber } from "../../schemas/subscriber.ts";

/** Account of the fake with its API key. */
export interface FakeAccount extends Account {
  /** API key, valid for both APIs. */
  readonly apiKey: string;
}

/** List with the fields that only the fake has. */
export interface FakeList extends List {
  /** Id of the account that owns the list. */
  readonly account_id: number;
  /** Whether the list is deleted. */
  readonly deleted: boolean;
  /** Whether the confirmation message of an opt-in is left out. */
  readonly bypass_opt_in_response: boolean;
}

/** List as the fake stores it. */
export interface StoredList {
  readonly accountId: number;
  /** List without its counts, which follow from the subscribers. */
  resource: Omit<List, "counts">;
  bypassOptInResponse: boolean;
  deleted: boolean;
  /** Subscribers by phone number in E.164. */
  readonly subscribers: Map<string, Subscriber>;
  scheduledMessages: ScheduledMessage[];
}

/** States that the counts of a list distinguish. */
export type SubscriberStatus = "subscribed" | "unsubscribed" | "cleaned";

/** Returns the state of a subscriber. */
export const statusOf = ({ cleaned_at, opted_out_at }: Subscriber): SubscriberStatus =>
  cleaned_at ? "cleaned" : opted_out_at ? "unsubscribed" : "subscribed";

/** Converts a stored list to the list that the service returns. */
export const toList = ({ resource, subscribers }: StoredList): List => {
  const counts = { subscribers: 0, unsubscribed: 0, cleaned: 0 };
  for (const subscriber of subscribers.values()) {
    const status = statusOf(subscriber);
    counts[status === "subscribed" ? "subscribers" : status] += 1;
  }
  return { ...resource, counts };
};

/** Converts a stored list to the list that the fake returns to its user. */
export const toFakeList = (stored: StoredList): FakeList => ({
  ...toList(stored),
  account_id: stored.accountId,
  deleted: stored.deleted,
  bypass_opt_in_response: stored.bypassOptInResponse,
});
