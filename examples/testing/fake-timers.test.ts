import { V2Client } from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a call waits out a 429, and the test does not", async () => {
  const service = createFakeService();
  const v2 = new V2Client(service.v2Options);
  service.failNext({ status: 429, headers: { "retry-after": "30" } });

  const account = v2.accounts.me();
  await vi.advanceTimersByTimeAsync(60_000);

  expect((await account).email).toBe(service.account.email);
  expect(service.requests.map(({ status }) => status)).toEqual([429, 200]);
});

test("the clock of the fake follows the fake timers", () => {
  const service = createFakeService();
  const list = service.addList();
  service.addSubscriber(list.id, { phone_number: "(206) 555-0123" });
  service.addScheduledMessage(list.id, { content: "Sale today!" }); // for this time tomorrow

  vi.advanceTimersByTime(24 * 3_600_000);

  expect(service.outbox).toMatchObject([{ to: "+12065550123", text: "Sale today!" }]);
});
