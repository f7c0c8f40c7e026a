import { assertUsage, CREATE, parseOptions, toPhoneNumber } from "./fake/checks.ts";
import { readRequest, TRANSACTIONAL_ORIGIN, toResponse, V2_ORIGIN } from "./fake/exchange.ts";
import { addList, addSubscriber } from "./fake/fake-lists.ts";
import type { History } from "./fake/history.ts";
import { receivedTextSchema } from "./fake/messages.ts";
import { phoneOf } from "./fake/outbox.ts";
import { addReport, toReport } from "./fake/reports.ts";
import { saveState } from "./fake/saved-state.ts";
import { addScheduledMessage } from "./fake/scheduled-sends.ts";
import {
  type FakeAccount,
  findList,
  findReport,
  hostedFileSchema,
  toFakeList,
} from "./fake/store.ts";
import type { PostWebhook } from "./fake/webhooks.ts";
import { addAccount, deleteList, phonesOf, removeList } from "./fake/world.ts";
import {
  type FakeHistory,
  type FakeService,
  type FakeServiceOptions,
  resetSchema,
  serviceOptionsSchema,
} from "./fake-service.ts";
import { RunningFake } from "./running-fake.ts";
import { waitForMessage } from "./wait-for-message.ts";

const stopReport = (fake: RunningFake, call: string, reportId: number, fields: object): void =>
  fake.change(({ clock, store }) => {
    findReport(call, store, reportId).stopped ??= { atMs: clock.nowMs, fields };
  });

const setReachable = (
  fake: RunningFake,
  call: string,
  phone: unknown,
  isReachable: unknown,
  without: "withoutRcs" | "withoutSms",
): void =>
  fake.change(({ outbox }) => {
    const e164 = toPhoneNumber(call, phone);
    const isBoolean = typeof isReachable === "boolean";
    assertUsage(call, isBoolean, "isReachable must be true or false");
    if (isReachable) outbox[without].delete(e164);
    else outbox[without].add(e164);
  });

