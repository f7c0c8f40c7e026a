import type { NewList } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";
import {
  causesOf,
  double,
  doubleOf,
  emailStep,
  OTHER_PHONE,
  openList,
  PHONE,
  texting,
  yesStep,
  zipStep,
} from "../../support/fakes/opt-in-lists.ts";

const open = (list: NewList = double) => {
  const { service, id, text } = openList(list);
  const remindersOf = () =>
    service.outbox
      .filter(({ cause }) => cause === "no_response_message")
      .map(({ at, text }) => [at.slice(5, 16), text]);
  return { service, id, text, remindersOf };
};
const ZIP = zipStep.no_response_message;
const YES = yesStep.no_response_message;

describe("a reminder", () => {
  test("a reminder goes out once, follow_up_hour hours after its step, to the minute", () => {
    const { service, text, remindersOf } = open();
    text("club");
    service.advance({ hours: 1, minutes: 59 });
    expect(remindersOf()).toEqual([]);
    service.advance({ minutes: 1 });
    expect(remindersOf()).toEqual([["01-01T02:00", ZIP]]);
    service.advance({ days: 30 });
    expect(remindersOf()).toHaveLength(1);
  });

  test.each([1e12, Number.MAX_SAFE_INTEGER])(
    "a reminder after %d hours never goes out, and breaks neither the clock nor the phones",
    (follow_up_hour) => {
      const { service, text, remindersOf } = open({
        keyword_names: ["CLUB"],
        opt_in_requests: [{ ...yesStep, follow_up_hour }],
      });
      text("club");
      expect(service.nextDueAt).toBeUndefined();
      expect(service.phones).toMatchObject([{ optIns: [{ state: "asked", step: 0 }] }]);
      expect(service.phones[0]?.optIns[0]).not.toHaveProperty("reminderAt");
      service.advance({ days: 1_000_000 });
      expect(remindersOf()).toEqual([]);
    },
  );

  test("a reminder goes out for each step, counted from when this step was asked", () => {
    const { service, text, remindersOf } = open();
    text("club", "98101");
    service.advance({ hours: 3 });
    text("ann@example.com");
    service.advance({ hours: 23, minutes: 59 });
    expect(remindersOf()).toEqual([]);
    service.advance({ minutes: 1 });
    expect(remindersOf()).toEqual([["01-02T03:00", YES]]);
  });

  test("a step without follow_up sends no reminder", () => {
    const { service, text, remindersOf } = open(
      doubleOf({ ...emailStep, follow_up_hour: 1, no_response_message: "Still there?" }),
    );
    text("club");
    service.advance({ days: 30 });
    expect(remindersOf()).toEqual([]);
  });

  test("a reminder without a text is not sent", () => {
    const { service, text } = open(doubleOf({ ...zipStep, no_response_message: null }));
    text("club");
    service.advance({ days: 1 });
    expect(causesOf(service.outbox)).toEqual(["request_message"]);
  });

  test.each([
    ["a valid reply", ["98101"], []],
    ["STOP", ["STOP"], []],
    ["an invalid reply, from which it counts again", ["what?"], [["01-01T03:00", ZIP]]],
    ["the keyword, from which it counts again", ["club"], [["01-01T03:00", ZIP]]],
    ["HELP, which is not a reply", ["HELP"], [["01-01T02:00", ZIP]]],
  ])("a reminder is canceled or moved by %s", (_, texts, reminders) => {
    const { service, text, remindersOf } = open();
    text("club");
    service.advance({ hours: 1 });
    text(...texts);
    service.advance({ hours: 20 });
    expect(remindersOf()).toEqual(reminders);
  });

  test("a reminder goes out if the source of the clock moves past its time", () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const service = createFake({ now: () => now });
    service.addList(double);
    texting(service)("club");
    now = new Date("2026-01-01T02:00:00Z");
    expect(causesOf(service.outbox)).toEqual(["request_message", "no_response_message"]);
  });

  test("reminders of several phones go out in order, each at its own time", () => {
    const { service, text } = open();
    const [PHONE_2, PHONE_3] = ["+12065550151", "+12065550152"];
    text("club");
    service.advance({ hours: 1 });
    for (const phone of [PHONE_3, PHONE_2, OTHER_PHONE]) texting(service, phone)("club");
    service.advance({ minutes: 30 });
    texting(service, PHONE_2)("98101");
    service.advance({ hours: 5 });
    const sent = service.outbox.filter(({ cause }) => cause === "no_response_message");
    expect(sent.map(({ at, to }) => [at.slice(11, 16), to])).toEqual([
      ["02:00", PHONE],
      ["03:00", PHONE_3],
      ["03:00", OTHER_PHONE],
    ]);
  });

  test("a reminder does not go out after the list has become a single opt-in", async () => {
    const { service, id, text, remindersOf } = open();
    text("club");
    await v2Of(service).lists.configureOptIn(id, { opt_in_type: "single" });
    service.advance({ days: 1 });
    expect(remindersOf()).toEqual([]);
  });
});
