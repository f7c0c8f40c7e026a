import { sendOf } from "../call/send-of.ts";
import { Accounts } from "../resources/accounts.ts";
import { Lists, Subscribers } from "../resources/lists.ts";
import { MomtReports } from "../resources/momt-reports.ts";
import { ScheduledMessages } from "../resources/scheduled-messages.ts";
import { Client } from "./client.ts";
import {
  assertClientOptions,
  requiredStrings,
  toBasicHeader,
  type V2ClientOptions,
} from "./options.ts";

// The types of the options, the methods and their data.
export type { WaitOptions } from "../resources/report-wait.ts";
export type {
  Account,
  DoubleOptInResult,
  DoubleOptInSettings,
  List,
  ListCreate,
  ListsQuery,
  MomtReport,
  OptInRequest,
  OptInSettings,
  OptInSettingsResult,
  OptInStep,
  OptInStepWithoutReminder,
  OptInStepWithReminder,
  ScheduledMessage,
  ScheduledMessagesQuery,
  SingleOptInResult,
  SingleOptInSettings,
  Subscriber,
} from "../schemas/index.ts";
export type { Accounts, Lists, MomtReports, ScheduledMessages, Subscribers, V2ClientOptions };

const DOCUMENTED_LIMIT = { limit: 1200, interval: 3_600_000 };

/**
 * Client for version 2 of the API: subscriber lists, opt-in settings, subscribers, scheduled messages and MOMT reports.
 *
 * @example
 * const v2 = new V2Client({ baseUrl: "https://app.example.com", email: "owner@example.com", apiKey });
 * for await (const list of v2.lists.list()) console.log(list.name, list.counts.subscribers);
 */
export class V2Client extends Client {
  /** Methods for the account of the API key. */
  readonly accounts: Accounts;
  /** Methods for subscriber lists and their opt-in settings. */
  readonly lists: Lists;
  /** Methods for the subscribers of a list. */
  readonly subscribers: Subscribers;
  /** Methods for the messages that are scheduled to go to a list. */
  readonly scheduledMessages: ScheduledMessages;
  /** Methods for MOMT reports, which cover messages that phones sent and received. */
  readonly momtReports: MomtReports;

  /**
   * @param options Options of the client. If you leave out `baseUrl`, `email` or `apiKey`, the environment variable
   * `MESSAGING_V2_BASE_URL`, `MESSAGING_V2_EMAIL` or `MESSAGING_V2_API_KEY` is used.
   * @throws TypeError that names every missing option, or one option that is invalid, unknown, or would leak a credential.
   */
  constructor(options: V2ClientOptions = {}) {
    const {
      baseUrl,
      email,
      apiKey,
      throttle = DOCUMENTED_LIMIT,
      ...rest
    } = assertClientOptions(options, { email: true, throttle: true });
    const required = requiredStrings({
      baseUrl: [baseUrl, "MESSAGING_V2_BASE_URL"],
      email: [email, "MESSAGING_V2_EMAIL"],
      apiKey: [apiKey, "MESSAGING_V2_API_KEY"],
    });
    const authorization = toBasicHeader(required.email, required.apiKey);
    super(rest, {
      callIdPrefix: "v",
      baseUrl: required.baseUrl,
      credentials: { authorization },
      secrets: [required.email, required.apiKey, authorization.slice("Basic ".length)],
      throttle,
    });
    const send = sendOf(this);
    this.accounts = new Accounts(send);
    this.lists = new Lists(send);
    this.subscribers = new Subscribers(send);
    this.scheduledMessages = new ScheduledMessages(send);
    this.momtReports = new MomtReports(send);
  }
}
