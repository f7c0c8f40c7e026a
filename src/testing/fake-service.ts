import type { List } from "../schemas/list.ts";
import type { MomtReport } from "../schemas/momt-report.ts";
import type { ScheduledMessage } from "../schemas/scheduled-message.ts";
import type { Subscriber } from "../schemas/subscriber.ts";
import type { FakeAnswer, FakeRequest } from "./fake-answer.ts";
import { readRequest, toResponse } from "./fake-fetch.ts";
import { Faults, failWith, type NextFailure } from "./faults.ts";
import { apiOf, endpointIds, findRoute, respond } from "./handlers/router.ts";
import { checkFields, checkPhone, checkThat } from "./misuse.ts";
import { OptInMachine, type ReceivedText } from "./opt-in/opt-in-machine.ts";
import { type Duration, FakeClock } from "./state/fake-clock.ts";
import { toReport } from "./state/fake-report.ts";
import {
  FakeResources,
  type NewAccount,
  type NewList,
  type NewReport,
  type NewScheduledMessage,
  type NewSubscriber,
} from "./state/fake-resources.ts";
import {
  type AcceptedSend,
  type FakeAccount,
  FakeStore,
  type HostedFile,
} from "./state/fake-store.ts";
import { Outbox, type SentMessage } from "./state/outbox.ts";
import { RateLimit, type RateLimitOptions } from "./state/rate-limit.ts";

/** How a fake service is made. */
export interface FakeServiceOptions {
  /** The time from which its clock is moved. Default: the real time. */
  readonly now?: (() => Date) | undefined;
  /** Whether version 2 answers 429 past its limit: `true` for 1200 calls an hour. Default: `false`. */
  readonly rateLimit?: boolean | RateLimitOptions | undefined;
  /** The first account. Default: a made-up one. */
  readonly account?: NewAccount | undefined;
}

/** A request that arrived, its credentials replaced by `[redacted]`. */
export interface RecordedRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path, without the query. */
  readonly path: string;
  /** Query parameters, decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, where it is JSON; `undefined` where there is none. */
  readonly body: unknown;
}

/** The whole service in memory, as the specification tells it. */
export interface FakeService {
  /** The first account; one key opens both APIs. */
  readonly account: FakeAccount;
  /** A base URL for `V2Client`, with `fetch`; the fake does not look at the host. */
  readonly v2BaseUrl: string;
  /** A base URL for `TransactionalClient`, with `fetch`; the fake does not look at the host. */
  readonly transactionalBaseUrl: string;
  /** The service as a `fetch`, for the option of both clients. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The time of the fake. */
  readonly now: Date;
  /** Every text that was sent to a phone, the first one first. */
  readonly outbox: readonly SentMessage[];
  /** Every request that arrived, the first one first. */
  readonly requests: readonly RecordedRequest[];
  /** Every send that was accepted, with the URL that its webhooks would go to. */
  readonly sends: readonly AcceptedSend[];

  /** Adds an account with lists and a key of its own. */
  addAccount(account?: NewAccount): FakeAccount;
  /** Adds a list. */
  addList(list?: NewList): List;
  /** Marks a list as deleted. */
  deleteList(listId: number): void;
  /** Adds a subscriber to a list; without a `phone_number`, one is made up. */
  addSubscriber(listId: number, subscriber?: NewSubscriber): Subscriber;
  /** The subscribers of a list: subscribed, unsubscribed and cleaned. */
  subscribersOf(listId: number): readonly Subscriber[];
  /** Adds a scheduled message to a list; without `sent_at`, it is for the same time tomorrow. */
  addScheduledMessage(listId: number, message?: NewScheduledMessage): ScheduledMessage;
  /** Adds a report, which progresses as the clock advances. */
  addReport(report?: NewReport): MomtReport;
  /** Stops a report: `cancelled` is true from now on. */
  cancelReport(reportId: number): void;
  /** Stops a report: it has run errors from now on. */
  failReport(reportId: number, runErrors?: unknown): void;

  /** A phone texts the service: the opt-in machine runs. Returns what it was answered. */
  receiveText(text: ReceivedText): readonly SentMessage[];
  /** Moves the clock: reminders go out, reports progress, the rate limit recovers. */
  advance(duration: Duration): void;
  /** Whether a phone has RCS; one that has not gets the SMS fallback. Default: every phone has. */
  setRcsReachable(phoneNumber: string, isReachable: boolean): void;
  /** Tells what the host of a file serves, which is then checked instead of the URL's extension. */
  hostFile(url: string, file: HostedFile): void;
  /** Makes the next requests fail. */
  failNext(failure: NextFailure): void;
  /** Answers a request: what every door of the fake calls. */
  handle(request: FakeRequest): FakeAnswer;
}

const parseJson = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const record = ({ method, path, query, headers, body }: FakeRequest): RecordedRequest => {
  const shown = { ...headers };
  for (const name of ["authorization", "x-api-key"]) {
    if (name in shown) shown[name] = "[redacted]";
  }
  return { method, path, query, headers: shown, body: parseJson(body) };
};

const toRateLimit = (option: boolean | RateLimitOptions, clock: FakeClock) => {
  const isKnown = typeof option === "boolean" || (typeof option === "object" && option !== null);
  checkThat("createFakeService", isKnown, "rateLimit must be true, false, or an object");
  return option === false ? undefined : new RateLimit(option === true ? {} : option, clock);
};

