import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR } from "../../support/fakes/fake-service.ts";
import {
  double,
  emailStep,
  isSubscribed,
  MESSAGES,
  OTHER_PHONE,
  PHONE,
  single,
  texting,
  zipStep,
} from "../../support/fakes/opt-in-lists.ts";

const open = () => {
  const service = createFake();
  const vip = service.addList(single);
  const club = service.addList(double);
  return { service, vip: vip.id, club: club.id };
};

describe("several lists", () => {
  test("several lists have separate subscribers", () => {
    const { service, vip, club } = open();
    const text = texting(service);
    text("vip", "club", "98101", "ann@example.com", "yes");
    expect([isSubscribed(service, vip), isSubscribed(service, club)]).toEqual([true, true]);
    text("STOP");
    expect([isSubscribed(service, vip), isSubscribed(service, club)]).toEqual([true, false]);
  });

  test("several lists do not affect each other's opt-in", () => {
    const { service, vip, club } = open();
    const text = texting(service);
    expect(text("club", "vip")).toEqual([zipStep.request_message, MESSAGES.first_optin_message]);
    expect(texting(service, PHONE, club)("98101")).toEqual([emailStep.request_message]);
    expect(isSubscribed(service, vip)).toBe(true);
    service.advance({ days: 30 });
    expect(service.outbox.filter(({ cause }) => cause === "no_response_message")).toEqual([]);
  });

  test("a text without a keyword is for the list that texted the phone last", () => {
    const { service, vip, club } = open();
    texting(service)("club", "vip");
    // Makes the reminder of the club due.
    service.advance({ hours: 2 });
    expect(texting(service)("98101")).toEqual([emailStep.request_message]);
    texting(service)("vip", "STOP");
    expect(isSubscribed(service, vip)).toBe(false);
    expect(isSubscribed(service, club)).toBe(false);
  });
});

describe("list_id", () => {
  test("list_id of a text chooses its list", () => {
    const { service, vip, club } = open();
    for (const id of [vip, club]) service.addSubscriber(id, { phone_number: PHONE });
    texting(service, PHONE, vip)("STOP");
    expect([isSubscribed(service, vip), isSubscribed(service, club)]).toEqual([false, true]);
  });

  test("list_id of a text chooses between lists with the same keyword", () => {
    const service = createFake();
    const [first, second] = [service.addList(single), service.addList(single)];
    texting(service, PHONE, second.id)("VIP");
    expect([isSubscribed(service, first.id), isSubscribed(service, second.id)]).toEqual([
      false,
      true,
    ]);
  });

  test("list_id of a text makes the keyword of a different list an ordinary text", () => {
    const { service, vip, club } = open();
    expect(texting(service, PHONE, vip)("club")).toEqual([]);
    texting(service, PHONE, vip)("vip");
    expect(texting(service, PHONE, vip)("club")).toEqual([MESSAGES.message_reply]);
    expect(service.subscribersOf(club)).toEqual([]);
  });

  test("list_id of a text counts as not given if it is undefined", () => {
    const { service } = open();
    const replies = service.receiveText({ from: PHONE, text: "VIP", list_id: undefined });
    expect(replies).toHaveLength(1);
  });
});

describe("service.outbox", () => {
  test("service.outbox has the time, phone, channel, text, cause and list of every message, in order", () => {
    const { service, vip, club } = open();
    texting(service)("vip");
    service.advance({ minutes: 10 });
    texting(service, OTHER_PHONE)("club");
    expect(service.outbox).toEqual([
      {
        at: NEW_YEAR,
        to: PHONE,
        channel: "sms",
        text: MESSAGES.first_optin_message,
        cause: "first_optin_message",
        list_id: vip,
      },
      {
        at: "2026-01-01T00:10:00.000Z",
        to: OTHER_PHONE,
        channel: "sms",
        text: zipStep.request_message,
        cause: "request_message",
        list_id: club,
      },
    ]);
  });

  test("service.outbox contains the messages that receiveText returned", () => {
    const { service } = open();
    const replies = service.receiveText({ from: PHONE, text: "club" });
    expect(replies).toEqual(service.outbox);
    // A due reminder is not a reply to the text that follows it.
    service.advance({ hours: 2 });
    expect(service.receiveText({ from: PHONE, text: "98101" })).toHaveLength(1);
    expect(service.outbox).toHaveLength(3);
  });
});
