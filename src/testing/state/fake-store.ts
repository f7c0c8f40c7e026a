import type { Account } from "../../schemas/account.ts";
import type { List } from "../../schemas/list.ts";
import type { ScheduledMessage } from "../../schemas/scheduled-message.ts";
import type { Subscriber } from "../../schemas/subscriber.ts";
import type { StoredReport } from "./fake-report.ts";

/** An account of the fake, with the key that opens both APIs. */
export interface FakeAccount extends Account {
  /** Opens both APIs. */
  readonly apiKey: string;
}

/** A list as the fake keeps it. */
export interface StoredList {
  readonly accountId: number;
  /** What the service tells, but for the counts: those are taken from the subscribers. */
  resource: Omit<List, "counts">;
  bypassOptInResponse: boolean;
  deleted: boolean;
  /** By phone number in E.164. */
  readonly subscribers: Map<string, Subscriber>;
  readonly scheduledMessages: ScheduledMessage[];
}

/** What the counts of a list call a subscriber. */
export type SubscriberStatus = "subscribed" | "unsubscribed" | "cleaned";

export const statusOf = ({ cleaned_at, opted_out_at }: Subscriber): SubscriberStatus =>
  cleaned_at ? "cleaned" : opted_out_at ? "unsubscribed" : "subscribed";

/** A list as the service tells it. */
export const toList = ({ resource, subscribers }: StoredList): List => {
  const statuses = [...subscribers.values()].map(statusOf);
  const count = (status: SubscriberStatus) => statuses.filter((known) => known === status).length;
  const counts = {
    subscribers: count("subscribed"),
    unsubscribed: count("unsubscribed"),
    cleaned: count("cleaned"),
  };
  return { ...resource, counts };
};

/** A send that the fake accepted. */
export interface AcceptedSend {
  /** What the answer called the send. */
  readonly transactionId: string;
  /** By the fake's clock; ISO 8601. */
  readonly at: string;
  /** In E.164. */
  readonly phoneNumber: string;
  /** Where webhooks would go. Their payload is not documented, so the fake sends none. */
  readonly webhookUrl: string;
}

/** What the host of a file serves. */
export interface HostedFile {
  /** What the host would tell as `content-type`. */
  readonly contentType: string;
  /** Bytes. Default: not told. */
  readonly size?: number | undefined;
}

/** Everything that a fake service knows. */
export class FakeStore {
  readonly accounts: FakeAccount[] = [];
  readonly lists = new Map<number, StoredList>();
  readonly reports = new Map<number, StoredReport>();
  readonly sends: AcceptedSend[] = [];
  /** By URL. */
  readonly files = new Map<string, HostedFile>();
  readonly #chosenIds = new Set<number>();
  #lastId = 0;

  /** The id that the user of the fake chose, or a made-up one, which no other resource has. */
  idOf(chosen: number | undefined): number {
    if (chosen !== undefined) {
      this.#chosenIds.add(chosen);
      return chosen;
    }
    do this.#lastId += 1;
    while (this.#chosenIds.has(this.#lastId));
    return this.#lastId;
  }

  /** The lists of an account by their ids, the smallest first. */
  listsOf(accountId: number): StoredList[] {
    return [...this.lists.values()]
      .filter((list) => list.accountId === accountId)
      .sort((a, b) => a.resource.id - b.resource.id);
  }
}
