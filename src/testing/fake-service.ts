import type { List } from "../schemas/list.ts";
import type { MomtReport } from "../schemas/momt-report.ts";
import type { ScheduledMessage } from "../schemas/scheduled-message.ts";
import type { Subscriber } from "../schemas/subscriber.ts";
import type { FakeRequest, FakeResponse } from "./fake-response.ts";
import type { ArmedFailure, NextFailure } from "./faults/failure.ts";
import type { FakePhone } from "./phones/fake-phone.ts";
import type { PhoneMessage, ReceivedMessage, SentMessage } from "./phones/phone-message.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type {
  NewAccount,
  NewList,
  NewReport,
  NewScheduledMessage,
  NewSubscriber,
} from "./resources/new-resources.ts";
import type { FakeAccount, FakeList } from "./resources/stored-list.ts";
import type { FakeServiceListener } from "./state/events.ts";
import type { Duration } from "./state/fake-clock.ts";
import type { AcceptedSend, HostedFile } from "./state/fake-store.ts";
import type { FakeState } from "./state/saved-state.ts";
import type { PostWebhook, Webhook } from "./webhooks/webhook.ts";

/** A text that a phone sends to the service. */
export interface ReceivedText extends Pick<ReceivedMessage, "text"> {
  /** Phone number in any common format. */
  readonly from: string;
  /** Id of the list that the text is for. Default: found by keyword, otherwise the list that last texted the phone. */
  readonly list_id?: number | undefined;
}

/** The whole service in memory. */
export interface FakeService {
  /** The first account; its key is valid for both APIs. */
  readonly account: FakeAccount;
  /** Base URL for a `V2Client` with `fetch`; the fake ignores the host. */
  readonly v2BaseUrl: string;
  /** Base URL for a `TransactionalClient` with `fetch`; the fake ignores the host. */
  readonly transactionalBaseUrl: string;
  /** The service as a `fetch` function, for the `fetch` option of both clients. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

  /** Time of the fake's clock. */
  readonly now: Date;
  /** Messages that were sent to phones, the first one first; the oldest are forgotten beyond `historyLimit`. */
  readonly outbox: readonly SentMessage[];
  /** Requests that arrived, the first one first; the oldest are forgotten beyond `historyLimit`. */
  readonly requests: readonly RecordedRequest[];
  /** Sends that were accepted, the first one first; the oldest are forgotten beyond `historyLimit`. */
  readonly sends: readonly AcceptedSend[];
  /** Webhooks of sends, the first one first; the oldest are forgotten beyond `historyLimit`. */
  readonly webhooks: readonly Webhook[];
  /** Every account, the first one first. */
  readonly accounts: readonly FakeAccount[];
  /** Every list of every account, deleted ones included. */
  readonly lists: readonly FakeList[];
  /** Every report of every account. */
  readonly reports: readonly MomtReport[];
  /** Every phone that the service knows, the one with the latest message first. */
  readonly phones: readonly FakePhone[];
  /** Failures that wait for their requests, in the order in which they are met. */
  readonly failures: readonly ArmedFailure[];

  /** Adds an account with lists and a key of its own. */
  addAccount(account?: NewAccount): FakeAccount;
  /** Adds a list. */
  addList(list?: NewList): List;
  /** Marks a list as deleted. */
  deleteList(listId: number): void;
  /** Adds a subscriber to a list; without a `phone_number`, one is made up. */
  addSubscriber(listId: number, subscriber?: NewSubscriber): Subscriber;
  /** Returns the subscribers of a list: subscribed, unsubscribed and cleaned. */
  subscribersOf(listId: number): readonly Subscriber[];
  /** Adds a scheduled message to a list, for the same time tomorrow unless `sent_at` is given; it is sent at its time. */
  addScheduledMessage(listId: number, message?: NewScheduledMessage): ScheduledMessage;
  /** Returns the scheduled messages of a list. */
  scheduledMessagesOf(listId: number): readonly ScheduledMessage[];
  /** Adds a report, which progresses as the clock advances. */
  addReport(report?: NewReport): MomtReport;
  /** Stops a report: its `cancelled` is `true` from now on. */
  cancelReport(reportId: number): void;
  /** Stops a report: it has `run_errors` from now on. */
  failReport(reportId: number, runErrors?: unknown): void;

  /** Sends a text from a phone, which the opt-in machine handles. Returns the messages that the phone is sent. */
  receiveText(text: ReceivedText): readonly SentMessage[];
  /** Returns the messages to and from a phone, the first one first. */
  conversationWith(phoneNumber: string): readonly PhoneMessage[];
  /** Sets whether RCS reaches a phone; when it does not, the SMS fallback is sent. Default: it does. */
  setRcsReachable(phoneNumber: string, isReachable: boolean): void;
  /** Sets whether SMS reaches a phone; when neither RCS nor SMS does, a send fails. Default: it does. */
  setSmsReachable(phoneNumber: string, isReachable: boolean): void;
  /** Sets what the host of a file serves; the service then judges the file by that. */
  hostFile(url: string, file: HostedFile): void;

  /** Moves the clock: reminders and scheduled messages are sent, reports progress, rate limits recover. */
  advance(duration: Duration): void;
  /** Time at which the next reminder or scheduled message is due; `undefined` when there is none. */
  readonly nextDueAt: Date | undefined;
  /** Sends the reminders and scheduled messages that are due; reading `outbox` and every request do so, too. */
  sendDue(): void;
  /** Makes the next requests fail. */
  failNext(failure: NextFailure): ArmedFailure;
  /** Disarms every failure, or the one with this id. */
  clearFailures(id?: number): void;
  /** Begins anew, as `createFakeService` did: same options and account, `setUp` runs again, everything else is gone. */
  reset(): void;
  /**
   * Returns the state as a plain JSON value, for the option `state`. Requests, failures, webhooks and rate limits are
   * not part of it.
   */
  save(): FakeState;

  /** Calls a function with everything that happens; the returned function ends that. What the function throws is ignored. */
  subscribe(listener: FakeServiceListener): () => void;
  /** Has webhooks posted by a function, unless another one does so already; the returned function ends that. */
  postWebhooks(post: PostWebhook): () => void;
  /** Responds to a request; every entry point calls this. */
  handle(request: FakeRequest): FakeResponse;
}
