import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../support/fakes/fake-service.ts";
import { onlyStep } from "../support/fakes/opt-in-lists.ts";

/** A mistake of a user, and the name that the error must contain. */
type Misuse = readonly [what: string, misuse: (service: FakeService) => unknown, names: RegExp];

/** Creates a service that holds list 10 and report 30. */
const openService = (): FakeService => {
  const service = createFake();
  service.addList({ id: 10, name: "VIP" });
  service.addReport({ id: 30 });
  return service;
};
const bad = (value: unknown) => value as never;

const fields: readonly Misuse[] = [
  ["an account's email", (s) => s.addAccount(bad({ email: 5 })), /^addAccount: email/],
  ["an account's apiKey", (s) => s.addAccount(bad({ apiKey: 5 })), /apiKey/],
  ["a list's name", (s) => s.addList(bad({ name: 5 })), /^addList: name/],
  ["a list's keywords", (s) => s.addList(bad({ keyword_names: "VIP" })), /^addList: keyword_names/],
  ["a list's id", (s) => s.addList({ id: 1.5 }), /^addList: id/],
  ["a list's deleted", (s) => s.addList(bad({ deleted: "no" })), /deleted/],
  [
    "a list's steps",
    (s) => s.addList(bad({ opt_in_requests: onlyStep })),
    /^addList: opt_in_requests/,
  ],
  ["a list of a missing account", (s) => s.addList({ account_id: 99 }), /^addList: .*account 99/],
  [
    "a report of a missing account",
    (s) => s.addReport({ account_id: 99 }),
    /^addReport: .*account 99/,
  ],
  [
    "a step without its request_message",
    (s) => s.addList(bad({ opt_in_requests: [{ ...onlyStep, request_message: undefined }] })),
    /^addList: opt_in_requests\.0\.request_message/,
  ],
  [
    "a last step with `nextrequest`",
    (s) => s.addList(bad({ opt_in_requests: [{ ...onlyStep, success_action: "nextrequest" }] })),
    /success_action/,
  ],
  [
    "a step with a reminder and no hour",
    (s) => s.addList(bad({ opt_in_requests: [{ ...onlyStep, follow_up: true }] })),
    /follow_up_hour/,
  ],
  [
    "an invalid phone",
    (s) => s.addSubscriber(10, { phone_number: "555" }),
    /^addSubscriber: .*phone/,
  ],
  ["a foreign phone", (s) => s.addSubscriber(10, { phone_number: "+442079460958" }), /country/],
  ["a subscriber's carrier", (s) => s.addSubscriber(10, bad({ carrier: "1" })), /carrier/],
  [
    "a message's recipient_count",
    (s) => s.addScheduledMessage(10, bad({ recipient_count: "1" })),
    /^addScheduledMessage: recipient_count/,
  ],
  [
    "a message's sent_at of an invalid type",
    (s) => s.addScheduledMessage(10, bad({ sent_at: new Date() })),
    /^addScheduledMessage: sent_at/,
  ],
  [
    "a message's sent_at that is not a time",
    (s) => s.addScheduledMessage(10, { sent_at: "tomorrow" }),
    /^addScheduledMessage: sent_at/,
  ],
  [
    "a single list's steps",
    (s) => s.addList(bad({ opt_in_type: "single", opt_in_requests: [onlyStep] })),
    /^addList: opt_in_requests must be empty/,
  ],
  ["a list's unknown opt_in_type", (s) => s.addList({ opt_in_type: "triple" }), /opt_in_type/],
  ["a list's opt_in_type of null", (s) => s.addList(bad({ opt_in_type: null })), /opt_in_type/],
  [
    "a step's created_at that is not a time",
    (s) => s.addList(bad({ opt_in_requests: [{ ...onlyStep, created_at: "yesterday" }] })),
    /^addList: opt_in_requests\.0\.created_at/,
  ],
  [
    "a subscriber's subscribed_at that is not a time",
    (s) => s.addSubscriber(10, { subscribed_at: "yesterday" }),
    /^addSubscriber: subscribed_at/,
  ],
  [
    "a subscriber's cleaned_at on a day that does not exist",
    (s) => s.addSubscriber(10, { cleaned_at: "2026-02-30T00:00:00Z" }),
    /^addSubscriber: cleaned_at/,
  ],
  [
    "a subscriber's opted_out_at in a different format",
    (s) => s.addSubscriber(10, { opted_out_at: "1/2/2026" }),
    /^addSubscriber: opted_out_at/,
  ],
  [
    "a message's sent_at on a day that does not exist",
    (s) => s.addScheduledMessage(10, { sent_at: "2026-13-01" }),
    /^addScheduledMessage: sent_at/,
  ],
  [
    "a report's date_from that is not a time",
    (s) => s.addReport({ date_from: "last month" }),
    /^addReport: date_from/,
  ],
  ["a report's minutes", (s) => s.addReport({ minutes: -1 }), /^addReport: minutes/],
  ["a report's minutes, NaN", (s) => s.addReport({ minutes: Number.NaN }), /^addReport: minutes/],
  ["a report's minutes, Infinity", (s) => s.addReport({ minutes: 1 / 0 }), /^addReport: minutes/],
  ["a report's minutes, too many", (s) => s.addReport({ minutes: 1e305 }), /^addReport: minutes/],
  ["a report's minutes, a string", (s) => s.addReport(bad({ minutes: "5" })), /minutes/],
  [
    "a report's total_rows, too many",
    (s) => s.addReport({ total_rows: 9e15 }),
    /total_rows.*1000000/,
  ],
  ["a report's total_rows below 0", (s) => s.addReport({ total_rows: -1 }), /total_rows/],
  ["a report's total_rows", (s) => s.addReport(bad({ total_rows: "9" })), /^addReport: total_rows/],
];

