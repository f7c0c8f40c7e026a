import type { OptInStep } from "messaging-service-client";
import type { Duration } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";
import {
  double,
  doubleOf,
  emailStep,
  openList,
  PHONE,
  texting,
  yesStep,
  zipStep,
} from "../../support/fakes/opt-in-lists.ts";

/** Opens a list whose settings can be changed. A phone was asked the first step an hour ago. */
const open = () => {
  const { service, id, text } = openList(double);
  text("club");
  service.advance({ hours: 1 });
  const change = (...steps: readonly OptInStep[]) =>
    v2Of(service).lists.configureOptIn(id, { opt_in_type: "double", opt_in_requests: [...steps] });
  const reminders = () =>
    service.outbox
      .filter(({ cause }) => cause === "no_response_message")
      .map(({ at, text: reminder }) => [at.slice(11, 16), reminder]);
  return { service, id, text, change, reminders };
};
const zipAfter = (follow_up_hour: number): OptInStep => ({
  ...zipStep,
  follow_up_hour,
  no_response_message: "New reminder",
});

describe("settings that change while a step waits for a reply", () => {
  const noReminder: OptInStep = { ...zipStep, follow_up: false, follow_up_hour: null };
  const early = [zipStep.no_response_message];
  test.each<[string, before: Duration, OptInStep, after: Duration, reminders: string[][]]>([
    ["move its reminder", {}, zipAfter(5), { hours: 4 }, [["05:00", "New reminder"]]],
    ["send it no earlier than its step says", {}, zipAfter(5), { hours: 3, minutes: 59 }, []],
    [
      "send it at once if it is late",
      { minutes: 30 },
      zipAfter(1),
      {},
      [["01:30", "New reminder"]],
    ],
    ["cancel it if the step has none", {}, noReminder, { days: 9 }, []],
    ["send no second one", { hours: 1 }, zipAfter(5), { days: 1 }, [["02:00", ...early]]],
  ])("changed settings of a step that was asked %s", async (_, before, step, after, expected) => {
    const { service, change, reminders } = open();
    service.advance(before);
    await change(step, yesStep);
    service.advance(after);
    expect(reminders()).toEqual(expected);
  });

  test.each([
    ["HELP", "message_help"],
    ["STOP", "message_stop"],
  ] as const)("a step's field does not replace the reply of the list to %s", async (text, name) => {
    const { text: reply, change } = open();
    await change({ ...yesStep, [name]: "From the step" });
    expect(reply(text)).toEqual([double[name]]);
  });

  test("changed settings add a reminder to a step that had none", async () => {
    const service = createFake();
    const { id } = service.addList(doubleOf(emailStep));
    texting(service)("club");
    await v2Of(service).lists.configureOptIn(id, {
      opt_in_type: "double",
      opt_in_requests: [yesStep],
    });
    service.advance({ hours: 24 });
    expect(service.outbox.at(-1)).toMatchObject({ text: yesStep.no_response_message });
  });

  test("changed settings check the reply against the new step", async () => {
    const { text, change } = open();
    await change(emailStep, yesStep);
    expect(text("98101", "ann@example.com")).toEqual([
      emailStep.retry_message,
      yesStep.request_message,
    ]);
  });

  test("changed settings end the conversation if its step was removed", async () => {
    const { service, id, text, change, reminders } = open();
    text("98101", "ann@example.com");
    await change(zipAfter(5), yesStep);
    service.advance({ days: 9 });
    expect(reminders()).toEqual([]);
    expect(text("yes")).toEqual([]);
    expect(service.phones).toMatchObject([{ phoneNumber: PHONE, optIns: [] }]);
    expect(service.subscribersOf(id)).toEqual([]);
  });
});
