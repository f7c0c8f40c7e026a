import { TransactionalClient } from "../../../src/index.ts";
import { createFakeService } from "../../../src/testing/index.ts";

/** Runs a send to a phone without RCS. Returns its steps as a Mermaid sequence diagram. */
export async function sendDiagram(): Promise<string> {
  const lines: string[] = [];
  const say = (line: string) => lines.push(`  ${line}`);
  const service = createFakeService();
  service.setRcsReachable("+12065550123", false);
  const rcs = new TransactionalClient({
    baseUrl: service.transactionalBaseUrl,
    apiKey: service.account.apiKey,
    fetch: async (url, init) => {
      say(`Client->>Service: ${init.method} ${new URL(url).pathname}`);
      const response = await service.fetch(url, init);
      const fields = Object.keys(await response.clone().json()).join(", ");
      say(`Service-->>Client: ${response.status} (${fields})`);
      return response;
    },
  });
  const smsFailover = "Your table is ready";
  say("App->>Client: sendRcsText({ phoneNumber, webhookUrl, rcsPayload, smsFailover })");
  say("Note over Client: checks every rule: phone (to E.164), URL, text, GSM 7-bit");
  const { transactionId } = await rcs.sendRcsText({
    phoneNumber: "(206) 555-0123",
    webhookUrl: "https://example.com/webhooks/messages",
    rcsPayload: { text: "Your table is ready 🎉" },
    smsFailover,
  });
  say("Client-->>App: transactionId");
  for (const { channel, cause, ...sent } of service.outbox) {
    if (sent.transactionId !== transactionId) continue;
    if (channel === "sms") say("Service-xPhone: RCS fails");
    say(`Service->>Phone: ${channel.toUpperCase()} with ${cause}`);
  }
  for (const send of service.sends) {
    if (send.webhookUrl) say("Service-)App: webhooks to webhookUrl (payload not documented)");
  }
  return ["```mermaid", "sequenceDiagram", ...lines, "```"].join("\n");
}
