import * as z from "zod/mini";
import type { List } from "../core/schemas/list.ts";
import type { MomtReport } from "../core/schemas/momt-report.ts";
import type { ScheduledMessage } from "../core/schemas/scheduled-message.ts";
import type { Subscriber } from "../core/schemas/subscriber.ts";
import type { FakeRequest, FakeResponse } from "./fake/exchange.ts";
import { CLOCK_END_MS, CLOCK_START_MS, type Duration } from "./fake/fake-clock.ts";
import type { FakeServiceEvent } from "./fake/fake-events.ts";
import * as f from "./fake/fake-fields.ts";
import type { NewList, NewSubscriber } from "./fake/fake-lists.ts";
import type { AcceptedSend, PhoneMessage, SentMessage, Webhook } from "./fake/messages.ts";
import type { RecordedRequest } from "./fake/recorded-requests.ts";
import type { NewReport } from "./fake/reports.ts";
import type { FakeState } from "./fake/saved-state.ts";
import type { NewScheduledMessage } from "./fake/scheduled-sends.ts";
import type { FakeAccount, FakeList } from "./fake/store.ts";
import type { PostWebhook, WebhookBody } from "./fake/webhooks.ts";
import type { FakePhone, NewAccount } from "./fake/world.ts";
import type { ArmedFailure, NextFailure } from "./service/armed-failures.ts";
import type { ResponderOptions } from "./service/responder.ts";

/** Options of {@link createFakeService}. */
export interface FakeServiceOptions extends ResponderOptions {
  /** Function that returns the current time, to which the fake's clock adds every `advance`. Default: the real time. */
  readonly now?: (() => Date) | undefined;
  /** Fields of the first account. Default: generated values. */
  readonly account?: NewAccount | undefined;
  /** Function that fills the service, called at creation and again by `reset()` without `empty`. Default: none. */
  readonly setUp?: ((service: FakeService) => void) | undefined;
  /** State that `save()` returned. It is restored, and `setUp` is not called at creation. Default: none. */
  readonly state?: FakeState | undefined;
  /** Function that builds the body of a send's webhooks; the specification shows no payload. Default: no webhooks. */
  readonly webhooks?: WebhookBody | undefined;
  /** Maximum number of records of each history, such as `outbox`, 1 or more. Default: 10 000. */
  readonly historyLimit?: number | undefined;
}

const isTimeSource = (now: unknown): boolean => {
  const time: unknown = typeof now === "function" && now();
  const epochMs = time instanceof Date ? time.getTime() : Number.NaN;
  return epochMs >= CLOCK_START_MS && epochMs <= CLOCK_END_MS;
};

const callback = z.optional(f.valueThat("a function", (value) => typeof value === "function"));
/** Option that is checked where it is used. */
const other = z.optional(z.unknown());

export const serviceOptionsSchema = z.object({
  now: z.optional(
    f.valueThat("a function that returns a Date of the years 1 to 9999", isTimeSource),
  ),
  rateLimit: other,
  latency: other,
  account: z.optional(
    f.valueThat("an object, such as { id: 17 }", (account) => Object(account) === account),
  ),
  setUp: callback,
  state: other,
  webhooks: callback,
  historyLimit: z.optional(f.positiveInteger),
} satisfies Record<keyof FakeServiceOptions, z.ZodMiniType>);

export const resetSchema = f.objectOf({
  /** Whether the fake keeps nothing but its first account. Default: `false`. */
  empty: f.optionalBoolean,
});

export type FakeHistory = FakeService["truncated"][number];

/** Fake of the documented service in memory. */
export interface FakeService {
  /** The first account; its key is valid for both APIs. */
  readonly account: FakeAccount;
  /** Base URL for a `V2Client` with `fetch`; the fake ignores the host. */
  readonly v2BaseUrl: string;
  /** Base URL for a `TransactionalClient` with `fetch`; the fake ignores the host. */
  readonly transactionalBaseUrl: string;
  /** Options of a `V2Client` that reaches the fake with the first account's key. */
  readonly v2Options: {
    /** The fake's `v2BaseUrl`. */
    readonly baseUrl: string;
    /** E-mail address of the first account. */
    readonly email: string;
    /** API key of the first account. */
    readonly apiKey: string;
    /** The fake's `fetch`. */
    readonly fetch: FakeService["fetch"];
  };
  /** Options of a `TransactionalClient` that reaches the fake with the first account's key. */
  readonly transactionalOptions: Omit<FakeService["v2Options"], "email">;
  /** The service as a `fetch` function, for the `fetch` option of both clients. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

  /** Current time of the fake's clock. */
  readonly now: Date;
  /** Messages that were sent to phones, oldest first; beyond `historyLimit`, the oldest are dropped. */
  readonly outbox: readonly SentMessage[];
  /** Requests that arrived, oldest first; beyond `historyLimit`, the oldest are dropped. */
  readonly requests: readonly RecordedRequest[];
  /** Sends that were accepted, oldest first; beyond `historyLimit`, the oldest are dropped. */
  readonly sends: readonly AcceptedSend[];
  /** Messages to and from phones, oldest first; beyond `historyLimit`, the oldest are dropped. */
  readonly messages: readonly PhoneMessage[];
  /** Histories whose oldest records were dropped, because they exceeded `historyLimit`. */
  readonly truncated: readonly ("outbox" | "messages" | "requests" | "sends" | "webhooks")[];
  /** Webhooks of sends, oldest first; beyond `historyLimit`, the oldest are dropped. */
  readonly webhooks: readonly Webhook[];
  /** Every account, oldest first. */
  readonly accounts: readonly FakeAccount[];
  /** Every list of every account, deleted ones included. */
  readonly lists: readonly FakeList[];
  /** Every report of every account. */
  readonly reports: readonly MomtReport[];
  /** Every phone that the service knows, sorted by latest message, newest first. */
  readonly phones: readonly FakePhone[];
  /** Armed failures, in the order in which they apply to requests. */
  readonly failures: readonly ArmedFailure[];

