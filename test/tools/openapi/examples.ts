// Imported by path, because in plain Node the name of the package leads to the last build.
import { TransactionalClient, V2Client } from "../../../src/index.ts";
import { findRoute } from "../../../src/testing/handlers/router.ts";
import { createFakeService } from "../../../src/testing/index.ts";

/** Request and response of an example. */
export interface Exchange {
  readonly endpointId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly request: unknown;
  readonly status: number;
  readonly response: unknown;
}

const message = {
  phoneNumber: "+12065550123",
  webhookUrl: "https://example.com/webhooks/messages",
  smsFailover: "Your table is ready",
};
const step = {
  collected_data: "yes",
  request_message: "Reply YES to join.",
  retry_message: "Sorry, we did not understand. Reply YES to join.",
  follow_up: true,
  follow_up_hour: 24,
  no_response_message: "Still interested? Reply YES to join.",
  success_action: "optinsubscriber",
  opt_in_message: "You are in!",
  second_opt_in_message: "Welcome back!",
} as const;

/** Calls each endpoint of the fake service at least once through both clients. */
export const makeExchanges = async (): Promise<readonly Exchange[]> => {
  const service = createFakeService({ now: () => new Date("2026-11-20T17:00:00.000Z") });
  const { account } = service;
  const exchanges: Exchange[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await service.fetch(url, init);
    const { pathname, searchParams } = new URL(url);
    const query = Object.fromEntries(searchParams);
    const text = typeof init.body === "string" ? init.body : "";
    const route = findRoute({
      method: init.method ?? "",
      path: pathname,
      query,
      headers: {},
      body: "",
    });
    exchanges.push({
      endpointId: route?.endpoint.id ?? "",
      params: route?.params ?? {},
      query,
      request: text === "" ? undefined : JSON.parse(text),
      status: response.status,
      response: await response.clone().json(),
    });
    return response;
  };
  const { email, apiKey } = account;
  const v2 = new V2Client({ baseUrl: service.v2BaseUrl, email, apiKey, fetch });
  const rcs = new TransactionalClient({
    baseUrl: service.transactionalBaseUrl,
    apiKey: account.apiKey,
    validateRequests: false,
    fetch,
  });
  const { id } = service.addList({
    name: "VIP",
    keyword_names: ["VIP"],
    first_optin_message: "Welcome! Reply STOP to leave.",
    message_help: "Call us. Reply STOP to leave.",
    message_stop: "You have left.",
  });
  const { phone_number } = service.addSubscriber(id);
  service.addScheduledMessage(id, { name: "Sale", content: "The sale starts tomorrow." });
  const report = service.addReport();
  service.advance({ minutes: 4 });

  await v2.accounts.me();
  await v2.lists.list({ page: 1, per_page: 10 });
  await v2.lists.retrieve(id);
  await v2.lists.create({ name: "Staff", message_help: "Call us. Reply STOP to leave." });
  await v2.scheduledMessages.list(id, { start_date: "20261120", end_date: "20261231" });
  const first_optin_message = "Welcome! Reply STOP to leave.";
  await v2.lists.configureOptIn(id, { opt_in_type: "single", first_optin_message });
  await v2.lists.configureOptIn(id, { opt_in_type: "double", opt_in_requests: [step] });
  await v2.subscribers.remove(id, phone_number);
  await v2.momtReports.retrieve(report.id);
  const rcsPayload = { text: "Your *table* is ready" };
  await rcs.sendRcsText({ ...message, rcsPayload });
  await rcs.sendRcsText({ ...message, rcsPayload, phoneNumber: "1" }).catch(() => {});
  const file = { url: "https://example.com/menu.pdf" };
  await rcs.sendRcsFile({ ...message, rcsPayload: { file } });
  await rcs.sendRcsFile({ ...message, rcsPayload: { file }, phoneNumber: "1" }).catch(() => {});
  return exchanges;
};
