import type { FakeServiceEvent } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";
import { double, PHONE, single, texting } from "../../support/fakes/opt-in-lists.ts";

const open = () => {
  const service = createFake();
  const events: FakeServiceEvent[] = [];
  const unsubscribe = service.subscribe((event) => events.push(event));
  const types = () => events.splice(0).map(({ type }) => type);
  return { service, events, unsubscribe, types };
};

describe("subscribe", () => {
  test("subscribe reports a send as a message, a request, and a change of the state", async () => {
    const { service, events } = open();
    await rcsOf(service).sendRcsText(rcsText);
    expect(events).toMatchObject([
      { type: "message", message: { direction: "sent", to: PHONE, channel: "rcs" } },
      { type: "request", request: { status: 202, body: rcsText } },
      { type: "state" },
    ]);
  });

  test("subscribe reports a GET only as a request", async () => {
    const { service, types } = open();
    await v2Of(service).accounts.me();
    expect(types()).toEqual(["request"]);
  });

  test("subscribe reports a text from a phone, and the reply", () => {
    const { service, events } = open();
    service.addList(single);
    events.splice(0);
    texting(service)("VIP");
    expect(events).toMatchObject([
      { type: "message", message: { direction: "received", from: PHONE, text: "VIP" } },
      { type: "message", message: { direction: "sent", to: PHONE, text: "Welcome!" } },
      { type: "state" },
    ]);
  });

  test("subscribe reports every change that the fake's user makes", () => {
    const { service, types } = open();
    const { id } = service.addList(double);
    const changes = [
      () => service.addAccount(),
      () => service.addSubscriber(id),
      () => service.addScheduledMessage(id),
      () => service.cancelReport(service.addReport().id),
      () => service.setRcsReachable(PHONE, false),
      () => service.setSmsReachable(PHONE, false),
      () => service.failNext({ status: 500 }),
      () => service.clearFailures(),
      () => service.advance({ hours: 1 }),
      () => service.deleteList(id),
      () => service.removeList(id),
      () => service.reset(),
    ];
    types();
    for (const change of changes) {
      change();
      expect(new Set(types())).toEqual(new Set(["state"]));
    }
  });

  test.each([
    ["sendDue", ["message", "state"]],
    ["a GET", ["message", "request", "state"]],
  ])("subscribe reports a reminder that became due by itself at %s", async (by, expected) => {
    let now = new Date("2026-01-01T00:00:00Z");
    const service = createFake({ now: () => now });
    service.addList(double);
    texting(service)("club");
    const types: string[] = [];
    service.subscribe(({ type }) => types.push(type));
    now = new Date("2026-01-01T03:00:00Z");
    if (by === "sendDue") service.sendDue();
    else await v2Of(service).accounts.me();
    service.sendDue();
    expect(types).toEqual(expected);
  });

  test("subscribe ends when the returned function is called", () => {
    const { service, events, unsubscribe } = open();
    unsubscribe();
    service.addList();
    expect(events).toEqual([]);
  });

  test("subscribe ignores errors that a listener throws", async () => {
    const { service, types } = open();
    service.subscribe(() => {
      throw new Error("oops");
    });
    expect((await rcsOf(service).sendRcsText(rcsText)).transactionId).toMatch(/./);
    expect(types()).toEqual(["message", "request", "state"]);
  });
});
