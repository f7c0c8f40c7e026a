// Messages between the service and phones, sends and their webhooks, as the fake stores and returns them.
import * as z from "zod/mini";
import * as f from "./fake-fields.ts";

const stringOrAbsent = z.exactOptional(f.string);
const integerOrAbsent = z.exactOptional(f.integer);

const content = {
  /** Text of the message, if any. */
  text: stringOrAbsent,
  /** URL of the file, if any. */
  file: stringOrAbsent,
};

/** Fields of a message in both directions, in the order in which the control API returns them. */
export const messageFields = {
  /** Time of the fake's clock, ISO 8601. */
  at: f.string,
  /** Channel that carried the message. */
  channel: f.oneOf(["sms", "rcs"]),
  ...content,
  /** Id of the list that the message belongs to; absent if there is none. */
  list_id: integerOrAbsent,
  /** Transaction id of the send that the message belongs to; absent if there is none. */
  transactionId: stringOrAbsent,
  /** RCS text or file that did not reach the phone; present if this message is its fallback. */
  fallbackOf: z.exactOptional(f.objectOf(content)),
};

export const sentMessageSchema = f.objectOf({
  ...messageFields,
  /** The phone, in E.164. */
  to: f.string,
  /** Reason for the message: the kind of send, or the field of the list or step that contains the text. */
  cause: f.string,
});

/** Text or file that the fake service sent to a phone. */
export interface SentMessage extends f.DeepReadonly<z.infer<typeof sentMessageSchema>> {}

export const receivedMessageSchema = f.objectOf({
  /** Time of the fake's clock, ISO 8601. */
  at: f.string,
  /** Phone number in E.164. */
  from: f.string,
  /** Text as the phone sent it. */
  text: f.string,
  /** Id of the list that the text was assigned to; absent if there was none. */
  list_id: integerOrAbsent,
});

/** Text that a phone sent to the fake service. */
export interface ReceivedMessage extends f.DeepReadonly<z.infer<typeof receivedMessageSchema>> {}

/** One message of a conversation; `direction` is as seen from the service. */
export type PhoneMessage = {
  /** Id of the message, counted from 1 in the order of the messages. */
  readonly id: number;
} & (
  | ({
      /** The service sent the message to the phone. */
      readonly direction: "sent";
    } & SentMessage)
  | ({
      /** The phone sent the message to the service. */
      readonly direction: "received";
    } & ReceivedMessage)
);

export const receivedTextSchema = f.objectOf({
  /** Phone number in any common format. */
  from: f.phoneSchema,
  /** The text. */
  text: f.string,
  /**
   * Id of the list that the text is for. Default: the list that has the text as a keyword; if there is none, or the text is
   * STOP, HELP or a valid reply, the list of the phone's latest event, or else the newest list it was ever on.
   */
  list_id: z.optional(f.integer),
});

export const deliveryEvents = ["delivered", "fell_back", "failed"] as const;

export const acceptedSendSchema = f.objectOf({
  /** Transaction id of the response. */
  transactionId: f.string,
  /** Time of the fake's clock, ISO 8601. */
  at: f.string,
  /** Phone number in E.164. */
  phoneNumber: f.string,
  /** URL that webhooks of this send go to. */
  webhookUrl: f.string,
  ...content,
  /** Text of the SMS fallback. */
  smsFailover: f.string,
});

/** Send that the fake accepted. */
export interface AcceptedSend extends f.DeepReadonly<z.infer<typeof acceptedSendSchema>> {}

export const webhookSchema = f.objectOf({
  /** Id of the webhook, starting at 1. */
  id: f.integer,
  /** Time of the fake's clock, ISO 8601. */
  at: f.string,
  /** Transaction id of the send. */
  transactionId: f.string,
  /** Result of the send: delivered by RCS, delivered by its SMS fallback, or not delivered. */
  event: f.oneOf(deliveryEvents),
  /** The `webhookUrl` of the send. */
  url: f.string,
  /** Body, sent as JSON. */
  body: f.anyJson,
  /** Status of the application's response; absent if there was none. */
  status: z.exactOptional(f.integer),
  /** Start of the application's response body. */
  response: z.exactOptional(f.string),
  /** Reason why the webhook was not sent or got no response. */
  error: z.exactOptional(f.string),
});

/**
 * Webhook of a send. Without `status` and `error`, it was not posted, or its response has not arrived yet.
 *
 * @category Webhooks
 */
export interface Webhook extends f.DeepReadonly<z.infer<typeof webhookSchema>> {}
