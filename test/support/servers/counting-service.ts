// A service that accepts every message, and counts them.
import { TransactionalClient } from "../../../src/clients/transactional-client.ts";
import type { RcsTextMessage } from "../../../src/schemas/rcs-message.ts";

export class CountingService {
  /** How often the message to each phone was sent. */
  readonly sent = new Map<string, number>();
  #count = 0;

  accept(phone: string): Response {
    this.sent.set(phone, (this.sent.get(phone) ?? 0) + 1);
    this.#count += 1;
    const accepted = { message: "Accepted", transactionId: `t-${this.#count}` };
    return Response.json(accepted, { status: 202 });
  }
}

/** Client that makes each call once. */
export const clientOver = (fetch: typeof globalThis.fetch): TransactionalClient =>
  new TransactionalClient({
    ...{ baseUrl: "https://rcs.example.com", apiKey: "key-5f3a9c71e2" },
    ...{ retry: 0, fetch },
  });

/** Returns the phone of a request. */
export const phoneOf = (init: RequestInit | undefined): string =>
  JSON.parse(String(init?.body)).phoneNumber;

export const messageTo = (phoneNumber: string, ref: string): RcsTextMessage => ({
  phoneNumber,
  webhookUrl: `https://example.com/hooks/${ref}`,
  rcsPayload: { text: "Hi" },
  smsFailover: "Hi",
});
