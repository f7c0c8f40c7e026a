import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, v2Of } from "../../support/fakes/fake-service.ts";
import {
  isSubscribed,
  MESSAGES,
  openList,
  PHONE,
  single,
  texting,
} from "../../support/fakes/opt-in-lists.ts";

const open = (fields = {}) => openList({ ...single, ...fields });

describe("a keyword", () => {
  test.each(["VIP", "vip", "Vip", "vIp", "  vip \n", "GOLD", "gold"])(
    "the keyword %j subscribes",
    (keyword) => {
      const { service, id, text } = open();
      expect(text(keyword)).toEqual([MESSAGES.first_optin_message]);
      expect(isSubscribed(service, id)).toBe(true);
    },
  );

  test.each(["VI", "VIPS", "join VIP", "V I P", ""])(
    "the text %j is not a keyword",
    (noKeyword) => {
      const { service, id, text } = open();
      expect(text(noKeyword)).toEqual([]);
      expect(service.subscribersOf(id)).toEqual([]);
    },
  );

  test("a keyword becomes the subscriber's keyword_name", () => {
    const { service, id, text } = open();
    text("gold");
    expect(service.subscribersOf(id)).toMatchObject([
      {
        phone_number: PHONE,
        keyword_name: "Gold",
        opt_in_method: expect.stringMatching(/keyword/i),
      },
    ]);
  });

  test("a keyword subscribes the same phone in any format of its number", () => {
    const { service, id } = open();
    for (const from of ["(206) 555-0123", "206.555.0123", "+1 206 555 0123"]) {
      service.receiveText({ from, text: "VIP" });
    }
    expect(service.subscribersOf(id).map(({ phone_number }) => phone_number)).toEqual([PHONE]);
  });
});

describe("a single opt-in", () => {
  test("a single opt-in has one message for a new phone, one for a subscriber, and one for a repeat", () => {
    const { text } = open();
    expect(text("VIP", "VIP", "STOP", "VIP", "VIP")).toEqual([
      MESSAGES.first_optin_message,
      MESSAGES.message_already_subscribed,
      MESSAGES.message_stop,
      MESSAGES.second_optin_message,
      MESSAGES.message_already_subscribed,
    ]);
  });

  test("a single opt-in counts as a repeat for a phone that was removed, opted out or cleaned", async () => {
    const fields = [{ opted_out_at: NEW_YEAR }, { cleaned_at: NEW_YEAR }];
    for (const before of fields) {
      const { service, id, text } = open();
      service.addSubscriber(id, { phone_number: PHONE, ...before });
      expect(text("VIP")).toEqual([MESSAGES.second_optin_message]);
      expect(service.subscribersOf(id)).toMatchObject([{ opted_out_at: null, cleaned_at: null }]);
    }
    const { service, id, text } = open();
    text("VIP");
    await v2Of(service).subscribers.remove(id, PHONE);
    expect(text("VIP")).toEqual([MESSAGES.second_optin_message]);
  });

  test("a single opt-in records its time", () => {
    const { service, id, text } = open();
    text("VIP");
    service.advance({ days: 1 });
    text("STOP");
    expect(service.subscribersOf(id)).toMatchObject([
      { subscribed_at: NEW_YEAR, opted_out_at: "2026-01-02T00:00:00.000Z" },
    ]);
    service.advance({ days: 1 });
    text("VIP");
    expect(service.subscribersOf(id)).toMatchObject([
      { subscribed_at: "2026-01-03T00:00:00.000Z", opted_out_at: null },
    ]);
  });

  test("a single opt-in counts the messages that a subscriber has received", () => {
    const { service, id, text } = open();
    text("VIP", "hello", "VIP");
    service.setSmsReachable(PHONE, false);
    expect(text("hello")).toEqual([]);
    expect(service.subscribersOf(id)).toMatchObject([{ total_messages_received: 3 }]);
  });

  test("a single opt-in with bypass_opt_in_response subscribes without a message, the first and every other time", () => {
    const { service, id, text } = open({ bypass_opt_in_response: true });
    expect(text("VIP")).toEqual([]);
    expect(isSubscribed(service, id)).toBe(true);
    expect(text("STOP", "VIP", "VIP")).toEqual([
      MESSAGES.message_stop,
      MESSAGES.message_already_subscribed,
    ]);
  });

  test("a single opt-in can be configured through the API, with bypass_opt_in_response", async () => {
    const { service, id, text } = open();
    const { lists } = v2Of(service);
    await lists.configureOptIn(id, { opt_in_type: "single", first_optin_message: "Hi there!" });
    expect(text("VIP")).toEqual(["Hi there!"]);
    await lists.configureOptIn(id, { opt_in_type: "single", bypass_opt_in_response: true });
    expect(texting(service, "+12065550150")("VIP")).toEqual([]);
  });

  test("a single opt-in sends nothing for a message that the list lacks", () => {
    const service = createFake();
    const { id } = service.addList({ keyword_names: ["VIP"] });
    expect(texting(service)("VIP", "VIP", "HELP", "YES", "hello", "STOP", "VIP")).toEqual([]);
    expect(isSubscribed(service, id)).toBe(true);
  });
});

describe("STOP and HELP", () => {
  test.each(["STOP", "stop", " Stop ", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"])(
    "the text %j unsubscribes",
    (word) => {
      const { service, id, text } = open();
      text("VIP");
      expect(text(word)).toEqual([MESSAGES.message_stop]);
      expect(isSubscribed(service, id)).toBe(false);
    },
  );

  test.each(["HELP", "help", "INFO"])(
    "the text %j gets message_help and changes nothing",
    (word) => {
      const { service, id, text } = open();
      text("VIP");
      expect(text(word)).toEqual([MESSAGES.message_help]);
      expect(isSubscribed(service, id)).toBe(true);
    },
  );

  test("STOP and HELP from a phone that is on no list get no message", () => {
    expect(open().text("STOP", "HELP", "YES", "hello")).toEqual([]);
  });

  test("STOP and HELP from a phone that is on no list get a message if list_id is given", () => {
    const { service, id } = open();
    const text = texting(service, PHONE, id);
    expect(text("HELP", "STOP")).toEqual([MESSAGES.message_help, MESSAGES.message_stop]);
    expect(service.subscribersOf(id)).toEqual([]);
  });

  test("STOP and HELP from a subscriber who was added by hand are for that list", () => {
    const { service, id, text } = open();
    service.addSubscriber(id, { phone_number: PHONE });
    expect(text("HELP", "STOP")).toEqual([MESSAGES.message_help, MESSAGES.message_stop]);
    expect(isSubscribed(service, id)).toBe(false);
  });
});
