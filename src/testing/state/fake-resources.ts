import * as z from "zod/mini";
import { followUpProblems, stepOrderProblems } from "../../rules/opt-in-steps.ts";
import { type Account, accountSchema } from "../../schemas/account.ts";
import { follows, listOf } from "../../schemas/fields.ts";
import { type List, listSchema } from "../../schemas/list.ts";
import { type MomtReport, momtReportSchema } from "../../schemas/momt-report.ts";
import { type OptInRequest, optInRequestSchema } from "../../schemas/opt-in.ts";
import type { OptInStep } from "../../schemas/opt-in-settings.ts";
import { type ScheduledMessage, scheduledMessageSchema } from "../../schemas/scheduled-message.ts";
import { type Subscriber, subscriberSchema } from "../../schemas/subscriber.ts";
import { checkPhone, checkResource, checkThat, misuse } from "../misuse.ts";
import type { FakeClock } from "./fake-clock.ts";
import { PROGRESS_FIELDS, type StoredReport } from "./fake-report.ts";
import { type FakeAccount, type FakeStore, type StoredList, toList } from "./fake-store.ts";

/** Every field may be left out. */
type Some<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A new account. */
export interface NewAccount extends Some<Account> {
  /** Opens both APIs. Default: a made-up one. */
  readonly apiKey?: string | undefined;
}

/** A new list. */
export interface NewList extends Some<Omit<List, "counts" | "opt_in_requests">> {
  /** The steps of a double opt-in, new ones or as the service returns them. */
  readonly opt_in_requests?: readonly (OptInStep | OptInRequest)[] | undefined;
  /** Default: `false`. */
  readonly bypass_opt_in_response?: boolean | undefined;
  /** A deleted list is told like any other, but where `include_deleted` is `false`. Default: `false`. */
  readonly deleted?: boolean | undefined;
  /** Whose list it is. Default: the fake's first account. */
  readonly account_id?: number | undefined;
}

/** A new subscriber: unsubscribed with `opted_out_at`, cleaned with `cleaned_at`, or else subscribed. */
export interface NewSubscriber extends Some<Subscriber> {}

/** A new scheduled message. */
export interface NewScheduledMessage extends Some<ScheduledMessage> {}

/** A new report. */
export interface NewReport extends Some<MomtReport> {
  /**
   * Minutes of the fake's clock until it is complete; `null`: it stays as given. Default: 10, or
   * `null` where a field is given that tells of its progress, such as `percent_complete`.
   */
  readonly minutes?: number | null | undefined;
}

const AREA_CODES = [206, 212, 305, 312, 415, 416, 514, 604, 617, 702];
const PHONES_PER_AREA = 9900;

/** Made-up phone numbers: 206-555-0100, 206-555-0101, … */
const phoneNumberAt = (index: number): string => {
  const areaCode = AREA_CODES[Math.floor(index / PHONES_PER_AREA) % AREA_CODES.length];
  return `+1${areaCode}555${String(100 + (index % PHONES_PER_AREA)).padStart(4, "0")}`;
};

/** A made-up phone number that is not among the subscribers of a list. */
const freePhoneNumber = ({ subscribers }: StoredList): string => {
  const first = subscribers.size;
  for (let index = first; index < first + AREA_CODES.length * PHONES_PER_AREA; index += 1) {
    const phoneNumber = phoneNumberAt(index);
    if (!subscribers.has(phoneNumber)) return phoneNumber;
  }
  throw misuse("addSubscriber", "phone_number must be given: those made up are used up");
};

/** The fields that were given. */
const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

const isBooleanOrNone = (value: unknown): boolean =>
  value === undefined || typeof value === "boolean";

/** A list whose steps lead to their end. */
const newListSchema = z.extend(listSchema, {
  opt_in_requests: listOf(optInRequestSchema.check(follows(followUpProblems))).check(
    follows(stepOrderProblems),
  ),
});

