// The names that the code blocks of the pages may use without declaring them. Each block gets them anew, as globals; a block
// that declares one of the names itself, uses its own.
import { type List, type Resume, TransactionalClient, V2Client } from "messaging-service-client";
import { memoryLedger } from "messaging-service-client/bulk";
import { createFakeService } from "messaging-service-client/testing";

export function preamble() {
  const service = createFakeService({ account: { email: "owner@example.com" } });
  const { email, apiKey } = service.account;
  const { fetch } = service;
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
  const report = service.addReport();
  service.advance({ hours: 1 });
  return {
    /** A fake service with an account, a list, a subscriber, a scheduled message and a finished report. */
    service,
    v2: new V2Client({ baseUrl: service.v2BaseUrl, email, apiKey, fetch }),
    rcs: new TransactionalClient({ baseUrl: service.transactionalBaseUrl, apiKey, fetch }),
    /** A message that breaks no rule. */
    message: {
      phoneNumber: "(206) 555-0123",
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: "Your table is ready 🎉" },
      smsFailover: "Your table is ready",
    },
    phoneNumbers: ["(206) 555-0123", "(312) 555-0142"],
    /** Recipients of a message. */
    guests: [
      { name: "Ada", phone: "(206) 555-0123" },
      { name: "Grace", phone: "(312) 555-0142" },
      { name: "Edsger", phone: "(415) 555-0199" },
    ],
    /** A ledger in memory. */
    ledger: memoryLedger(),
    listId: list.id,
    reportId: report.id,
    /** A function of an application that handles a list. */
    saveList: async (_list: List): Promise<void> => {},
    /** Two functions of an application that keep the position of a job in a file or a database. */
    loadPosition: async (): Promise<Resume | null | undefined> => undefined,
    savePosition: async (_position: Resume | null): Promise<void> => {},
  };
}
