// A child process in a folder with one version of msw, which sends a text through the handlers and prints the result.
import { setupServer } from "msw/node";
import { TransactionalClient } from "../../../src/index.ts";
import { createFakeService } from "../../../src/testing/index.ts";
import { handlersFor } from "../../../src/testing/msw.ts";

const service = createFakeService();
const server = setupServer(...handlersFor(service));
// The name of this option in msw 2, and in msw 3.
server.listen({ onUnhandledRequest: "error", onUnhandledFrame: "error" } as never);

const rcs = new TransactionalClient({
  baseUrl: "https://rcs.example.com",
  apiKey: service.account.apiKey,
  retry: 0,
});
const message = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks",
  rcsPayload: { text: "Hi" },
  smsFailover: "Hi",
};
const { transactionId } = await rcs.sendRcsText(message);
service.failNext({ fault: "dropped" });
const lost = await rcs.sendRcsText(message).catch((error) => error);
const stray = await fetch("https://elsewhere.example.com/").catch((error) => error);
server.close();
console.log(
  JSON.stringify({
    sent: service.outbox[0]?.transactionId === transactionId,
    lost: [lost.code, lost.outcome],
    stray: stray instanceof Error,
  }),
);
