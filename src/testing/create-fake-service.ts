import { assertOptions } from "../options.ts";
import { addAccount } from "./fake/accounts.ts";
import { assertUsage, namesOf, toPhoneNumber } from "./fake/checks.ts";
import { readRequest, TRANSACTIONAL_ORIGIN, toResponse, V2_ORIGIN } from "./fake/exchange.ts";
import { addList, addSubscriber } from "./fake/lists.ts";
import { addReport, toReport } from "./fake/reports.ts";
import { saveState } from "./fake/saved-state.ts";
import { addScheduledMessage, scheduleSend } from "./fake/scheduled-messages.ts";
import { type ReceivedText, receivedTextSchema } from "./fake/shapes.ts";
import {
  findList,
  findReport,
  type HostedFile,
  hostedFileSchema,
  toFakeList,
} from "./fake/store.ts";
import { phonesOf } from "./fake/world.ts";
import type { FakeService, FakeServiceOptions } from "./fake-service.ts";
import { Session } from "./session.ts";

const assertFile = (url: unknown, file: HostedFile): void => {
  const { contentType, size = 0 } = assertOptions("file", file, namesOf(hostedFileSchema));
  const isUrl = typeof url === "string" && URL.canParse(url);
  assertUsage("hostFile", isUrl, "url must be a URL");
  assertUsage("hostFile", typeof contentType === "string", "contentType must be a string");
  const isSize = Number.isSafeInteger(size) && size >= 0;
  assertUsage("hostFile", isSize, "size must be a number of bytes");
};

/**
 * Creates a fake of the whole service in memory: accounts, lists, subscribers, opt-in, scheduled messages, reports and
 * sends. It is for tests and for development without a network.
 *
 * @throws TypeError when an option is malformed.
 * @example
 * const service = createFakeService();
 * const { email, apiKey } = service.account;
 * const v2 = new V2Client({ baseUrl: service.v2BaseUrl, email, apiKey, fetch: service.fetch });
 */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  const session = new Session(options);
  /** Returns the world after everything due by its clock has happened. */
  const worldNow = () => {
    session.sendDue();
    return session.world;
  };
  /** Makes a change and reports it. */
  const change = <T>(make: () => T): T => {
    session.sendDue();
    const result = make();
    session.events.emit({ type: "state" });
    return result;
  };
  const stopReport = (call: string, reportId: number, fields: object) =>
    change(() => {
      const { clock, store } = session.world;
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
      return session.firstAccount;
    },
    v2BaseUrl: V2_ORIGIN,
    transactionalBaseUrl: TRANSACTIONAL_ORIGIN,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      // The caller's own signal, because the request's copy of it may be garbage-collected.
      const own = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      return toResponse(service.handle(await readRequest(request)), own ?? request.signal);
    },

    get now() {
      return session.world.clock.now;
    },
    get outbox() {
      return worldNow().outbox.messages;
    },
    get requests() {
      return session.responder.requests;
    },
    get sends() {
      return session.world.store.sends;
    },
    get webhooks() {
      return session.world.webhooks.list;
    },
    get accounts() {
      return session.world.store.accounts;
    },
    get lists() {
      return [...worldNow().store.lists.values()].map(toFakeList);
    },
    get reports() {
      const { store, clock } = session.world;
      return [...store.reports.values()].map((report) => toReport(report, clock.nowMs));
    },
    get phones() {
      return phonesOf(worldNow());
    },
    get failures() {
      return session.responder.failures.list;
    },

    addAccount: (account) => change(() => addAccount(session.world, account)),
    addList: (list) => change(() => addList(session.world, list)),
    deleteList: (listId) =>
      change(() => {
        findList("deleteList", session.world.store, listId).deleted = true;
      }),
    addSubscriber: (listId, subscriber) =>
      change(() => {
        const { store, clock } = session.world;
        return addSubscriber(findList("addSubscriber", store, listId), clock, subscriber);
      }),
    subscribersOf: (listId) => [
      ...findList("subscribersOf", worldNow().store, listId).subscribers.values(),
    ],
    addScheduledMessage: (listId, fields) =>
      change(() => {
        const { world } = session;
        const message = addScheduledMessage(world, listId, fields);
        const list = findList("addScheduledMessage", world.store, listId);
        scheduleSend(world, list, message.id, world.clock.nowMs);
        return message;
      }),
    scheduledMessagesOf: (listId) =>
      findList("scheduledMessagesOf", worldNow().store, listId).scheduledMessages,
    addReport: (report) =>
      change(() => toReport(addReport(session.world, report), session.world.clock.nowMs)),
    cancelReport: (reportId) => stopReport("cancelReport", reportId, { cancelled: true }),
    failReport: (reportId, runErrors = ["The report failed"]) =>
      stopReport("failReport", reportId, { run_errors: runErrors }),

    receiveText: (received) =>
      change(() => {
        const { world, events } = session;
        const { from, text, list_id } = assertOptions(
          "text",
          Object(received) as ReceivedText,
          namesOf(receivedTextSchema),
        );
        const phone = toPhoneNumber("receiveText", from);
        assertUsage("receiveText", typeof text === "string", "text must be a string");
        const list =
          list_id === undefined ? undefined : findList("receiveText", world.store, list_id);
        return events.sentDuring(() => world.machine.receive(phone, text, list));
      }),
    conversationWith: (phoneNumber) => {
      const phone = toPhoneNumber("conversationWith", phoneNumber);
      return worldNow().outbox.conversations.filter(
        (message) => (message.direction === "sent" ? message.to : message.from) === phone,
      );
    },
    setRcsReachable: (phone, isReachable) =>
      setReachable("setRcsReachable", phone, isReachable, session.world.outbox.withoutRcs),
    setSmsReachable: (phone, isReachable) =>
      setReachable("setSmsReachable", phone, isReachable, session.world.outbox.withoutSms),
    hostFile: (url, file) => {
      assertFile(url, file);
      session.world.store.files.set(url, file);
    },

    advance: (duration) => change(() => session.world.clock.advance(duration)),
    get nextDueAt() {
      const { nextAlarmMs } = session.world.clock;
      return nextAlarmMs === undefined ? undefined : new Date(nextAlarmMs);
    },
    sendDue: () => session.sendDue(),
    failNext: (failure) => change(() => session.responder.failures.arm(failure)),
    clearFailures: (id) => change(() => session.responder.failures.clear(id)),
    reset: () =>
      change(() => {
        session.begin();
        options.setUp?.(service);
      }),
    save: () => saveState(worldNow()),

    subscribe: (listener) => session.events.subscribe(listener),
    postWebhooks: (post) => session.addPoster(post),
    handle: (request) => session.responder.handle(request),
  };
  if (options.state === undefined) options.setUp?.(service);
  return service;
}
