import {
  accountSchema,
  listSchema,
  momtReportSchema,
  scheduledMessageSchema,
  subscriberSchema,
} from "messaging-service-client/schemas";
import { describe, expect, test, vi } from "vitest";
import { createFake, NEW_YEAR, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";
import { onlyStep } from "../../support/fakes/opt-in-lists.ts";

describe("a resource added without fields", () => {
  test("a resource added without fields has values that the service could return", () => {
    const service = createFake();
    const list = service.addList();
    expect(accountSchema.parse(service.account)).toEqual(service.account);
    expect(accountSchema.parse(service.addAccount())).toHaveProperty("apiKey");
    expect(listSchema.parse(list)).toEqual(list);
    const subscriber = service.addSubscriber(list.id);
    expect(subscriberSchema.parse(subscriber)).toEqual(subscriber);
    const message = service.addScheduledMessage(list.id);
    expect(scheduledMessageSchema.parse(message)).toEqual(message);
    const report = service.addReport();
    expect(momtReportSchema.parse(report)).toEqual(report);
  });

  test("a subscriber added without fields is subscribed now, and a message added without fields is scheduled for the same time tomorrow", () => {
    const service = createFake();
    const { id } = service.addList();
    expect(service.addSubscriber(id)).toMatchObject({
      subscribed_at: NEW_YEAR,
      opted_out_at: null,
      cleaned_at: null,
      total_messages_received: 0,
    });
    expect(service.addScheduledMessage(id)).toMatchObject({
      status: "scheduled",
      sent_at: "2026-01-02T00:00:00.000Z",
      recipient_count: 1,
    });
  });

  test("a resource added without fields is returned by the service exactly as when it was added", async () => {
    const service = createFake();
    const v2 = v2Of(service);
    const list = service.addList({ opt_in_requests: [onlyStep] });
    const message = service.addScheduledMessage(list.id);
    const report = service.addReport();
    expect(await v2.lists.retrieve(list.id)).toEqual(list);
    expect((await v2.scheduledMessages.list(list.id)).items).toEqual([message]);
    expect(await v2.momtReports.retrieve(report.id)).toEqual(report);
  });
});

describe("a resource added with fields", () => {
  test("a resource added with fields keeps them", () => {
    const service = createFake({ account: { email: "shop@example.com", apiKey: "given-key" } });
    expect(service.account).toMatchObject({ email: "shop@example.com", apiKey: "given-key" });
    const list = service.addList({ id: 50, name: "VIP", keyword_names: ["VIP", "GOLD"] });
    expect(list).toMatchObject({ id: 50, name: "VIP", keyword_names: ["VIP", "GOLD"] });
    expect(
      service.addSubscriber(50, { phone_number: "(206) 555-0123", carrier: null }),
    ).toMatchObject({ phone_number: "+12065550123", carrier: null, keyword_name: "VIP" });
    expect(service.addScheduledMessage(50, { id: 60, send_cost: 1.5 })).toMatchObject({
      id: 60,
      send_cost: 1.5,
    });
    expect(service.addReport({ id: 70, shortcode: "12345", minutes: null })).toMatchObject({
      id: 70,
      shortcode: "12345",
    });
  });

  test("a resource added with fields treats undefined as not given", () => {
    const service = createFake({ now: undefined, rateLimit: undefined, account: undefined });
    const fields = { follow_up_hour: undefined, opt_in_message: undefined };
    const list = service.addList({
      ...{ id: undefined, keyword_names: undefined, opt_in_type: undefined },
      opt_in_requests: [{ ...onlyStep, ...fields, bypass_opt_in_response: undefined }],
    });
    const step = { follow_up_hour: null, opt_in_message: null, bypass_opt_in_response: false };
    expect(list).toMatchObject({
      ...{ keyword_names: [], opt_in_type: "double", opt_in_requests: [step] },
    });
    expect(
      service.addSubscriber(list.id, { phone_number: undefined, carrier: undefined }),
    ).toMatchObject({ phone_number: "+12065550100", carrier: 1 });
    expect(service.addReport({ minutes: undefined, total_rows: undefined }).total_rows).toBe(1000);
  });

  test("a list added with steps is double unless its type is given", () => {
    const service = createFake();
    expect(service.addList({ opt_in_requests: [onlyStep] }).opt_in_type).toBe("double");
    expect(service.addList({ opt_in_type: "double" })).toMatchObject({
      opt_in_type: "double",
      opt_in_requests: [],
    });
  });

  test("a resource added with fields does not change the caller's objects", () => {
    const fields = Object.freeze({
      keyword_names: Object.freeze(["VIP"]) as string[],
      opt_in_requests: Object.freeze([Object.freeze({ ...onlyStep })]),
    });
    const service = createFake();
    const { id } = service.addList(fields);
    service.receiveText({ from: "+12065550123", text: "vip" });
    service.receiveText({ from: "+12065550123", text: "yes" });
    expect(service.subscribersOf(id)).toHaveLength(1);
    expect(fields.opt_in_requests[0]).toEqual(onlyStep);
  });
});

describe("generated ids and phones", () => {
  test("generated ids and phones are unique", () => {
    const service = createFake();
    const list = service.addList({
      opt_in_requests: [onlyStep, onlyStep].map((one, index) => ({
        ...one,
        success_action: index === 0 ? ("nextrequest" as const) : ("optinsubscriber" as const),
      })),
    });
    const ids = [
      service.account.id,
      service.addAccount().id,
      list.id,
      ...list.opt_in_requests.map(({ id }) => id),
      service.addList().id,
      service.addScheduledMessage(list.id).id,
      service.addScheduledMessage(list.id).id,
      service.addReport().id,
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (let index = 0; index < 300; index += 1) service.addSubscriber(list.id);
    expect(service.subscribersOf(list.id)).toHaveLength(300);
  });

  test("generated ids and phones differ from the given ids of lists and reports", () => {
    const service = createFake();
    service.addList({ id: 2 });
    service.addReport({ id: 3 });
    expect([service.addList().id, service.addReport().id]).toEqual([4, 5]);
  });

  test("generated ids and phones differ from the given phone numbers", () => {
    const service = createFake();
    const { id } = service.addList();
    service.addSubscriber(id, { phone_number: "206-555-0101" });
    service.addSubscriber(id);
    expect(service.subscribersOf(id)).toHaveLength(2);
  });
});

test("ids count from 1, and transaction ids are UUIDs that never repeat, without crypto.randomUUID", async () => {
  // `crypto.randomUUID` does not exist in a page that is loaded over plain HTTP.
  vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
    throw new TypeError("crypto.randomUUID is not a function");
  });
  const sent = new Set<string>();
  for (let run = 0; run < 10; run += 1) {
    const service = createFake();
    expect([service.account.id, service.addList().id]).toEqual([1, 2]);
    for (let send = 0; send < 10; send += 1) {
      const { transactionId } = await rcsOf(service).sendRcsText(rcsText);
      expect(transactionId).toMatch(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      );
      sent.add(transactionId);
    }
  }
  expect(sent.size).toBe(100);
});
