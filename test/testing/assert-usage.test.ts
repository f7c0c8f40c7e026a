import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { expect, test } from "vitest";
import { createFake, v2Of } from "../support/fakes/fake-service.ts";
import { onlyStep } from "../support/fakes/opt-in-lists.ts";

/** A misuse, and the error message that explains it. */
type Misuse = readonly [message: RegExp, misuse: (service: FakeService) => unknown];

/** Creates a service with list 10 and report 30. */
const openService = (): FakeService => {
  const service = createFake();
  service.addList({ id: 10, name: "VIP" });
  service.addReport({ id: 30 });
  return service;
};
const bad = (value: unknown) => value as never;

const MISTAKES: readonly Misuse[] = [
  // Fields of resources.
  [/^addAccount: email/, (s) => s.addAccount(bad({ email: 5 }))],
  [/apiKey/, (s) => s.addAccount(bad({ apiKey: 5 }))],
  [/^addList: name/, (s) => s.addList(bad({ name: 5 }))],
  [/^addList: keyword_names/, (s) => s.addList(bad({ keyword_names: "VIP" }))],
  [/^addList: id/, (s) => s.addList({ id: 1.5 })],
  [/deleted/, (s) => s.addList(bad({ deleted: "no" }))],
  [/^addList: opt_in_requests/, (s) => s.addList(bad({ opt_in_requests: onlyStep }))],
  [
    /^addList: opt_in_requests\.0\.opt_in_mesage is not a known field$/,
    (s) => s.addList(bad({ opt_in_requests: [{ ...onlyStep, opt_in_mesage: "Hi" }] })),
  ],
  [/^addList: account_id .*account 99/, (s) => s.addList({ account_id: 99 })],
  [/^addReport: account_id .*account 99/, (s) => s.addReport({ account_id: 99 })],
  [
    /^addList: opt_in_requests\.0\.request_message/,
    (s) => s.addList(bad({ opt_in_requests: [{ ...onlyStep, request_message: undefined }] })),
  ],
  [
    /success_action/,
    (s) => s.addList(bad({ opt_in_requests: [{ ...onlyStep, success_action: "nextrequest" }] })),
  ],
  [
    /follow_up_hour/,
    (s) => s.addList(bad({ opt_in_requests: [{ ...onlyStep, follow_up: true }] })),
  ],
  [/^addSubscriber: .*phone/, (s) => s.addSubscriber(10, { phone_number: "555" })],
  [/country/, (s) => s.addSubscriber(10, { phone_number: "+442079460958" })],
  [/carrier/, (s) => s.addSubscriber(10, bad({ carrier: "1" }))],
  [
    /^addScheduledMessage: recipient_count/,
    (s) => s.addScheduledMessage(10, bad({ recipient_count: "1" })),
  ],
  [/^addScheduledMessage: sent_at/, (s) => s.addScheduledMessage(10, bad({ sent_at: new Date() }))],
  [
    /^addList: opt_in_requests must be empty/,
    (s) => s.addList(bad({ opt_in_type: "single", opt_in_requests: [onlyStep] })),
  ],
  [/opt_in_type/, (s) => s.addList({ opt_in_type: "triple" })],
  [/^addSubscriber: subscribed_at/, (s) => s.addSubscriber(10, { subscribed_at: "yesterday" })],
  [
    /^addSubscriber: cleaned_at/,
    (s) => s.addSubscriber(10, { cleaned_at: "2026-02-30T00:00:00Z" }),
  ],
  [/^addReport: date_from/, (s) => s.addReport({ date_from: "last month" })],
  [/^addReport: minutes/, (s) => s.addReport({ minutes: -1 })],
  [/^addReport: minutes/, (s) => s.addReport({ minutes: 1e305 })],
  [/minutes/, (s) => s.addReport(bad({ minutes: "5" }))],
  [/total_rows.*1000000/, (s) => s.addReport({ total_rows: 9e15 })],
  [/total_rows/, (s) => s.addReport({ total_rows: -1 })],
  [/processed_rows/, (s) => s.addReport({ processed_rows: -1 })],
  [/percent_complete.*0 to 100/, (s) => s.addReport({ percent_complete: 1000 })],
  [/mt_count/, (s) => s.addReport({ mt_count: 2_000_000 })],
  // Resources that do not exist or that already exist.
  [/^addSubscriber: there is no list 99/, (s) => s.addSubscriber(99)],
  [/^addScheduledMessage: .*no list 99/, (s) => s.addScheduledMessage(99)],
  [/^subscribersOf: there is no list 99/, (s) => s.subscribersOf(99)],
  [/^deleteList: there is no list 99/, (s) => s.deleteList(99)],
  [/^removeList: there is no list 99/, (s) => s.removeList(99)],
  [/^cancelReport: there is no report 99/, (s) => s.cancelReport(99)],
  [/^failReport: there is no report 99/, (s) => s.failReport(99)],
  [
    /^receiveText: there is no list 99/,
    (s) => s.receiveText({ from: "+12065550123", text: "VIP", list_id: 99 }),
  ],
  [
    /^addScheduledMessage: id 20 is taken/,
    (s) => {
      if (s.scheduledMessagesOf(10).length === 0) s.addScheduledMessage(10, { id: 20 });
      return s.addScheduledMessage(s.addList().id, { id: 20 });
    },
  ],
  [/^addList: .*10/, (s) => s.addList({ id: 10 })],
  [/^addReport: .*30/, (s) => s.addReport({ id: 30 })],
  [/^addAccount: /, (s) => s.addAccount({ id: s.account.id })],
  // Arguments.
  [/^receiveText: from is required/, (s) => s.receiveText(bad({ text: "VIP" }))],
  [/^receiveText: text/, (s) => s.receiveText(bad({ from: "2065550123" }))],
  [/^setRcsReachable: .*phone/, (s) => s.setRcsReachable("911", false)],
  [/^setRcsReachable: /, (s) => s.setRcsReachable("+12065550123", bad(undefined))],
  [/^hostFile: .*contentType/, (s) => s.hostFile("https://example.com/a", bad({}))],
  [/^addAccount: .*object/, (s) => s.addAccount(bad("shop@example.com"))],
  [/^addList: .*object/, (s) => s.addList(bad("VIP"))],
  [/^addSubscriber: /, (s) => s.addSubscriber(10, bad("+12065550123"))],
  [/^addScheduledMessage: .*object/, (s) => s.addScheduledMessage(10, bad(null))],
  [/^addReport: .*object/, (s) => s.addReport(bad(30))],
  [/`text` must be an object/, (s) => s.receiveText(bad(undefined))],
  [/`failure` must be an object/, (s) => s.failNext(bad(undefined))],
  [/^failNext: headers/, (s) => s.failNext({ status: 500, headers: { "a b": "c" } })],
  [/^failNext: refuse must name a field/, (s) => s.failNext({ refuse: {} })],
  [
    /^failNext: status cannot be given/,
    (s) => s.failNext(bad({ refuse: { phoneNumber: "x" }, status: 400 })),
  ],
  [/^failNext: status/, (s) => s.failNext({ status: 199 })],
  [/^failNext: status/, (s) => s.failNext({ status: 600 })],
  [/^failNext: fault .*wrong_page/, (s) => s.failNext(bad({ fault: "boom" }))],
  [/^failNext: times/, (s) => s.failNext({ status: 500, times: 0 })],
  [/^failNext: share/, (s) => s.failNext({ status: 500, share: 0 })],
  [/^failNext: share/, (s) => s.failNext({ status: 500, share: 1.5 })],
  [/^failNext: seed/, (s) => s.failNext({ status: 500, seed: 0.5 })],
  [/^failNext: .*phone/, (s) => s.failNext({ status: 500, phone: "911" })],
  [/^conversationWith: .*phone/, (s) => s.conversationWith("911")],
  [/^setSmsReachable: isReachable/, (s) => s.setSmsReachable("+12065550123", bad("no"))],
  [/^postWebhooks: post/, (s) => s.postWebhooks(bad(undefined))],
  [/^failNext: delayMs/, (s) => s.failNext({ fault: "slow", delayMs: -1 })],
  [
    /^failNext: delayMs must be a number from 0 to 1000000000/,
    (s) => s.failNext({ fault: "slow", delayMs: 1e12 }),
  ],
  [
    /^failNext: endpoint .*GET \/api\/v2\/lists/,
    (s) => s.failNext({ status: 500, endpoint: bad("GET /lists") }),
  ],
  // Misspelled options.
  [/`accounts`.* mean `account`/, () => createFakeService(bad({ accounts: {} }))],
  [/`rateLimit.limits`/, () => createFakeService(bad({ rateLimit: { limits: 1 } }))],
  [
    /`rateLimit.transactional.intervals`.* mean `rateLimit.transactional.interval`/,
    () => createFakeService(bad({ rateLimit: { transactional: { intervals: 1 } } })),
  ],
  [/mean `latency.max`/, () => createFakeService(bad({ latency: { maxi: 5 } }))],
  [/mean `endpoint`/, (s) => s.failNext(bad({ status: 503, endpoints: "x" }))],
  [/contentType/, (s) => s.hostFile("https://a.example/", bad({ contentTypes: "x" }))],
  [/mean `from`/, (s) => s.receiveText(bad({ fro: "+12065550123", text: "hi" }))],
  // Options of the service.
  [/now/, () => createFakeService(bad({ now: "2026-01-01" }))],
  [/now/, () => createFakeService({ now: () => new Date("never") })],
  [/now/, () => createFakeService({ now: () => bad(undefined) })],
  [/9999/, () => createFakeService({ now: () => new Date(8e15) })],
  [/latency.*1000000000/, () => createFakeService({ latency: 1e12 })],
  [/latency\.max/, () => createFakeService({ latency: { max: 1e12 } })],
  [/rateLimit/, () => createFakeService(bad({ rateLimit: 1200 }))],
  [/limit/, () => createFakeService({ rateLimit: { limit: 0 } })],
  [/interval/, () => createFakeService({ rateLimit: { interval: -1 } })],
  [
    /rateLimit\.transactional/,
    () => createFakeService({ rateLimit: bad({ transactional: true }) }),
  ],
  [
    /rateLimit\.transactional\.limit/,
    () => createFakeService({ rateLimit: { transactional: { limit: 0 } } }),
  ],
  [/latency/, () => createFakeService({ latency: -1 })],
  [/latency\.max/, () => createFakeService({ latency: { min: 5, max: 4 } })],
  [/ids/, () => createFakeService(bad({ ids: "uuid" }))],
  [/setUp/, () => createFakeService(bad({ setUp: [] }))],
  [/historyLimit/, () => createFakeService({ historyLimit: 0 })],
  [/email/, () => createFakeService(bad({ account: { email: 5 } }))],
  [
    /^createFakeService: account must be an object/,
    () => createFakeService(bad({ account: "owner" })),
  ],
];

