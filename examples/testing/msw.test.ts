import { TransactionalClient } from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
import { handlersFor } from "messaging-service-client/testing/msw";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tellGuest } from "./notify.ts";

const service = createFakeService();
const server = setupServer(...handlersFor(service)); // beside the handlers of your other services

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());

test("the application sends the message by its own client", async () => {
  const { apiKey } = service.account;
  const rcs = new TransactionalClient({ baseUrl: "https://rcs.example.com", apiKey });
  await tellGuest(rcs, "(206) 555-0123");
  expect(service.requests[0]?.path).toBe("/transactional_messages/send_rcs_text");
});