/** Puts resources into a store, with made-up values for what is not given. */
export class FakeResources {
  readonly #store: FakeStore;
  readonly #clock: FakeClock;

  constructor(store: FakeStore, clock: FakeClock) {
    this.#store = store;
    this.#clock = clock;
  }

  addAccount({ apiKey, ...fields }: NewAccount = {}): FakeAccount {
    const { accounts } = this.#store;
    const id = this.#store.idOf(fields.id);
    const account = checkResource("addAccount", accountSchema, {
      id,
      email: `owner${id}@example.com`,
      username: `owner${id}`,
      ...given(fields),
    });
    const stored = { ...account, apiKey: apiKey ?? `fake-api-key-${id}` };
    const isKey = typeof stored.apiKey === "string" && stored.apiKey !== "";
    checkThat("addAccount", isKey, "apiKey must be a string, and not an empty one");
    checkThat("addAccount", !accounts.some((known) => known.id === id), `id ${id} is taken`);
    const isNewKey = !accounts.some((known) => known.apiKey === stored.apiKey);
    checkThat("addAccount", isNewKey, "apiKey is the one of another account");
    accounts.push(stored);
    return stored;
  }

  addList(fields: NewList = {}): List {
    const { opt_in_requests = [], bypass_opt_in_response, deleted, account_id, ...rest } = fields;
    const areSteps =
      Array.isArray(opt_in_requests) && opt_in_requests.every((step) => Object(step) === step);
    checkThat("addList", areSteps, "opt_in_requests must be an array of steps");
    checkThat("addList", isBooleanOrNone(deleted), "deleted must be true or false");
    const isFlag = isBooleanOrNone(bypass_opt_in_response);
    checkThat("addList", isFlag, "bypass_opt_in_response must be true or false");
    const id = this.#store.idOf(rest.id);
    const accountId = this.#accountId("addList", account_id);
    const resource: Omit<List, "counts"> = {
      id,
      name: `List ${id}`,
      email_digest: null,
      email_subscribe: null,
      email_unsubscribe: null,
      first_optin_message: null,
      second_optin_message: null,
      message_help: null,
      message_stop: null,
      message_reply: null,
      message_already_subscribed: null,
      message_yes: null,
      keyword_names: [],
      opt_in_type: opt_in_requests.length > 0 ? "double" : "single",
      ...given(rest),
      opt_in_requests: opt_in_requests.map((step) =>
        this.toOptInRequest(id, step, bypass_opt_in_response),
      ),
    };
    const stored: StoredList = {
      accountId,
      resource,
      bypassOptInResponse: bypass_opt_in_response ?? false,
      deleted: deleted ?? false,
      subscribers: new Map(),
      scheduledMessages: [],
    };
    const list = checkResource("addList", newListSchema, toList(stored));
    checkThat("addList", !this.#store.lists.has(id), `id ${id} is taken`);
    this.#store.lists.set(id, stored);
    return list;
  }

  /** A step as the service returns it. */
  toOptInRequest(listId: number, step: OptInStep | OptInRequest, bypass?: boolean): OptInRequest {
    return {
      no_response_message: null,
      opt_in_message: null,
      second_opt_in_message: null,
      follow_up_hour: null,
      ...given(step),
      bypass_opt_in_response: bypass ?? step.bypass_opt_in_response ?? false,
      id: this.#store.idOf(undefined),
      list_id: listId,
      created_at: this.#clock.timestamp,
      updated_at: this.#clock.timestamp,
    } as OptInRequest;
  }

  addSubscriber(listId: number, fields: NewSubscriber = {}): Subscriber {
    const list = this.listById("addSubscriber", listId);
    const { phone_number = freePhoneNumber(list), ...rest } = fields;
    const subscriber = checkResource("addSubscriber", subscriberSchema, {
      phone_number: checkPhone("addSubscriber", phone_number),
      cleaned_at: null,
      subscribed_at: this.#clock.timestamp,
      opted_out_at: null,
      opt_in_method: "Keyword",
      keyword_name: list.resource.keyword_names[0] ?? null,
      carrier: 1,
      carrier_name: "Example Wireless",
      global_carrier_id: "1",
      global_carrier_name: "Example Wireless",
      total_messages_received: 0,
      ...given(rest),
    });
    list.subscribers.set(subscriber.phone_number, subscriber);
    return subscriber;
  }

  addScheduledMessage(listId: number, fields: NewScheduledMessage = {}): ScheduledMessage {
    const list = this.listById("addScheduledMessage", listId);
    const id = this.#store.idOf(fields.id);
    const recipients = toList(list).counts.subscribers;
    const message = checkResource("addScheduledMessage", scheduledMessageSchema, {
      id,
      content: `Message ${id}`,
      sent_at: new Date(this.#clock.nowMs + 86_400_000).toISOString(),
      status: "scheduled",
      name: `Message ${id}`,
      is_broadcast: true,
      recipient_count: recipients,
      success_count: 0,
      bounces_count: 0,
      pending_count: recipients,
      clean_count: 0,
      unsubscribe_count: 0,
      sms_count: recipients,
      mms_count: 0,
      rcs_count: 0,
      send_cost: 0,
      attachment: null,
      ...given(fields),
    });
    const isTime = !Number.isNaN(Date.parse(message.sent_at));
    checkThat("addScheduledMessage", isTime, "sent_at must be a time in ISO 8601");
    list.scheduledMessages.push(message);
    return message;
  }

  addReport({ minutes, ...fields }: NewReport = {}): StoredReport {
    const hasProgress = PROGRESS_FIELDS.some((name) => fields[name] !== undefined);
    const duration = minutes === undefined ? (hasProgress ? null : 10) : minutes;
    checkThat("addReport", duration === null || duration >= 0, "minutes must be 0 or more");
    const id = this.#store.idOf(fields.id);
    const account_id = this.#accountId("addReport", fields.account_id);
    const { timestamp, nowMs } = this.#clock;
    const resource = checkResource("addReport", momtReportSchema, {
      id,
      account_id,
      s3_url: null,
      import_started_at: null,
      import_completed_at: null,
      total_rows: 1000,
      processed_rows: 0,
      percent_complete: 0,
      mo_count: 0,
      mt_count: 0,
      shortcode: null,
      date_range: "custom",
      date_from: new Date(nowMs - 30 * 86_400_000).toISOString(),
      date_to: timestamp,
      campaign: null,
      carrier: null,
      phone_number: null,
      direction: null,
      status_array: null,
      type: null,
      message_type: null,
      created_at: timestamp,
      updated_at: timestamp,
      counts_calculated: false,
      is_csv: true,
      webhook_callback_url: null,
      run_errors: null,
      cancelled: null,
      ...given(fields),
    });
    checkThat("addReport", !this.#store.reports.has(id), `id ${id} is taken`);
    const durationMs = duration === null ? undefined : duration * 60_000;
    const stored: StoredReport = { resource, startedMs: nowMs, durationMs };
    this.#store.reports.set(id, stored);
    return stored;
  }

  /** Whose a new resource is. */
  #accountId(call: string, chosen: number | undefined): number {
    const { accounts } = this.#store;
    const account = accounts.find(({ id }) => chosen === undefined || id === chosen);
    if (account) return account.id;
    throw misuse(call, `there is no account ${String(chosen)}`);
  }

  /** @throws TypeError when there is no such list. */
  listById(call: string, listId: number): StoredList {
    const list = this.#store.lists.get(listId);
    if (list) return list;
    throw misuse(call, `there is no list ${String(listId)}`);
  }

  /** @throws TypeError when there is no such report. */
  reportById(call: string, reportId: number): StoredReport {
    const report = this.#store.reports.get(reportId);
    if (report) return report;
    throw misuse(call, `there is no report ${String(reportId)}`);
  }
}