test.each(MISTAKES)("the fake throws a TypeError that says %s", (message, misuse) => {
  const service = openService();
  const mistake = () => misuse(service);
  expect(mistake).toThrow(message);
  expect(mistake).toThrow(TypeError);
});

test("a refused resource leaves nothing in the fake", async () => {
  const service = openService();
  expect(() => service.addList(bad({ id: 11, name: 5 }))).toThrow(TypeError);
  expect(() => service.addSubscriber(10, bad({ carrier: "1" }))).toThrow(TypeError);
  expect(() => service.addScheduledMessage(10, bad({ sent_at: 5 }))).toThrow(TypeError);
  expect(() => service.failNext(bad({ fault: "boom" }))).toThrow(TypeError);
  const v2 = v2Of(service);
  expect((await v2.lists.list()).items.map(({ id }) => id)).toEqual([10]);
  expect(service.subscribersOf(10)).toEqual([]);
  expect((await v2.scheduledMessages.list(10)).items).toEqual([]);
});

test("failNext treats an option that is undefined as not given", async () => {
  const service = openService();
  const none = { fault: undefined, times: undefined, endpoint: undefined, headers: undefined };
  service.failNext({ status: 503, ...none });
  expect((await service.fetch(`${service.v2BaseUrl}/api/v2/lists`)).status).toBe(503);
});
