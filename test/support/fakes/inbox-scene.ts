import {
  createFakeService,
  type FakeService,
  type NewList,
} from "messaging-service-client/testing";

export const SCENE_START = "2026-11-20T17:00:00.000Z";
/** Phones of the scene: RCS reaches the first; the second is asked a question; RCS does not reach the third. */
export const [GUEST, READER, DINER] = ["+12065550123", "+14165550142", "+17025550188"] as const;

/** A double opt-in of two steps, the first with a reminder after a day. */
export const newsList = {
  name: "News",
  keyword_names: ["NEWS"],
  opt_in_requests: [
    {
      collected_data: "yes",
      request_message: "Reply YES to get our news.",
      retry_message: "Sorry, please reply YES.",
      follow_up: true,
      follow_up_hour: 24,
      no_response_message: "Still interested? Reply YES.",
      success_action: "nextrequest",
    },
    {
      collected_data: "zip_code",
      request_message: "What is your ZIP code?",
      retry_message: "That is not a ZIP code.",
      follow_up: false,
      success_action: "optinsubscriber",
      opt_in_message: "You are in!",
    },
  ],
} satisfies NewList;

const message = {
  webhookUrl: "https://example.com/webhooks/messages",
  smsFailover: "Your table is ready. Please come within 15 minutes.",
};

/** Sends a request as an application would. */
const request = (service: FakeService, method: string, path: string, body?: object): void => {
  const { email, apiKey } = service.account;
  const headers = { "x-api-key": apiKey, authorization: `Basic ${btoa(`${email}:${apiKey}`)}` };
  const text = body === undefined ? "" : JSON.stringify(body);
  service.handle({ method, path, query: {}, headers, body: text });
};

const addLists = (service: FakeService): void => {
  service.addList({
    name: "VIP guests",
    keyword_names: ["VIP"],
    first_optin_message: "Welcome to the VIP list! Reply HELP for help, STOP to leave.",
    message_help: "Call (206) 555-0199. Reply STOP to leave.",
    message_stop: "You have left the VIP list.",
  });
  service.addList({ ...newsList, name: "Newsletter" });
  service.addList({ name: "Opening week", deleted: true });
};

const sendMessages = (service: FakeService): void => {
  const send = (kind: "text" | "file", body: object) =>
    request(service, "POST", `/transactional_messages/send_rcs_${kind}`, body);
  service.receiveText({ from: READER, text: "News" });
  service.receiveText({ from: GUEST, text: "VIP" });
  service.setRcsReachable(DINER, false);
  const text = "Your *table* is _ready_ ✓";
  send("text", { ...message, phoneNumber: DINER, rcsPayload: { text } });
  send("text", { ...message, phoneNumber: "555", rcsPayload: { text }, smsFailover: "“Ready”" });
  service.advance({ minutes: 48 });
  send("text", {
    ...message,
    phoneNumber: GUEST,
    rcsPayload: { text: "Your *table* is _ready_ ✓\nPlease come within ~20~ __15 minutes__." },
  });
  const file = { url: "https://example.com/files/menu.pdf" };
  send("file", { ...message, phoneNumber: GUEST, rcsPayload: { file } });
  service.advance({ minutes: 2 });
  service.receiveText({ from: GUEST, text: "On my way, thanks!" });
  service.setRcsReachable(GUEST, false);
  const smsFailover = "We have kept your table. See you soon!";
  send("text", {
    ...message,
    phoneNumber: GUEST,
    rcsPayload: { text: "See you _soon_" },
    smsFailover,
  });
  service.setRcsReachable(GUEST, true);
};

/** Creates a fake service with an example of everything that the inbox shows. */
export const createScene = (): FakeService => {
  const service = createFakeService({
    now: () => new Date(SCENE_START),
    account: { email: "owner@example.com", apiKey: "test-key" },
    webhooks: ({ transactionId }, event) => ({ transactionId, event }),
  });
  // Stands for an application that replies.
  service.postWebhooks(() => ({ status: 200, response: "ok" }));
  addLists(service);
  sendMessages(service);
  request(service, "GET", "/api/v2/lists");
  service.failNext({ status: 503, endpoint: "GET /api/v2/lists" });
  request(service, "GET", "/api/v2/lists");
  request(service, "GET", "/api/v2/lists/999");
  service.failNext({ status: 503, times: 2, endpoint: "GET /api/v2/lists" });
  service.failNext({ fault: "dropped", phone: GUEST, share: 0.1 });
  return service;
};
