// Part of an application; the tests beside it test it.
import type { TransactionalClient } from "messaging-service-client";

/** Tells a guest that the table is ready. */
export async function tellGuest(rcs: TransactionalClient, phoneNumber: string): Promise<string> {
  const { transactionId } = await rcs.sendRcsText({
    phoneNumber,
    webhookUrl: "https://example.com/webhooks/messages",
    rcsPayload: { text: "Your table is ready 🎉" },
    smsFailover: "Your table is ready",
  });
  return transactionId;
}
