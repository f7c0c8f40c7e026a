import { assertUsage, parseOptions, toPhoneNumber } from "./fake/checks.ts";
import { readRequest, TRANSACTIONAL_ORIGIN, toResponse, V2_ORIGIN } from "./fake/exchange.ts";
import { Events } from "./fake/fake-events.ts";
import { addList, addSubscriber } from "./fake/fake-lists.ts";
import type { History } from "./fake/history.ts";
import { type ReceivedText, receivedTextSchema } from "./fake/messages.ts";
import { phoneOf } from "./fake/outbox.ts";
import { addReport, toReport } from "./fake/reports.ts";
import { restoreState, saveState } from "./fake/saved-state.ts";
import { addScheduledMessage, scheduleSend } from "./fake/scheduled-sends.ts";
import {
  type FakeAccount,
  findList,
  findReport,
  hostedFileSchema,
  toFakeList,
} from "./fake/store.ts";
import type { PostWebhook } from "./fake/webhooks.ts";
import {
  addAccount,
  changeFirstAccount,
  createWorld,
  type NewAccount,
  phonesOf,
  removeList,
} from "./fake/world.ts";
import {
  assertServiceOptions,
  type FakeHistory,
  type FakeService,
  type FakeServiceOptions,
  histories,
  resetSchema,
} from "./fake-service.ts";
import { createRateLimits } from "./service/limits.ts";
import { createLatency } from "./service/request-filter.ts";
import { createResponder } from "./service/responder.ts";
import { waitForMessage } from "./wait-for-message.ts";