  /** Adds an account with its own lists and API key. */
  addAccount(account?: NewAccount): FakeAccount;
  /** Adds a list. */
  addList(list?: NewList): List;
  /** Marks a list as deleted. It is still listed unless `include_deleted` is `false`. */
  deleteList(listId: number): void;
  /** Removes a list with its keywords, subscribers and scheduled messages. The messages that it sent stay. */
  removeList(listId: number): void;
  /** Adds a subscriber to a list, or replaces the subscriber with this `phone_number`. Default: a generated `phone_number`. */
  addSubscriber(listId: number, subscriber?: NewSubscriber): Subscriber;
  /** Returns the subscribers of a list, including unsubscribed and cleaned ones. */
  subscribersOf(listId: number): readonly Subscriber[];
  /**
   * Adds a scheduled message to a list. It is sent at `sent_at`, by default 24 hours from now, unless that time has passed or its
   * `status` is not `scheduled`.
   */
  addScheduledMessage(listId: number, message?: NewScheduledMessage): ScheduledMessage;
  /** Returns the scheduled messages of a list. */
  scheduledMessagesOf(listId: number): readonly ScheduledMessage[];
  /** Adds a report, which progresses as the clock advances. */
  addReport(report?: NewReport): MomtReport;
  /** Cancels a report. Its `cancelled` is then `true`. */
  cancelReport(reportId: number): void;
  /** Makes a report fail. It then has `run_errors`, by default `["The report failed"]`. */
  failReport(reportId: number, runErrors?: unknown): void;

  /** Sends a text from a phone to the service, which may change its opt-in. Returns the messages that go back to the phone. */
  receiveText(text: {
    /** Phone number in any common format. */
    readonly from: string;
    /** The text. */
    readonly text: string;
    /**
     * Id of the list that the text is for. Default: the list that has the text as a keyword; if there is none, or the text is
     * STOP, HELP or a valid reply, the list of the phone's latest event, or else the newest list it was ever on.
     */
    readonly list_id?: number | undefined;
  }): readonly SentMessage[];
  /** Returns the messages to and from a phone, oldest first. */
  conversationWith(phoneNumber: string): readonly PhoneMessage[];
  /** Removes the messages to and from a phone. The sends, the webhooks and the counts of messages stay. */
  removeConversation(phoneNumber: string): void;
  /**
   * Returns the first message to a phone that matches, from `outbox` or as soon as it is sent. It rejects with a
   * `DOMException` named `TimeoutError` if none is sent within `timeout`.
   */
  waitForMessage(
    message: {
      /** Phone number of the recipient, in any common format. */
      readonly to: string;
      /** Part of the text. Default: any text or file. */
      readonly text?: string | undefined;
    },
    options?: {
      /** Longest wait in milliseconds of real time, 0 to 2 147 483 647. Default: 5000. */
      readonly timeout?: number | undefined;
      /** Signal that ends the wait. Default: none. */
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<SentMessage>;
  /** Sets whether RCS reaches a phone; if not, the SMS fallback is sent. Initially `true`. */
  setRcsReachable(phoneNumber: string, isReachable: boolean): void;
  /** Sets whether SMS reaches a phone; if neither RCS nor SMS does, a send fails. Initially `true`. */
  setSmsReachable(phoneNumber: string, isReachable: boolean): void;
  /** Sets the content type and size that the host of a file reports. Sends of the file are then checked against the rules. */
  hostFile(
    url: string,
    file: {
      /** Value of the host's `content-type` header. */
      readonly contentType: string;
      /** Size in bytes. Default: unknown. */
      readonly size?: number | undefined;
    },
  ): void;

  /** Moves the clock forward. Reminders and scheduled messages are sent, reports progress, and rate limits recover. */
  advance(duration: Duration): void;
  /** Time at which the next reminder or scheduled message is due; `undefined` when there is none. */
  readonly nextDueAt: Date | undefined;
  /** Sends the reminders and scheduled messages that are due. Every request and every read of `outbox` does the same. */
  sendDue(): void;
  /** Makes the next requests that pass the filter fail. Returns the armed failure. */
  failNext(failure: NextFailure): ArmedFailure;
  /** Disarms every failure, or the failure with this id. */
  clearFailures(id?: number): void;
  /** Resets the fake to its options, except `state`, and to its first account, and calls `setUp` again unless `empty` is `true`. */
  reset(options?: {
    /** Whether the fake keeps nothing but its first account. Default: `false`. */
    readonly empty?: boolean | undefined;
  }): void;
  /** Returns the state as plain JSON, for the option `state`, without requests, failures, webhooks and rate limits. */
  save(): FakeState;

  /** Adds a listener for every event; the returned function removes it. Errors that the listener throws are ignored. */
  subscribe(listener: (event: FakeServiceEvent) => void): () => void;
  /** Adds a function that posts the webhooks; only the first one added is used. The returned function removes it. */
  postWebhooks(post: PostWebhook): () => void;
  /** Responds to a request. Every entry point calls this method. */
  handle(request: FakeRequest): FakeResponse;
}
