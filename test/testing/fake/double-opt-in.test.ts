import type { OptInStep } from "messaging-service-client";
import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, v2Of } from "../../support/fakes/fake-service.ts";
import {
  double,
  doubleOf,
  emailStep,
  isSubscribed,
  MESSAGES,
  openList,
  PHONE,
  texting,
  yesStep,
  zipStep,
} from "../../support/fakes/opt-in-lists.ts";

const open = (list = {}) => openList({ ...double, ...list });
const THROUGH = ["club", "98101", "ann@example.com", "yes"] as const;
const REQUESTS = [zipStep, emailStep, yesStep].map((step) => step.request_message);

describe("a double opt-in", () => {
  test("a double opt-in asks its steps in order, and subscribes after the last step", () => {
    const { service, id, text } = open();
    for (const [index, reply] of THROUGH.entries()) {
      expect(isSubscribed(service, id)).toBe(false);
      expect(text(reply)).toEqual([REQUESTS[index] ?? yesStep.opt_in_message]);
    }
    expect(service.subscribersOf(id)).toMatchObject([
      { phone_number: PHONE, subscribed_at: NEW_YEAR, opted_out_at: null, keyword_name: "CLUB" },
    ]);
  });

  test("a double opt-in sends a different confirmation when it is repeated", () => {
    const { text } = open();
    text(...THROUGH);
    expect(text("STOP", ...THROUGH)).toEqual([
      MESSAGES.message_stop,
      ...REQUESTS,
      yesStep.second_opt_in_message,
    ]);
  });

  test("a double opt-in can be configured through the API", async () => {
    const service = createFake();
    const { id } = service.addList({ keyword_names: ["CLUB"] });
    const { opt_in_requests } = double;
    await v2Of(service).lists.configureOptIn(id, { opt_in_type: "double", opt_in_requests });
    expect(texting(service)(...THROUGH)).toEqual([...REQUESTS, yesStep.opt_in_message]);
  });
});

describe("bypass_opt_in_response", () => {
  const silent = { ...yesStep, bypass_opt_in_response: true };
  const expectSilence = (service: ReturnType<typeof createFake>, id: number) => {
    const text = texting(service);
    expect(text("club", "yes")).toEqual([yesStep.request_message]);
    expect(isSubscribed(service, id)).toBe(true);
    expect(text("STOP", "club", "yes")).toEqual([MESSAGES.message_stop, yesStep.request_message]);
  };

  test.each([
    ["a step", doubleOf(silent)],
    ["a new list", doubleOf(yesStep, { bypass_opt_in_response: true })],
  ])(
    "bypass_opt_in_response of %s suppresses the first and the repeated confirmation",
    (_, list) => {
      const { service, id } = open(list);
      expectSilence(service, id);
    },
  );

  test("bypass_opt_in_response of settings suppresses confirmations, and appears in the steps", async () => {
    const { service, id } = open();
    const { opt_in_requests } = await v2Of(service).lists.configureOptIn(id, {
      opt_in_type: "double",
      bypass_opt_in_response: true,
      opt_in_requests: [yesStep],
    });
    expect(opt_in_requests).toMatchObject([{ bypass_opt_in_response: true }]);
    expectSilence(service, id);
  });
});

describe("removal of a phone in a double opt-in by DELETE", () => {
  test("removal by DELETE during a first opt-in responds 404, and the opt-in continues", async () => {
    const { service, id, text } = open();
    text("club");
    const removal = v2Of(service).subscribers.remove(id, PHONE);
    await expect(removal).rejects.toMatchObject({ status: 404 });
    expect(text("98101")).toEqual([REQUESTS[1]]);
  });

  test("removal by DELETE unsubscribes a phone that was subscribed in the meantime, and ends its opt-in", async () => {
    const { service, id, text } = open();
    text("club");
    service.addSubscriber(id, { phone_number: PHONE });
    const { opted_out_at } = await v2Of(service).subscribers.remove(id, PHONE);
    expect(opted_out_at).toBe(NEW_YEAR);
    expect(text("98101")).toEqual([]);
    service.advance({ days: 2 });
    expect(service.outbox).toHaveLength(1);
  });
});

describe("replies to the steps of a double opt-in", () => {
  type Data = OptInStep["collected_data"];
  const valid: Readonly<Record<Data, readonly string[]>> = {
    zip_code: ["98101", " 98101 ", "98101-1234", "K1A 0B1", "k1a0b1", "K1A-0B1"],
    email_address: ["ann@example.com", "Ann.B+c@mail.example.co", " ann@example.com\n"],
    first_name: ["Ann", "ann", "José", "Mary Ann", "O'Brien", "Zoë-Lynn", "李"],
    yes: ["YES", "yes", "Y", "y", " Yes "],
  };
  const invalid: Readonly<Record<Data, readonly string[]>> = {
    zip_code: ["9810", "981011", "98101-12", "ABCDE", "K1A", "my ZIP is 98101", ""],
    email_address: [
      "ann",
      "ann@example",
      "@example.com",
      "ann@",
      "a b@example.com",
      "ann@.com",
      "",
    ],
    first_name: ["7", "Ann7", "ann@example.com", "🙂", "x".repeat(51), ""],
    yes: ["no", "yess", "oh yes", "1", ""],
  };
  const cases = (table: typeof valid) =>
    Object.entries(table).flatMap(([data, replies]) =>
      replies.map((reply) => [data as Data, reply] as const),
    );
  const reply = (collected_data: Data, text: string) => {
    const step = { ...yesStep, collected_data, request_message: "?" };
    return texting(open(doubleOf(step)).service)("club", text).slice(1);
  };

  test.each(cases(valid))("a step that collects %s accepts the reply %j", (data, text) => {
    expect(reply(data, text)).toEqual([yesStep.opt_in_message]);
  });
  test.each(cases(invalid))("a step that collects %s refuses the reply %j", (data, text) => {
    expect(reply(data, text)).toEqual([yesStep.retry_message]);
  });
});
