import { describe, expect, test } from "vitest";
import { createFake, rcsFile, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";
import { double, OTHER_PHONE, PHONE, single, texting } from "../../support/fakes/opt-in-lists.ts";

describe("conversationWith", () => {
  test("conversationWith returns the messages of both directions in order, and none of another phone", async () => {
    const service = createFake();
    const { id } = service.addList(double);
    texting(service)("club", "what?");
    texting(service, OTHER_PHONE)("club");
    await rcsOf(service).sendRcsText(rcsText);
    const conversation = service.conversationWith("(206) 555-0123");
    expect(conversation).toMatchObject([
      { direction: "received", from: PHONE, text: "club", list_id: id },
      { direction: "sent", to: PHONE, cause: "request_message", list_id: id },
      { direction: "received", from: PHONE, text: "what?", list_id: id },
      { direction: "sent", to: PHONE, cause: "retry_message" },
      { direction: "sent", to: PHONE, cause: "send_rcs_text", channel: "rcs" },
    ]);
    service.removeConversation(PHONE);
    expect(service.outbox.map(({ to }) => to)).toEqual([OTHER_PHONE]);
  });

  test("conversationWith includes a text that belongs to no list", () => {
    const service = createFake();
    expect(texting(service)("hello?")).toEqual([]);
    expect(service.conversationWith(PHONE)).toEqual([
      { id: 1, direction: "received", at: service.now.toISOString(), from: PHONE, text: "hello?" },
    ]);
    service.receiveText({ from: "+12065550199", text: "hi" });
    service.removeConversation("(206) 555-0123");
    expect(service.messages).toMatchObject([{ id: 2, text: "hi" }]);
    expect(service.conversationWith(PHONE)).toEqual([]);
  });
});

describe("service.phones", () => {
  test("service.phones lists the phones that the service knows, sorted by latest message, newest first", async () => {
    const service = createFake();
    const { id } = service.addList(single);
    service.addSubscriber(id, { phone_number: "+12065550151" });
    service.setRcsReachable("+12065550152", false);
    texting(service)("VIP");
    texting(service, OTHER_PHONE)("VIP");
    service.advance({ minutes: 1 });
    await rcsOf(service).sendRcsText(rcsText);
    expect(
      service.phones.map(({ phoneNumber, latestMessageAt }) => [phoneNumber, latestMessageAt]),
    ).toEqual([
      [PHONE, "2026-01-01T00:01:00.000Z"],
      [OTHER_PHONE, "2026-01-01T00:00:00.000Z"],
      ["+12065550152", null],
      ["+12065550151", null],
    ]);
  });

  test("service.phones shows the state of a phone in each opt-in, and the time of its reminder", async () => {
    const service = createFake();
    const vip = service.addList(single);
    const club = service.addList(double);
    texting(service)("VIP", "club", "98101", "ann@example.com");
    service.advance({ hours: 1 });
    const optIns = () => service.phones[0]?.optIns;
    expect(optIns()).toEqual([
      { list_id: vip.id, state: "subscribed" },
      {
        list_id: club.id,
        state: "asked",
        step: 2,
        askedAt: "2026-01-01T00:00:00.000Z",
        reminderAt: "2026-01-02T00:00:00.000Z",
      },
    ]);
    expect(service.nextDueAt?.toISOString()).toBe("2026-01-02T00:00:00.000Z");
    service.advance({ days: 1 });
    expect(optIns()?.[1]).not.toHaveProperty("reminderAt");
    expect(service.nextDueAt).toBeUndefined();
    texting(service)("yes");
    expect(optIns()?.[1]).toEqual({ list_id: club.id, state: "subscribed" });
    await v2Of(service).subscribers.remove(vip.id, PHONE);
    expect(optIns()?.[0]).toEqual({ list_id: vip.id, state: "not_subscribed" });
  });
});

test("setSmsReachable(false) leaves a send that RCS cannot deliver undelivered", async () => {
  const service = createFake();
  service.setRcsReachable(PHONE, false);
  service.setSmsReachable("206-555-0123", false);
  await rcsOf(service).sendRcsFile(rcsFile);
  expect(service.sends).toHaveLength(1);
  expect(service.outbox).toEqual([]);
  expect(service.phones).toMatchObject([{ rcsReachable: false, smsReachable: false }]);
  service.setSmsReachable(PHONE, true);
  await rcsOf(service).sendRcsFile(rcsFile);
  expect(service.outbox).toMatchObject([{ channel: "sms" }]);
});
