// Sends texts over few connections, through a proxy if HTTPS_PROXY names one: `node through-proxy.ts "(206) 555-0123"`.
import { fetchFrom, MessagingServiceError, TransactionalClient } from "messaging-service-client";
import { EnvHttpProxyAgent } from "undici";

const phoneNumbers = process.argv.slice(2);

// Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY. All clients share the connections of one dispatcher.
const dispatcher = new EnvHttpProxyAgent({ connections: 8 });
const rcs = new TransactionalClient({ fetch: fetchFrom(dispatcher) });

const send = async (phoneNumber: string): Promise<void> => {
  try {
    const { transactionId } = await rcs.sendRcsText({
      phoneNumber,
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: "Your table is ready" },
      smsFailover: "Your table is ready",
    });
    console.log(`${phoneNumber}: ${transactionId}`);
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error;
    // "not_sent" if the proxy cannot be reached; "unknown" if the text may have been sent.
    console.error(`${phoneNumber}: ${error.outcome}, ${error.message}`);
    process.exitCode = 1;
  }
};

await Promise.all(phoneNumbers.map(send));
await dispatcher.close();
