// Sends that the fake accepted, and the webhooks that report their results.
import * as z from "zod/mini";
import { anyJson, type DeepReadonly, integer, objectOf, oneOf, string } from "./fields.ts";
import { rcsContent } from "./messages.ts";

/** Results of a send. */
export const deliveryEvents = ["delivered", "fell_back", "failed"] as const;

/**
 * Result of a send: delivered by RCS, delivered by its SMS fallback, or not delivered.
 *
 * @category Events
 */
export type DeliveryEvent = (typeof deliveryEvents)[number];

/** Send that the fake accepted. */
export const acceptedSendSchema = objectOf({
  /** Transaction id of the response. */
  transactionId: string,
  /** Time of the fake's clock, ISO 8601. */
  at: string,
  /** Phone number in E.164. */
  phoneNumber: string,
  /** URL that webhooks of this send go to. */
  webhookUrl: string,
  ...rcsContent,
  /** Text of the SMS fallback. */
  smsFailover: string,
});

/** Send that the fake accepted. */
export interface AcceptedSend extends DeepReadonly<z.infer<typeof acceptedSendSchema>> {}

/** Webhook with the application's response. */
export const webhookSchema = objectOf({
  /** Id of the webhook, starting at 1. */
  id: integer,
  /** Time of the fake's clock, ISO 8601. */
  at: string,
  /** Transaction id of the send. */
  transactionId: string,
  /** Outcome of the send: `delivered`, `fell_back` or `failed`. */
  event: oneOf(deliveryEvents),
  /** The `webhookUrl` of the send. */
  url: string,
  /** Body, sent as JSON. */
  body: anyJson,
  /** Status of the application's response; absent if there was none. */
  status: z.exactOptional(integer),
  /** Beginning of the application's response body. */
  response: z.exactOptional(string),
  /** Reason why the webhook was not sent or got no response. */
  error: z.exactOptional(string),
});

/**
 * Webhook of a send. Without `status` and `error`, it was not posted or is still under way.
 *
 * @category Webhooks
 */
export interface Webhook extends DeepReadonly<z.infer<typeof webhookSchema>> {}

/**
 * Outcome of posting a webhook.
 *
 * @category Webhooks
 */
export interface WebhookOutcome extends Pick<Webhook, "status" | "response" | "error"> {}
