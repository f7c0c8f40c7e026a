import { TransactionalClient } from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
import { handlersFor } from "messaging-service-client/testing/msw";
import { setupWorker } from "msw/browser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tellGuest } from "./notify.ts";

const service = createFakeService();
const worker = setupWorker(...handlersFor(service));

beforeAll(() => worker.start({ quiet: true, onUnhandledFrame: "bypass" }));
afterAll(() => worker.stop());

test("a page sends the message to a guest", async () => {
  const { apiKey } = service.account;
  const rcs = new TransactionalClient({ baseUrl: "https://rcs.example.com", apiKey });
  const transactionId = await tellGuest(rcs, "(206) 555-0123");
  expect(service.outbox[0]).toMatchObject({ transactionId, channel: "rcs" });
});