/** @throws TypeError unless it tells a time. */
const checkNow = (now: unknown): void => {
  const time: unknown = typeof now === "function" ? now() : undefined;
  const isTime = time instanceof Date && !Number.isNaN(time.getTime());
  checkThat("createFakeService", isTime, "now must be a function that returns a valid Date");
};

const checkFile = (url: unknown, file: HostedFile): void => {
  const { contentType, size = 0 } = Object(file) as Partial<HostedFile>;
  const check = (holds: boolean, expected: string) => checkThat("hostFile", holds, expected);
  check(typeof url === "string" && URL.canParse(url), "url must be a URL");
  check(typeof contentType === "string", "contentType must be a string");
  check(Number.isSafeInteger(size) && size >= 0, "size must be a number of bytes");
};

/**
 * The whole service in memory: accounts, lists, subscribers, opt-in, scheduled messages, reports and
 * sends, for tests and for development without a network.
 *
 * @throws TypeError when an option is malformed.
 * @example
 * const service = createFakeService();
 * const { email, apiKey } = service.account;
 * const v2 = new V2Client({ baseUrl: service.v2BaseUrl, email, apiKey, fetch: service.fetch });
 */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  const { now = () => new Date(), rateLimit: rateLimitOption = false, account } = options;
  checkNow(now);
  const clock = new FakeClock(now);
  const store = new FakeStore();
  const resources = new FakeResources(store, clock);
  const outbox = new Outbox(clock);
  const machine = new OptInMachine(store, resources, clock, outbox);
  const rateLimit = toRateLimit(rateLimitOption, clock);
  const faults = new Faults(endpointIds);
  const requests: RecordedRequest[] = [];
  const world = { clock, store, resources, machine, outbox };
  const firstAccount = resources.addAccount(checkFields("addAccount", account));

  const handle = (request: FakeRequest): FakeAnswer => {
    clock.ringDue();
    const route = findRoute(request);
    const { error } = apiOf(request);
    const answer = () => {
      if (route) return respond(world, rateLimit, request, route);
      const { method, path } = request;
      const known = endpointIds.join(", ");
      return error(501, `The fake service has no route ${method} ${path}; it has ${known}`);
    };
    const endpoint = route?.endpoint.id;
    const failure = faults.next(endpoint);
    if (failure?.fault !== "network") requests.push(record(request));
    const given = failure ? failWith(failure, error, answer) : answer();
    return endpoint === undefined ? given : { ...given, endpoint };
  };
  const stopReport = (call: string, reportId: number, fields: object) => {
    const report = resources.reportById(call, reportId);
    report.stopped ??= { atMs: clock.nowMs, fields };
  };

  return {
    account: firstAccount,
    v2BaseUrl: "https://v2.messaging.test",
    transactionalBaseUrl: "https://rcs.messaging.test",
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      // The caller's own signal: the one that follows it may be collected as garbage.
      const own = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      return toResponse(handle(await readRequest(request)), own ?? request.signal);
    },
    get now() {
      return clock.now;
    },
    get outbox() {
      clock.ringDue();
      return outbox.messages;
    },
    requests,
    sends: store.sends,
    addAccount: (fields) => resources.addAccount(checkFields("addAccount", fields)),
    addList: (fields) => resources.addList(checkFields("addList", fields)),
    deleteList: (listId) => {
      resources.listById("deleteList", listId).deleted = true;
    },
    addSubscriber: (listId, fields) =>
      resources.addSubscriber(listId, checkFields("addSubscriber", fields)),
    subscribersOf: (listId) => [
      ...resources.listById("subscribersOf", listId).subscribers.values(),
    ],
    addScheduledMessage: (listId, fields) =>
      resources.addScheduledMessage(listId, checkFields("addScheduledMessage", fields)),
    addReport: (fields) =>
      toReport(resources.addReport(checkFields("addReport", fields)), clock.nowMs),
    cancelReport: (reportId) => stopReport("cancelReport", reportId, { cancelled: true }),
    failReport: (reportId, runErrors = ["The report failed"]) =>
      stopReport("failReport", reportId, { run_errors: runErrors }),
    receiveText: (received) => {
      clock.ringDue();
      const { from, text, list_id } = Object(received) as ReceivedText;
      const phone = checkPhone("receiveText", from);
      checkThat("receiveText", typeof text === "string", "text must be a string");
      const list = list_id === undefined ? undefined : resources.listById("receiveText", list_id);
      const before = outbox.messages.length;
      machine.receive(phone, text, list);
      return outbox.messages.slice(before);
    },
    advance: (duration) => clock.advance(duration),
    setRcsReachable: (phoneNumber, isReachable) => {
      const phone = checkPhone("setRcsReachable", phoneNumber);
      const isFlag = typeof isReachable === "boolean";
      checkThat("setRcsReachable", isFlag, "isReachable must be true or false");
      outbox.setRcsReachable(phone, isReachable);
    },
    hostFile: (url, file) => {
      checkFile(url, file);
      store.files.set(url, file);
    },
    failNext: (failure) => faults.plan(failure),
    handle,
  };
}
