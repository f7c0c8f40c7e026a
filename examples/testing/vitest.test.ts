import { TransactionalClient } from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
import { beforeEach, expect, test } from "vitest";
import { tellGuest } from "./notify.ts";

let service: ReturnType<typeof createFakeService>;
let rcs: TransactionalClient;

beforeEach(() => {
  service = createFakeService();
  rcs = new TransactionalClient(service.transactionalOptions);
});

test("a guest without RCS gets the SMS", async () => {
  service.setRcsReachable("(206) 555-0123", false);
  const transactionId = await tellGuest(rcs, "(206) 555-0123");
  expect(service.outbox).toMatchObject([
    { transactionId, channel: "sms", to: "+12065550123", text: "Your table is ready" },
  ]);
});

test("a lost response is not taken for a failure", async () => {
  service.failNext({ fault: "dropped" });
  await expect(tellGuest(rcs, "(206) 555-0123")).rejects.toMatchObject({ outcome: "unknown" });
  expect(service.outbox).toHaveLength(1); // it was sent once
});
