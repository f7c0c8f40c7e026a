import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TransactionalClient } from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
import { type ListeningService, listen } from "messaging-service-client/testing/node";
import { tellGuest } from "./notify.ts";

const service = createFakeService();
let server: ListeningService;

before(async () => {
  server = await listen(service); // real HTTP, on a free port of loopback
});
after(() => server.close());

test("a guest receives the message", async () => {
  const { apiKey } = service.account;
  const rcs = new TransactionalClient({ baseUrl: server.transactionalBaseUrl, apiKey });
  const transactionId = await tellGuest(rcs, "(206) 555-0123");
  assert.equal(service.outbox[0]?.transactionId, transactionId);
});