/**
 * Creates a fake of the documented service in memory: accounts, lists, subscribers, opt-in, scheduled messages, reports and
 * sends. Use it for tests and for development without a network.
 *
 * @throws TypeError that names a malformed or unknown option.
 * @example
 * const service = createFakeService();
 * const v2 = new V2Client(service.v2Options);
 * const rcs = new TransactionalClient(service.transactionalOptions);
 */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  parseOptions(CREATE, serviceOptionsSchema, options, "options");
  const { state, setUp } = options;
  const fake = new RunningFake(options);
  const service: FakeService = {
    v2BaseUrl: V2_ORIGIN,
    transactionalBaseUrl: TRANSACTIONAL_ORIGIN,
    get v2Options() {
      const { account, v2BaseUrl: baseUrl, fetch } = service;
      return { baseUrl, email: account.email, apiKey: account.apiKey, fetch };
    },
    get transactionalOptions() {
      const { account, transactionalBaseUrl: baseUrl, fetch } = service;
      return { baseUrl, apiKey: account.apiKey, fetch };
    },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      // The caller's own signal, because the request's copy of it may be garbage-collected.
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      return toResponse(service.handle(await readRequest(request)), signal ?? request.signal);
    },
    handle: (request) => fake.responder.handle(request),
    waitForMessage: (message, waitOptions) => waitForMessage(service, message, waitOptions),
    reset: (resetOptions = {}) => {
      const { empty } = parseOptions("reset", resetSchema, resetOptions, "options");
      fake.change(() => {
        fake.restart();
        if (!empty) setUp?.(service);
      });
    },
    save: () => saveState(fake.worldNow),
    get account() {
      return fake.world.store.accounts[0] as FakeAccount;
    },
    get accounts() {
      return fake.world.store.accounts;
    },
    addAccount: (account) => fake.change((world) => addAccount(world, account)),
    get outbox() {
      return fake.worldNow.outbox.sent.items;
    },
    get messages() {
      return fake.worldNow.outbox.messages.items;
    },
    get requests() {
      return fake.responder.requests.items;
    },
    get sends() {
      return fake.world.store.sends.items;
    },
    get webhooks() {
      return fake.world.webhooks.history.items;
    },
    get truncated() {
      const { outbox, store, webhooks } = fake.world;
      const kept: Readonly<Record<FakeHistory, History<unknown>>> = {
        outbox: outbox.sent,
        messages: outbox.messages,
        requests: fake.responder.requests,
        sends: store.sends,
        webhooks: webhooks.history,
      };
      return (Object.keys(kept) as FakeHistory[]).filter((name) => kept[name].isTruncated);
    },
    get lists() {
      return [...fake.worldNow.store.lists.values()].map(toFakeList);
    },
    addList: (list) => fake.change((world) => addList(world, list)),
    deleteList: (listId) => fake.change((world) => deleteList(world, listId)),
    removeList: (listId) => fake.change((world) => removeList(world, listId)),
    addSubscriber: (listId, subscriber) =>
      fake.change(({ store, clock }) =>
        addSubscriber(findList("addSubscriber", store, listId), clock, subscriber),
      ),
    subscribersOf: (listId) => [
      ...findList("subscribersOf", fake.worldNow.store, listId).subscribers.values(),
    ],
    addScheduledMessage: (listId, fields) =>
      fake.change((world) => addScheduledMessage(world, listId, fields)),
    scheduledMessagesOf: (listId) =>
      findList("scheduledMessagesOf", fake.worldNow.store, listId).scheduledMessages,
    get reports() {
      const { store, clock } = fake.world;
      return [...store.reports.values()].map((report) => toReport(report, clock.nowMs));
    },
    addReport: (report) =>
      fake.change((world) => toReport(addReport(world, report), world.clock.nowMs)),
    cancelReport: (reportId) => stopReport(fake, "cancelReport", reportId, { cancelled: true }),
    failReport: (reportId, runErrors = ["The report failed"]) => {
      assertUsage("failReport", runErrors !== null, "runErrors must be the errors of the report");
      stopReport(fake, "failReport", reportId, { run_errors: runErrors });
    },
    hostFile: (url, file) => {
      assertUsage("hostFile", URL.canParse(url), "url must be a URL");
      parseOptions("hostFile", hostedFileSchema, file, "file");
      fake.world.store.files.set(url, file);
    },
    get phones() {
      return phonesOf(fake.worldNow);
    },
    receiveText: (received) =>
      fake.change(({ store, machine }) => {
        const call = "receiveText";
        const { from, text, list_id } = parseOptions(call, receivedTextSchema, received, "text");
        const list = list_id === undefined ? undefined : findList(call, store, list_id);
        const reply = machine.receive(from, text, list);
        return reply ? [reply] : [];
      }),
    conversationWith: (phoneNumber) => {
      const phone = toPhoneNumber("conversationWith", phoneNumber);
      return fake.worldNow.outbox.messages.items.filter((message) => phoneOf(message) === phone);
    },
    removeConversation: (phoneNumber) => {
      const phone = toPhoneNumber("removeConversation", phoneNumber);
      fake.change(({ outbox }) => outbox.forget(phone));
    },
    setRcsReachable: (phone, isReachable) =>
      setReachable(fake, "setRcsReachable", phone, isReachable, "withoutRcs"),
    setSmsReachable: (phone, isReachable) =>
      setReachable(fake, "setSmsReachable", phone, isReachable, "withoutSms"),
    get now() {
      return fake.world.clock.now;
    },
    get nextDueAt() {
      const { nextAlarmMs } = fake.world.clock;
      return nextAlarmMs === undefined ? undefined : new Date(nextAlarmMs);
    },
    advance: (duration) => fake.change(({ clock }) => clock.advance(duration)),
    sendDue: () => fake.sendDue(),
    get failures() {
      return fake.responder.failures.list();
    },
    failNext: (failure) => fake.change(() => fake.responder.failures.arm(failure)),
    clearFailures: (id) => fake.change(() => fake.responder.failures.clear(id)),
    subscribe: (listener) => {
      assertUsage("subscribe", typeof listener === "function", "listener must be a function");
      return fake.events.subscribe(listener);
    },
    postWebhooks: (post) => {
      assertUsage("postWebhooks", typeof post === "function", "post must be a function");
      const added: PostWebhook = (webhook) => post(webhook);
      fake.posters.add(added);
      return () => void fake.posters.delete(added);
    },
  };
  if (state === undefined) setUp?.(service);
  return service;
}
