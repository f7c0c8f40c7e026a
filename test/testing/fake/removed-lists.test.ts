import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";
import { double, MESSAGES, PHONE, single, texting } from "../../support/fakes/opt-in-lists.ts";

/** A fake with a list that has a subscriber, a phone in the middle of its double opt-in, and a scheduled message. */
const open = () => {
  const service = createFake();
  const { id } = service.addList({ ...double, keyword_names: ["CLUB"] });
  service.addSubscriber(id, { phone_number: "+12065550150" });
  service.addScheduledMessage(id);
  texting(service)("club");
  return { service, id };
};

describe("removeList", () => {
  test("the service neither lists nor finds a removed list", async () => {
    const { service, id } = open();
    const kept = service.addList({ name: "Kept" });
    service.removeList(id);
    const v2 = v2Of(service);
    expect(await v2.lists.list().toArray()).toMatchObject([{ id: kept.id }]);
    await expect(v2.lists.retrieve(id)).rejects.toMatchObject({ status: 404 });
    expect(service.lists).toMatchObject([{ name: "Kept" }]);
  });

  const keywords: readonly [
    what: string,
    use: (service: FakeService) => unknown,
    replies: object,
  ][] = [
    ["without another list", () => {}, []],
    [
      "with another list of this keyword",
      (service) => service.addList({ ...single, keyword_names: ["CLUB"] }),
      [{ text: MESSAGES.first_optin_message }],
    ],
  ];
  test.each(keywords)("the keyword of a removed list is free, %s", (_, use, replies) => {
    const { service, id } = open();
    service.removeList(id);
    use(service);
    expect(service.receiveText({ from: PHONE, text: "club" })).toMatchObject(replies);
  });

  test("no reminder and no scheduled message is due for a removed list", () => {
    const { service, id } = open();
    const sent = service.outbox.length;
    expect(service.nextDueAt).toBeDefined();
    service.removeList(id);
    expect(service.nextDueAt).toBeUndefined();
    service.advance({ days: 30 });
    expect(service.outbox).toHaveLength(sent);
  });

  test("no reminder is due for a deleted list, and no phone is asked on it any more", () => {
    const { service, id } = open();
    const sent = service.outbox.length;
    service.deleteList(id);
    expect(service.nextDueAt).toBeUndefined();
    const states = service.phones.flatMap(({ optIns }) => optIns.map(({ state }) => state));
    expect(states).toEqual(["subscribed"]);
    service.advance({ days: 30 });
    expect(texting(service)("98101", "HELP")).toEqual([]);
    expect(service.outbox).toHaveLength(sent);
  });

  test("a phone has no opt-in on a removed list, and keeps its messages", () => {
    const { service, id } = open();
    const before = service.conversationWith(PHONE);
    service.removeList(id);
    expect(service.conversationWith(PHONE)).toEqual(before);
    expect(service.phones).toMatchObject([{ phoneNumber: PHONE, optIns: [] }]);
    expect(texting(service)("98101", "STOP")).toEqual([]);
  });

  test("a new list with the id of a removed list inherits nothing from it", () => {
    const { service, id } = open();
    service.removeList(id);
    service.addList({ ...single, id });
    expect(service.subscribersOf(id)).toEqual([]);
    expect(texting(service)("STOP", "HELP")).toEqual([]);
  });

  test("a removed list stays removed after the state was saved and restored", () => {
    const { service, id } = open();
    service.removeList(id);
    const restored = createFakeService({ state: service.save() });
    expect(restored.lists).toEqual([]);
    expect(restored.nextDueAt).toBeUndefined();
    expect(restored.conversationWith(PHONE)).toEqual(service.conversationWith(PHONE));
  });
});