const missing: readonly Misuse[] = [
  [
    "addSubscriber to a missing list",
    (s) => s.addSubscriber(99),
    /^addSubscriber: there is no list 99/,
  ],
  [
    "addScheduledMessage to a missing list",
    (s) => s.addScheduledMessage(99),
    /^addScheduledMessage: .*no list 99/,
  ],
  [
    "subscribersOf a missing list",
    (s) => s.subscribersOf(99),
    /^subscribersOf: there is no list 99/,
  ],
  ["deleteList of a missing list", (s) => s.deleteList(99), /^deleteList: there is no list 99/],
  ["removeList of a missing list", (s) => s.removeList(99), /^removeList: there is no list 99/],
  [
    "cancelReport of a missing report",
    (s) => s.cancelReport(99),
    /^cancelReport: there is no report 99/,
  ],
  ["failReport of a missing report", (s) => s.failReport(99), /^failReport: there is no report 99/],
  [
    "receiveText for a missing list",
    (s) => s.receiveText({ from: "+12065550123", text: "VIP", list_id: 99 }),
    /^receiveText: there is no list 99/,
  ],
];

const taken: readonly Misuse[] = [
  [
    "a message's id",
    (s) => {
      if (s.scheduledMessagesOf(10).length === 0) s.addScheduledMessage(10, { id: 20 });
      return s.addScheduledMessage(s.addList().id, { id: 20 });
    },
    /^addScheduledMessage: id 20 is taken/,
  ],
  ["a list's id", (s) => s.addList({ id: 10 }), /^addList: .*10/],
  ["a report's id", (s) => s.addReport({ id: 30 }), /^addReport: .*30/],
  ["an account's id", (s) => s.addAccount({ id: s.account.id }), /^addAccount: /],
];

