import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";
import { double, PHONE, texting } from "../../support/fakes/opt-in-lists.ts";

describe("reset", () => {
  test("reset empties the service, and keeps its account and its clients", async () => {
    const rateLimit = { limit: 1 };
    const service = createFake({ rateLimit, account: { email: "shop@example.com" } });
    rateLimit.limit = 0;
    const [v2, rcs] = [v2Of(service), rcsOf(service)];
    const { account } = service;
    const { id } = service.addList(double);
    service.addAccount();
    service.addScheduledMessage(id);
    service.addReport();
    texting(service)("club");
    service.setRcsReachable(PHONE, false);
    service.hostFile("https://example.com/a", { contentType: "text/html" });
    await rcs.sendRcsText(rcsText);
    await v2.accounts.me();
    service.failNext({ status: 503, times: 9 });
    service.advance({ hours: 1 });
    service.reset();
    const { accounts, lists, phones, reports, outbox, requests, sends, failures } = service;
    expect({ lists, phones, reports, outbox, requests, sends, failures }).toEqual({
      lists: [],
      phones: [],
      reports: [],
      outbox: [],
      requests: [],
      sends: [],
      failures: [],
    });
    expect(accounts).toEqual([account]);
    expect(service.conversationWith(PHONE)).toEqual([]);
    expect(service.now.toISOString()).toBe(NEW_YEAR);
    expect(service.nextDueAt).toBeUndefined();
    // The rate limit starts again at zero.
    expect((await v2.accounts.me()).email).toBe("shop@example.com");
    // IDs start again.
    expect(service.addList().id).toBe(id);
    await rcs.sendRcsText(rcsText);
    expect(service.outbox).toMatchObject([{ channel: "rcs" }]);
  });

  test("reset runs setUp again", () => {
    const service = createFake({ setUp: (fake) => void fake.addList({ name: "VIP" }) });
    service.addList({ name: "Later" });
    service.reset();
    expect(service.lists).toMatchObject([{ name: "VIP" }]);
  });

  test("reset skips setUp if `empty` is true, and runs it the next time", () => {
    const service = createFake({ setUp: (fake) => void fake.addList({ name: "VIP" }) });
    const { account } = service;
    service.reset({ empty: true });
    expect([service.lists, service.accounts]).toEqual([[], [account]]);
    service.reset({ empty: false });
    expect(service.lists).toMatchObject([{ name: "VIP" }]);
  });

  test("reset cancels earlier reminders", () => {
    const service = createFake();
    service.addList(double);
    texting(service)("club");
    service.reset();
    service.advance({ days: 1 });
    expect(service.outbox).toEqual([]);
  });

  test("reset keeps listeners", () => {
    const service = createFake();
    const types: string[] = [];
    service.subscribe(({ type }) => types.push(type));
    service.reset();
    service.addList(double);
    texting(service)("club");
    expect(types).toEqual(["state", "state", "message", "message", "state"]);
  });
});
