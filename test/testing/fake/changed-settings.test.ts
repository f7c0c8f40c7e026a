import type { OptInStep } from "messaging-service-client";
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

/** A phone that was asked the first step an hour ago, and settings that can be changed. */
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
  test("changed settings move a reminder to the new hour, counted from when the step was asked", async () => {
    const { service, change, reminders } = open();
    await change(zipAfter(5), yesStep);
    service.advance({ hours: 3, minutes: 59 });
    expect(reminders()).toEqual([]);
    service.advance({ minutes: 1 });
    expect(reminders()).toEqual([["05:00", "New reminder"]]);
  });

  test("changed settings send a reminder at once if its new hour has passed", async () => {
    const { service, change, reminders } = open();
    service.advance({ minutes: 30 });
    await change(zipAfter(1), yesStep);
    expect(reminders()).toEqual([["01:30", "New reminder"]]);
  });

  test("changed settings cancel the reminder of a step that no longer has one", async () => {
    const { service, change, reminders } = open();
    await change({ ...zipStep, follow_up: false, follow_up_hour: null }, yesStep);
    service.advance({ days: 9 });
    expect(reminders()).toEqual([]);
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

  test("changed settings do not send a second reminder for a step that was asked once", async () => {
    const { service, change, reminders } = open();
    service.advance({ hours: 1 });
    expect(reminders()).toHaveLength(1);
    await change(zipAfter(5), yesStep);
    service.advance({ days: 1 });
    expect(reminders()).toHaveLength(1);
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
