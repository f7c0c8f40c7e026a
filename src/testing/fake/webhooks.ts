import { thrownMessage } from "./checks.ts";
import { type Events, History } from "./events.ts";
import type { AcceptedSend, DeliveryEvent, Webhook, WebhookOutcome } from "./messages.ts";

/** Function that builds the body of a webhook, which is sent as JSON. If it returns `undefined`, no webhook is sent. */
export type WebhookBody = (send: AcceptedSend, event: DeliveryEvent) => unknown;

/** Function that posts a webhook to the application and returns the application's response. */
export type PostWebhook = (webhook: Webhook) => WebhookOutcome | Promise<WebhookOutcome>;

/** Webhooks of sends: builds them, passes them to the function that posts them, and records the outcome. */
export class Webhooks {
  readonly history: History<Webhook>;
  readonly #bodyOf: WebhookBody | undefined;
  readonly #events: Events;
  readonly #posters: PostWebhook[];
  #lastId = 0;

  constructor(
    bodyOf: WebhookBody | undefined,
    posters: PostWebhook[],
    events: Events,
    limit: number,
  ) {
    this.#bodyOf = bodyOf;
    this.#posters = posters;
    this.#events = events;
    this.history = new History(limit);
  }

  /** Builds the webhook of a send that was delivered, fell back or failed, and has it posted. */
  deliver(send: AcceptedSend, event: DeliveryEvent): void {
    if (!this.#bodyOf) return;
    const { transactionId, at, webhookUrl: url } = send;
    this.#lastId += 1;
    const webhook: Webhook = { id: this.#lastId, at, transactionId, event, url, body: undefined };
    try {
      const body = this.#bodyOf(send, event);
      if (body === undefined) return;
      const posted = { ...webhook, body };
      this.#add(posted);
      void this.#post(posted);
    } catch (thrown) {
      this.#add({ ...webhook, error: `The option webhooks threw: ${thrownMessage(thrown)}` });
    }
  }

  async #post(webhook: Webhook): Promise<void> {
    const [post] = this.#posters;
    if (!post) return;
    let outcome: WebhookOutcome;
    try {
      outcome = await post(webhook);
    } catch (thrown) {
      outcome = { error: thrownMessage(thrown) };
    }
    const settled = { ...webhook, ...outcome };
    this.history.replace(settled, ({ id }) => id === webhook.id);
    this.#events.emit({ type: "webhook", webhook: settled });
  }

  #add(webhook: Webhook): void {
    this.history.add(webhook);
    this.#events.emit({ type: "webhook", webhook });
  }
}
