// The part of an application that the other files in this folder test.
import type { TransactionalClient } from "messaging-service-client";

/** Informs a guest that the table is ready. */
export async function tellGuest(rcs: TransactionalClient, phoneNumber: string): Promise<string> {
  const { transactionId } = await rcs.sendRcsText({
    phoneNumber,
    webhookUrl: "https://example.com/webhooks/messages",
    rcsPayload: { text: "Your table is ready 🎉" },
    smsFailover: "Your table is ready",
  });
  return transactionId;
}