/**
 * Creates a fake of the whole service in memory: accounts, lists, subscribers, opt-in, scheduled messages, reports and
 * sends. Use it for tests and for development without a network.
 *
 * @throws TypeError that names a malformed or unknown option.
 * @example
 * const service = createFakeService();
 * const { email, apiKey } = service.account;
 * const v2 = new V2Client({ baseUrl: service.v2BaseUrl, email, apiKey, fetch: service.fetch });
 */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  assertServiceOptions(options);
  const events = new Events();
  const posters = new Set<PostWebhook>();
  const { now = () => new Date(), historyLimit = 10_000 } = options;
  const { state: savedState, setUp, webhooks } = options;
  // A reset needs them again: the caller may change the options meanwhile.
  const { rateLimit = false, latency = 0 } = options;
  const toRateLimits = createRateLimits(rateLimit);
  const toLatency = createLatency(latency);
  const begin = (account: NewAccount | undefined, state?: unknown) => {
    const world = createWorld({ now, historyLimit, webhooks, posters, events });
    const limits = toRateLimits(world.clock);
    const responder = createResponder(world, events, historyLimit, limits, toLatency());
    if (state === undefined) {
      addAccount(world, account);
    } else {
      restoreState(world, state);
      changeFirstAccount(world, account);
    }
    return { world, responder };
  };
  let { world, responder } = begin(options.account, savedState);

  const sendDue = (): void => {
    if (world.clock.runDueAlarms()) events.emit({ type: "state" });
  };
  /** Returns the world after sending everything that is due by its clock. */
  const worldNow = () => {
    sendDue();
    return world;
  };
  const change = <T>(make: () => T): T => {
    sendDue();
    const result = make();
    events.emit({ type: "state" });
    return result;
  };
  const stopReport = (call: string, reportId: number, fields: object) =>
    change(() => {
      const { clock, store } = world;
      findReport(call, store, reportId).stopped ??= { atMs: clock.nowMs, fields };
    });
  const setReachable = (call: string, phone: unknown, isReachable: unknown, without: Set<string>) =>
    change(() => {
      const e164 = toPhoneNumber(call, phone);
      const isBoolean = typeof isReachable === "boolean";
      assertUsage(call, isBoolean, "isReachable must be true or false");
      if (isReachable) without.delete(e164);
      else without.add(e164);
    });

  const service: FakeService = {
    get account() {
      return world.store.accounts[0] as FakeAccount;
    },
    v2BaseUrl: V2_ORIGIN,
    transactionalBaseUrl: TRANSACTIONAL_ORIGIN,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      // The caller's own signal: the request's copy of it may be garbage-collected.
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      return toResponse(service.handle(await readRequest(request)), signal ?? request.signal);
    },

    get now() {
      return world.clock.now;
    },
    get outbox() {
      return worldNow().outbox.sent.items;
    },
    get messages() {
      return worldNow().outbox.messages.items;
    },
    get requests() {
      return responder.requests.items;
    },
    get sends() {
      return world.store.sends.items;
    },
    get webhooks() {
      return world.webhooks.history.items;
    },
    get truncated() {
      const { outbox, store, webhooks } = world;
      const kept: Readonly<Record<FakeHistory, History<unknown>>> = {
        outbox: outbox.sent,
        messages: outbox.messages,
        requests: responder.requests,
        sends: store.sends,
        webhooks: webhooks.history,
      };
      return histories.filter((name) => kept[name].isTruncated);
    },
    get accounts() {
      return world.store.accounts;
    },
    get lists() {
      return [...worldNow().store.lists.values()].map(toFakeList);
    },
    get reports() {
      const { store, clock } = world;
      return [...store.reports.values()].map((report) => toReport(report, clock.nowMs));
    },
    get phones() {
      return phonesOf(worldNow());
    },
    get failures() {
      return responder.failures.list();
    },

    addAccount: (account) => change(() => addAccount(world, account)),
    addList: (list) => change(() => addList(world, list)),
    deleteList: (listId) =>
      change(() => {
        findList("deleteList", world.store, listId).deleted = true;
      }),
    removeList: (listId) => change(() => removeList(world, listId)),
    addSubscriber: (listId, subscriber) =>
      change(() => {
        const { store, clock } = world;
        return addSubscriber(findList("addSubscriber", store, listId), clock, subscriber);
      }),
    subscribersOf: (listId) => [
      ...findList("subscribersOf", worldNow().store, listId).subscribers.values(),
    ],
    addScheduledMessage: (listId, fields) =>
      change(() => {
        const message = addScheduledMessage(world, listId, fields);
        const list = findList("addScheduledMessage", world.store, listId);
        scheduleSend(world, list, message.id, world.clock.nowMs);
        return message;
      }),
    scheduledMessagesOf: (listId) =>
      findList("scheduledMessagesOf", worldNow().store, listId).scheduledMessages,
    addReport: (report) => change(() => toReport(addReport(world, report), world.clock.nowMs)),
    cancelReport: (reportId) => stopReport("cancelReport", reportId, { cancelled: true }),
    failReport: (reportId, runErrors = ["The report failed"]) => {
      assertUsage("failReport", runErrors !== null, "runErrors must be the errors of the report");
      stopReport("failReport", reportId, { run_errors: runErrors });
    },

    receiveText: (received) =>
      change(() => {
        const { from, text, list_id } = parseOptions(
          "receiveText",
          receivedTextSchema,
          Object(received) as ReceivedText,
          "text",
        );
        const list =
          list_id === undefined ? undefined : findList("receiveText", world.store, list_id);
        return events.sentDuring(() => world.machine.receive(from, text, list));
      }),
    conversationWith: (phoneNumber) => {
      const phone = toPhoneNumber("conversationWith", phoneNumber);
      return worldNow().outbox.messages.items.filter((message) => phoneOf(message) === phone);
    },
    removeConversation: (phoneNumber) => {
      const phone = toPhoneNumber("removeConversation", phoneNumber);
      change(() => world.outbox.forget(phone));
    },
    waitForMessage: (message, waitOptions) => waitForMessage(service, message, waitOptions),
    setRcsReachable: (phone, isReachable) =>
      setReachable("setRcsReachable", phone, isReachable, world.outbox.withoutRcs),
    setSmsReachable: (phone, isReachable) =>
      setReachable("setSmsReachable", phone, isReachable, world.outbox.withoutSms),
    hostFile: (url, file) => {
      assertUsage("hostFile", URL.canParse(url), "url must be a URL");
      parseOptions("hostFile", hostedFileSchema, file, "file");
      world.store.files.set(url, file);
    },

    advance: (duration) => change(() => world.clock.advance(duration)),
    get nextDueAt() {
      const { nextAlarmMs } = world.clock;
      return nextAlarmMs === undefined ? undefined : new Date(nextAlarmMs);
    },
    sendDue,
    failNext: (failure) => change(() => responder.failures.arm(failure)),
    clearFailures: (id) => change(() => responder.failures.clear(id)),
    reset: (resetOptions = {}) => {
      const { empty } = parseOptions("reset", resetSchema, resetOptions, "options");
      change(() => {
        // Those that are under way belong to no webhook of the new world.
        world.webhooks.history.remove(() => true);
        ({ world, responder } = begin(service.account));
        if (!empty) setUp?.(service);
      });
    },
    save: () => saveState(worldNow()),

    subscribe: (listener) => {
      assertUsage("subscribe", typeof listener === "function", "listener must be a function");
      return events.subscribe(listener);
    },
    postWebhooks: (post) => {
      assertUsage("postWebhooks", typeof post === "function", "post must be a function");
      const added: PostWebhook = (webhook) => post(webhook);
      posters.add(added);
      return () => void posters.delete(added);
    },
    handle: (request) => responder.handle(request),
  };
  if (savedState === undefined) setUp?.(service);
  return service;
}
