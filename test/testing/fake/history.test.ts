import { describe, expect, test } from "vitest";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { double, PHONE, texting } from "../../support/fakes/opt-in-lists.ts";

describe("the option historyLimit", () => {
  test("the option historyLimit drops the oldest requests, messages, sends and webhooks", async () => {
    const service = createFake({ historyLimit: 3, webhooks: ({ text }) => text });
    const rcs = rcsOf(service);
    for (let number = 1; number <= 5; number += 1) {
      await rcs.sendRcsText({ ...rcsText, rcsPayload: { text: String(number) } });
    }
    const last = ["3", "4", "5"];
    expect(service.outbox.map(({ text }) => text)).toEqual(last);
    expect(service.conversationWith(PHONE).map(({ text }) => text)).toEqual(last);
    expect(service.sends.map(({ text }) => text)).toEqual(last);
    expect(service.webhooks.map(({ body }) => body)).toEqual(last);
    expect(service.requests.map(({ id }) => id)).toEqual([3, 4, 5]);
    // Transaction IDs do not start again.
    expect(new Set(service.sends.map(({ transactionId }) => transactionId)).size).toBe(3);
  });

  test("the option historyLimit is 10 000 by default", () => {
    const service = createFake();
    const request = { method: "GET", path: "/", query: {}, headers: {}, body: "" };
    for (let number = 0; number < 10_005; number += 1) service.handle(request);
    expect(service.requests).toHaveLength(10_000);
    expect(service.requests[0]?.id).toBe(6);
  });

  test("the option historyLimit does not shorten what receiveText returns", () => {
    const service = createFake({ historyLimit: 1 });
    service.addList(double);
    expect(texting(service)("club", "98101")).toHaveLength(2);
  });
});
