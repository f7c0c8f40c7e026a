// Sends a first message: `node first-message.ts "(206) 555-0123"`.
import { MessagingServiceError, TransactionalClient } from "messaging-service-client";

const [phoneNumber] = process.argv.slice(2);
if (phoneNumber === undefined) {
  console.error('Usage: node first-message.ts "(206) 555-0123"');
  process.exit(1);
}

// Reads the base URL and the key from MESSAGING_TRANSACTIONAL_BASE_URL and MESSAGING_TRANSACTIONAL_API_KEY.
const rcs = new TransactionalClient();

try {
  const { message, transactionId } = await rcs.sendRcsText({
    phoneNumber,
    webhookUrl: "https://example.com/webhooks/messages",
    rcsPayload: { text: "Hello from *RCS* 👋" },
    smsFailover: "Hello from SMS",
  });
  console.log(`${message}: ${transactionId}`);
} catch (error) {
  if (!MessagingServiceError.is(error)) throw error;
  console.error(error.message);
  if (error.outcome === "unknown") {
    console.error("The message may have been sent. Find out before you send it again.");
  }
  process.exitCode = 1;
}
