import { thrownMessage } from "./checks.ts";
import type { Events } from "./fake-events.ts";
import { History } from "./history.ts";
import type { AcceptedSend, Webhook } from "./messages.ts";

/** Function that builds the body of a webhook, which is sent as JSON. If it returns `undefined`, no webhook is sent. */
export type WebhookBody = (send: AcceptedSend, event: Webhook["event"]) => unknown;

/** Function that posts a webhook to the application and returns the application's response. */
export type PostWebhook = (
  webhook: Webhook,
) =>
  | Pick<Webhook, "status" | "response" | "error">
  | Promise<Pick<Webhook, "status" | "response" | "error">>;

/** Creates the history of webhooks and the function that builds a webhook, has it posted and records the outcome. */
export const createWebhooks = (
  bodyOf: WebhookBody | undefined,
  posters: ReadonlySet<PostWebhook>,
  events: Events,
  limit: number,
) => {
  const history = new History<Webhook>(limit);
  let lastId = 0;

  const add = (webhook: Webhook): void => {
    history.add(webhook);
    events.emit({ type: "webhook", webhook });
  };

  const post = async (webhook: Webhook): Promise<void> => {
    const [poster] = posters;
    if (!poster) return;
    let outcome: Awaited<ReturnType<PostWebhook>>;
    try {
      outcome = await poster(webhook);
    } catch (thrown) {
      outcome = { error: thrownMessage(thrown) };
    }
    const settled = { ...webhook, ...outcome };
    if (history.replace(webhook, settled)) events.emit({ type: "webhook", webhook: settled });
  };

  /** Builds the webhook for the result of a send, and has it posted. */
  const deliver = (send: AcceptedSend, event: Webhook["event"]): void => {
    if (!bodyOf) return;
    const { transactionId, at, webhookUrl: url } = send;
    lastId += 1;
    const webhook: Webhook = { id: lastId, at, transactionId, event, url, body: undefined };
    try {
      const body = bodyOf(send, event);
      if (body === undefined) return;
      const posted = { ...webhook, body };
      add(posted);
      void post(posted);
    } catch (thrown) {
      add({ ...webhook, error: `The option webhooks threw: ${thrownMessage(thrown)}` });
    }
  };

  return { history, deliver };
};