const arguments_: readonly Misuse[] = [
  [
    "receiveText without `from`",
    (s) => s.receiveText(bad({ text: "VIP" })),
    /^receiveText: from is required/,
  ],
  [
    "receiveText without `text`",
    (s) => s.receiveText(bad({ from: "2065550123" })),
    /^receiveText: text/,
  ],
  ["setRcsReachable, phone", (s) => s.setRcsReachable("911", false), /^setRcsReachable: .*phone/],
  [
    "setRcsReachable, value",
    (s) => s.setRcsReachable("+12065550123", bad(undefined)),
    /^setRcsReachable: /,
  ],
  [
    "hostFile, file",
    (s) => s.hostFile("https://example.com/a", bad({})),
    /^hostFile: .*contentType/,
  ],
  ["addAccount, a string", (s) => s.addAccount(bad("shop@example.com")), /^addAccount: .*object/],
  ["addList, a string", (s) => s.addList(bad("VIP")), /^addList: .*object/],
  ["addSubscriber, a phone", (s) => s.addSubscriber(10, bad("+12065550123")), /^addSubscriber: /],
  [
    "addScheduledMessage, null",
    (s) => s.addScheduledMessage(10, bad(null)),
    /^addScheduledMessage: .*object/,
  ],
  ["addReport, a number", (s) => s.addReport(bad(30)), /^addReport: .*object/],
  ["receiveText, nothing", (s) => s.receiveText(bad(undefined)), /^receiveText: from/],
  ["failNext, undefined", (s) => s.failNext(bad(undefined)), /^failNext: status, fault or refuse/],
  [
    "failNext, headers",
    (s) => s.failNext({ status: 500, headers: { "a b": "c" } }),
    /^failNext: headers/,
  ],
  ["failNext, refuse", (s) => s.failNext({ refuse: {} }), /^failNext: refuse must name a field/],
  [
    "failNext, refuse with a status",
    (s) => s.failNext(bad({ refuse: { phoneNumber: "x" }, status: 400 })),
    /^failNext: status cannot be given/,
  ],
  ["failNext, nothing", (s) => s.failNext(bad({})), /^failNext: status/],
  ["failNext, status", (s) => s.failNext({ status: 199 }), /^failNext: status/],
  ["failNext, a status outside HTTP", (s) => s.failNext({ status: 600 }), /^failNext: status/],
  ["failNext, a fractional status", (s) => s.failNext({ status: 500.5 }), /^failNext: status/],
  ["failNext, fault", (s) => s.failNext(bad({ fault: "boom" })), /^failNext: fault .*wrong_page/],
  ["failNext, times", (s) => s.failNext({ status: 500, times: 0 }), /^failNext: times/],
  ["failNext, share", (s) => s.failNext({ status: 500, share: 0 }), /^failNext: share/],
  ["failNext, share above 1", (s) => s.failNext({ status: 500, share: 1.5 }), /^failNext: share/],
  ["failNext, seed", (s) => s.failNext({ status: 500, seed: 0.5 }), /^failNext: seed/],
  ["failNext, phone", (s) => s.failNext({ status: 500, phone: "911" }), /^failNext: .*phone/],
  ["conversationWith, phone", (s) => s.conversationWith("911"), /^conversationWith: .*phone/],
  [
    "setSmsReachable, value",
    (s) => s.setSmsReachable("+12065550123", bad("no")),
    /^setSmsReachable: isReachable/,
  ],
  ["postWebhooks, nothing", (s) => s.postWebhooks(bad(undefined)), /^postWebhooks: post/],
  ["failNext, delayMs", (s) => s.failNext({ fault: "slow", delayMs: -1 }), /^failNext: delayMs/],
  [
    "failNext, a delayMs beyond the maximum of a timer",
    (s) => s.failNext({ fault: "slow", delayMs: 1e12 }),
    /^failNext: delayMs must be a number from 0 to 1000000000/,
  ],
  [
    "failNext, endpoint",
    (s) => s.failNext({ status: 500, endpoint: bad("GET /lists") }),
    /^failNext: endpoint .*GET \/api\/v2\/lists/,
  ],
];

