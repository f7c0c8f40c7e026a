import type { DeliveryEvent } from "../phones/phone-message.ts";

/** The outcome of posting a webhook. */
export interface WebhookOutcome {
  /** Status of the application's response; absent when there was none. */
  readonly status?: number;
  /** Beginning of the application's response body. */
  readonly response?: string;
  /** Reason why the webhook was not posted or received no response. */
  readonly error?: string;
}

/** A webhook of a send. Without `status` and `error` it was not posted, or is still under way. */
export interface Webhook extends WebhookOutcome {
  /** Number of the webhook, counted from 1. */
  readonly id: number;
  /** Time of the fake's clock, ISO 8601. */
  readonly at: string;
  /** Transaction id of the send. */
  readonly transactionId: string;
  /** What happened to the send. */
  readonly event: DeliveryEvent;
  /** The `webhookUrl` of the send. */
  readonly url: string;
  /** Body, sent as JSON. */
  readonly body: unknown;
}

/** Posts a webhook to the application and returns the application's response. */
export type PostWebhook = (webhook: Webhook) => WebhookOutcome | Promise<WebhookOutcome>;
