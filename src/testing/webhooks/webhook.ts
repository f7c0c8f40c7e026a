import type { DeliveryEvent } from "../phones/phone-message.ts";

/** Outcome of posting a webhook. */
export interface WebhookOutcome {
  /** Status of the application's response; absent if there was none. */
  readonly status?: number;
  /** Beginning of the application's response body. */
  readonly response?: string;
  /** Reason why the webhook was not posted or received no response. */
  readonly error?: string;
}

/** Webhook of a send. Without `status` and `error`, it was not posted, or is still under way. */
export interface Webhook extends WebhookOutcome {
  /** Number of the webhook, starting at 1. */
  readonly id: number;
  /** Time of the fake's clock, ISO 8601. */
  readonly at: string;
  /** Transaction id of the send. */
  readonly transactionId: string;
  /** Result of the send. */
  readonly event: DeliveryEvent;
  /** The `webhookUrl` of the send. */
  readonly url: string;
  /** Body, sent as JSON. */
  readonly body: unknown;
}

/** Function that posts a webhook to the application and returns the application's response. */
export type PostWebhook = (webhook: Webhook) => WebhookOutcome | Promise<WebhookOutcome>;