const misspelled: readonly Misuse[] = [
  [
    "a misspelled option",
    () => createFakeService(bad({ accounts: {} })),
    /`accounts`.* mean `account`/,
  ],
  [
    "a misspelled option of the rate limit",
    () => createFakeService(bad({ rateLimit: { limits: 1 } })),
    /`rateLimit.limits`/,
  ],
  [
    "a misspelled option of the limit of sends",
    () => createFakeService(bad({ rateLimit: { transactional: { intervals: 1 } } })),
    /`rateLimit.transactional.intervals`.* mean `rateLimit.transactional.interval`/,
  ],
  [
    "a misspelled option of the latency",
    () => createFakeService(bad({ latency: { maxi: 5 } })),
    /mean `latency.max`/,
  ],
  [
    "a misspelled option of a failure",
    (s) => s.failNext(bad({ status: 503, endpoints: "x" })),
    /mean `endpoint`/,
  ],
  [
    "a misspelled option of a file",
    (s) => s.hostFile("https://a.example/", bad({ contentTypes: "x" })),
    /contentType/,
  ],
  [
    "a misspelled option of a text",
    (s) => s.receiveText(bad({ fro: "+12065550123", text: "hi" })),
    /mean `from`/,
  ],
];

const options: readonly Misuse[] = [
  ["now", () => createFakeService(bad({ now: "2026-01-01" })), /now/],
  ["now, an invalid date", () => createFakeService({ now: () => new Date("never") }), /now/],
  ["now, undefined", () => createFakeService({ now: () => bad(undefined) }), /now/],
  ["now, beyond the year 9999", () => createFakeService({ now: () => new Date(8e15) }), /9999/],
  ["now, before the year 1", () => createFakeService({ now: () => new Date(-8e15) }), /now/],
  ["latency, too long", () => createFakeService({ latency: 1e12 }), /latency.*1000000000/],
  ["latency.max, too long", () => createFakeService({ latency: { max: 1e12 } }), /latency\.max/],
  ["rateLimit", () => createFakeService(bad({ rateLimit: 1200 })), /rateLimit/],
  ["rateLimit.limit", () => createFakeService({ rateLimit: { limit: 0 } }), /limit/],
  ["rateLimit.interval", () => createFakeService({ rateLimit: { interval: -1 } }), /interval/],
  [
    "rateLimit.transactional",
    () => createFakeService({ rateLimit: bad({ transactional: true }) }),
    /rateLimit\.transactional/,
  ],
  [
    "rateLimit.transactional.limit",
    () => createFakeService({ rateLimit: { transactional: { limit: 0 } } }),
    /rateLimit\.transactional\.limit/,
  ],
  ["latency", () => createFakeService({ latency: -1 }), /latency/],
  ["latency, a string", () => createFakeService(bad({ latency: "fast" })), /latency/],
  ["latency.max", () => createFakeService({ latency: { min: 5, max: 4 } }), /latency\.max/],
  ["ids", () => createFakeService(bad({ ids: "uuid" })), /ids/],
  ["setUp", () => createFakeService(bad({ setUp: [] })), /setUp/],
  ["historyLimit", () => createFakeService({ historyLimit: 0 }), /historyLimit/],
  ["account", () => createFakeService(bad({ account: { email: 5 } })), /email/],
  [
    "account, a string",
    () => createFakeService(bad({ account: "owner" })),
    /^createFakeService: account must be an object/,
  ],
];

describe("mistakes of users of the fake", () => {
  test.each([...fields, ...missing, ...arguments_, ...misspelled])(
    "the fake throws a TypeError that names the mistake: %s",
    (_, misuse, names) => {
      const service = openService();
      const error = (() => {
        try {
          return misuse(service);
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toBeInstanceOf(TypeError);
      expect(String((error as TypeError).message)).toMatch(names);
    },
  );
  test.each(taken)("the fake throws a TypeError for %s that is taken", (_, misuse, names) => {
    const service = openService();
    expect(() => misuse(service)).toThrow(names);
    expect(() => misuse(service)).toThrow(TypeError);
  });
  test.each(options)("the fake throws a TypeError for the option %s", (_, misuse, names) => {
    expect(() => misuse(createFake())).toThrow(names);
    expect(() => misuse(createFake())).toThrow(TypeError);
  });
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
  service.failNext(
    bad({
      status: 503,
      fault: undefined,
      times: undefined,
      endpoint: undefined,
      headers: undefined,
    }),
  );
  expect((await service.fetch(`${service.v2BaseUrl}/api/v2/lists`)).status).toBe(503);
});
