// The code blocks of the guides import from this file, so that you can try them. Do not use it in an application.
import {
  type List,
  type PagePosition,
  TransactionalClient,
  V2Client,
} from "messaging-service-client";
import { memoryLedger } from "messaging-service-client/bulk";
import { createFakeService } from "messaging-service-client/testing";

export const service = createFakeService({
  account: { email: "owner@example.com", apiKey: "your-api-key" },
});
// Sends every request to the fake, except HEAD requests, which check a file. They get the headers of a small PDF.
globalThis.fetch = async (input, init) =>
  init?.method === "HEAD"
    ? new Response(null, {
        headers: { "content-type": "application/pdf", "content-length": "20000" },
      })
    : service.fetch(input, init);
process.env.MESSAGING_V2_BASE_URL = service.v2BaseUrl;
process.env.MESSAGING_V2_EMAIL = service.account.email;
process.env.MESSAGING_V2_API_KEY = service.account.apiKey;
process.env.MESSAGING_TRANSACTIONAL_BASE_URL = service.transactionalBaseUrl;
process.env.MESSAGING_TRANSACTIONAL_API_KEY = service.account.apiKey;

export const v2 = new V2Client();
export const rcs = new TransactionalClient();
export const ledger = memoryLedger();
export const message = {
  phoneNumber: "(206) 555-0123",
  webhookUrl: "https://example.com/webhooks/messages",
  rcsPayload: { text: "Your table is ready 🎉" },
  smsFailover: "Your table is ready",
};
export const guests = [
  { name: "Ada", phone: "(206) 555-0123" },
  { name: "Grace", phone: "(312) 555-0142" },
  { name: "Edsger", phone: "(415) 555-0199" },
];
export const phoneNumbers = ["(206) 555-0123", "(312) 555-0142"];

const list = service.addList({
  name: "VIP",
  opt_in_type: "double",
  opt_in_requests: [
    {
      collected_data: "yes",
      request_message: "Reply YES to join.",
      retry_message: "Reply YES to join, STOP to leave.",
      follow_up: false,
      success_action: "optinsubscriber",
    },
  ],
});
service.addSubscriber(list.id, { phone_number: "+12065550123" });
service.addScheduledMessage(list.id, { sent_at: "2027-01-15T17:00:00.000Z" });
export const listId = list.id;
export const reportId = service.addReport().id;
service.advance({ hours: 1 });

// Stand-ins for your functions that save a list and keep the position of a job.
export const saveList = async (_list: List): Promise<void> => {};
export const loadPosition = async (): Promise<PagePosition | null | undefined> => undefined;
export const savePosition = async (_position: PagePosition | null): Promise<void> => {};
