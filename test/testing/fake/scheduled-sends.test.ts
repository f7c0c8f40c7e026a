import { createFakeService } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";
import { OTHER_PHONE, PHONE } from "../../support/fakes/opt-in-lists.ts";

const open = () => {
  const service = createFake();
  const { id } = service.addList();
  service.addSubscriber(id, { phone_number: PHONE });
  service.addSubscriber(id, { phone_number: OTHER_PHONE });
  return { service, id, scheduled: () => service.scheduledMessagesOf(id) };
};

describe("a scheduled message", () => {
  test("a scheduled message whose time comes during waitForMessage is found", async () => {
    const service = createFakeService();
    const { id } = service.addList();
    service.addSubscriber(id, { phone_number: PHONE });
    const sent_at = new Date(Date.now() + 50).toISOString();
    service.addScheduledMessage(id, { content: "Sale!", sent_at });
    const found = service.waitForMessage({ to: PHONE, text: "Sale" }, { timeout: 2_000 });
    expect(await found).toMatchObject({ at: sent_at, text: "Sale!" });
  });

  test("a scheduled message goes out at its time to everyone who is subscribed then, and its status becomes sent", async () => {
    const { service, id } = open();
    const { sent_at } = service.addScheduledMessage(id, { content: "Sale!" });
    await v2Of(service).subscribers.remove(id, OTHER_PHONE);
    service.addSubscriber(id, { phone_number: "+12065550151" });
    service.addSubscriber(id, { phone_number: "+12065550152" });
    service.advance({ hours: 23, minutes: 59 });
    expect(service.outbox).toEqual([]);
    service.advance({ days: 3 });
    const message = { at: sent_at, channel: "sms", text: "Sale!", cause: "scheduled_message" };
    expect(service.outbox).toEqual([
      { ...message, to: PHONE, list_id: id },
      { ...message, to: "+12065550151", list_id: id },
      { ...message, to: "+12065550152", list_id: id },
    ]);
    const [sent] = (await v2Of(service).scheduledMessages.list(id)).items;
    expect(sent).toMatchObject({
      status: "sent",
      sent_at,
      recipient_count: 3,
      success_count: 3,
      pending_count: 0,
    });
    expect(service.subscribersOf(id)[0]).toMatchObject({ total_messages_received: 1 });
  });

  test("a scheduled message counts a phone that SMS does not reach as bounced, and the phone as one that got nothing", () => {
    const { service, id, scheduled } = open();
    service.addScheduledMessage(id);
    service.addSubscriber(id, { phone_number: "+12065550151" });
    service.setSmsReachable(OTHER_PHONE, false);
    service.advance({ days: 1 });
    expect(scheduled()).toMatchObject([
      {
        ...{ recipient_count: 3, success_count: 2, bounces_count: 1, pending_count: 0 },
        ...{ sms_count: 2, mms_count: 0, rcs_count: 0 },
      },
    ]);
    const received = service.subscribersOf(id).map((known) => known.total_messages_received);
    expect(received).toEqual([1, 0, 1]);
  });

  test("a scheduled message includes its attachment", () => {
    const { service, id } = open();
    service.addScheduledMessage(id, { content: null, attachment: "https://example.com/a.png" });
    service.advance({ days: 1 });
    expect(service.outbox[0]).toMatchObject({ file: "https://example.com/a.png" });
    expect(service.outbox[0]).not.toHaveProperty("text");
  });

  test.each([
    ["whose time had passed when it was added", { sent_at: "2025-12-31T23:59:59Z" }],
    ["with a different status", { status: "draft" }],
  ])("a scheduled message %s stays unchanged", (_, fields) => {
    const { service, id, scheduled } = open();
    const message = service.addScheduledMessage(id, fields);
    service.advance({ days: 9 });
    expect(scheduled()).toEqual([message]);
    expect(service.outbox).toEqual([]);
  });

  test("a scheduled message of a deleted list is not sent", () => {
    const { service, id, scheduled } = open();
    service.addScheduledMessage(id);
    service.deleteList(id);
    service.addScheduledMessage(id);
    expect(service.nextDueAt).toBeUndefined();
    expect(createFakeService({ state: service.save() }).nextDueAt).toBeUndefined();
    service.advance({ days: 9 });
    expect(service.outbox).toEqual([]);
    expect(scheduled()).toMatchObject([{ status: "scheduled" }, { status: "scheduled" }]);
  });
});

test("a phone that subscribes after the time of a scheduled message does not get it", () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const service = createFake({ now: () => new Date(now) });
  const { id } = service.addList();
  service.addSubscriber(id, { phone_number: "+12065550123" });
  service.addScheduledMessage(id);
  now += 25 * 3_600_000;
  service.addSubscriber(id, { phone_number: "+12065550124" });
  expect(service.outbox.map(({ to }) => to)).toEqual(["+12065550123"]);
});
