// The methods of a fake service in groups, one for each kind of resource. The interface types all of them.
import { assertUsage, parseOptions, toPhoneNumber } from "./fake/checks.ts";
import { addList, addSubscriber } from "./fake/fake-lists.ts";
import type { History } from "./fake/history.ts";
import { receivedTextSchema } from "./fake/messages.ts";
import { phoneOf } from "./fake/outbox.ts";
import { addReport, toReport } from "./fake/reports.ts";
import { addScheduledMessage, scheduleSend } from "./fake/scheduled-sends.ts";
import {
  type FakeAccount,
  findList,
  findReport,
  hostedFileSchema,
  toFakeList,
} from "./fake/store.ts";
import type { PostWebhook } from "./fake/webhooks.ts";
import { addAccount, phonesOf, removeList } from "./fake/world.ts";
import { type FakeHistory, type FakeService, histories } from "./fake-service.ts";
import type { RunningFake } from "./running-fake.ts";

/** Methods and properties of the service; a group has some of them. */
type Group = Partial<FakeService>;

export const accountMethods = (fake: RunningFake) =>
  ({
    get account() {
      return fake.world.store.accounts[0] as FakeAccount;
    },
    get accounts() {
      return fake.world.store.accounts;
    },
    addAccount: (account) => fake.change((world) => addAccount(world, account)),
  }) satisfies Group;

export const recordMethods = (fake: RunningFake) =>
  ({
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
      return histories.filter((name) => kept[name].isTruncated);
    },
  }) satisfies Group;

export const listMethods = (fake: RunningFake) =>
  ({
    get lists() {
      return [...fake.worldNow.store.lists.values()].map(toFakeList);
    },
    addList: (list) => fake.change((world) => addList(world, list)),
    deleteList: (listId) =>
      fake.change(({ store }) => {
        findList("deleteList", store, listId).deleted = true;
      }),
    removeList: (listId) => fake.change((world) => removeList(world, listId)),
    addSubscriber: (listId, subscriber) =>
      fake.change(({ store, clock }) =>
        addSubscriber(findList("addSubscriber", store, listId), clock, subscriber),
      ),
    subscribersOf: (listId) => [
      ...findList("subscribersOf", fake.worldNow.store, listId).subscribers.values(),
    ],
    addScheduledMessage: (listId, fields) =>
      fake.change((world) => {
        const message = addScheduledMessage(world, listId, fields);
        const list = findList("addScheduledMessage", world.store, listId);
        scheduleSend(world, list, message.id, world.clock.nowMs);
        return message;
      }),
    scheduledMessagesOf: (listId) =>
      findList("scheduledMessagesOf", fake.worldNow.store, listId).scheduledMessages,
  }) satisfies Group;

export const reportMethods = (fake: RunningFake) => {
  const stop = (call: string, reportId: number, fields: object) =>
    fake.change(({ clock, store }) => {
      findReport(call, store, reportId).stopped ??= { atMs: clock.nowMs, fields };
    });
  return {
    get reports() {
      const { store, clock } = fake.world;
      return [...store.reports.values()].map((report) => toReport(report, clock.nowMs));
    },
    addReport: (report) =>
      fake.change((world) => toReport(addReport(world, report), world.clock.nowMs)),
    cancelReport: (reportId) => stop("cancelReport", reportId, { cancelled: true }),
    failReport: (reportId, runErrors = ["The report failed"]) => {
      assertUsage("failReport", runErrors !== null, "runErrors must be the errors of the report");
      stop("failReport", reportId, { run_errors: runErrors });
    },
    hostFile: (url, file) => {
      assertUsage("hostFile", URL.canParse(url), "url must be a URL");
      parseOptions("hostFile", hostedFileSchema, file, "file");
      fake.world.store.files.set(url, file);
    },
  } satisfies Group;
};

export const phoneMethods = (fake: RunningFake) => {
  const setReachable = (
    call: string,
    phone: unknown,
    isReachable: unknown,
    without: "withoutRcs" | "withoutSms",
  ) =>
    fake.change(({ outbox }) => {
      const e164 = toPhoneNumber(call, phone);
      const isBoolean = typeof isReachable === "boolean";
      assertUsage(call, isBoolean, "isReachable must be true or false");
      if (isReachable) outbox[without].delete(e164);
      else outbox[without].add(e164);
    });
  return {
    get phones() {
      return phonesOf(fake.worldNow);
    },
    receiveText: (received) =>
      fake.change(({ store, machine }) => {
        const { from, text, list_id } = parseOptions(
          "receiveText",
          receivedTextSchema,
          Object(received) as Parameters<FakeService["receiveText"]>[0],
          "text",
        );
        const list = list_id === undefined ? undefined : findList("receiveText", store, list_id);
        return fake.events.sentDuring(() => machine.receive(from, text, list));
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
      setReachable("setRcsReachable", phone, isReachable, "withoutRcs"),
    setSmsReachable: (phone, isReachable) =>
      setReachable("setSmsReachable", phone, isReachable, "withoutSms"),
  } satisfies Group;
};

export const clockMethods = (fake: RunningFake) =>
  ({
    get now() {
      return fake.world.clock.now;
    },
    get nextDueAt() {
      const { nextAlarmMs } = fake.world.clock;
      return nextAlarmMs === undefined ? undefined : new Date(nextAlarmMs);
    },
    advance: (duration) => fake.change(({ clock }) => clock.advance(duration)),
    sendDue: () => fake.sendDue(),
  }) satisfies Group;

export const failureMethods = (fake: RunningFake) =>
  ({
    get failures() {
      return fake.responder.failures.list();
    },
    failNext: (failure) => fake.change(() => fake.responder.failures.arm(failure)),
    clearFailures: (id) => fake.change(() => fake.responder.failures.clear(id)),
  }) satisfies Group;

export const listenerMethods = ({ events, posters }: RunningFake) =>
  ({
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
  }) satisfies Group;
