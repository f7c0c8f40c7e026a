import * as z from "zod/mini";
import { rcsTextMessageSchema } from "../../schemas/index.ts";
import { boolean, integer, listOf, mustBe, oneOf, string, stringOrNull } from "./fields.ts";
import { optInStates } from "./opt-in-transitions.ts";

/** Type whose fields and items are read-only at any depth. */
export type DeepReadonly<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
      : T;

/**
 * Builds the schema of an object. Its type keeps the fields as they are written: declaration files would otherwise lose
 * their comments.
 */
export const objectOf = <T extends z.core.$ZodShape>(fields: T) =>
  z.object(fields, mustBe("an object")) as unknown as z.ZodMiniObject<T, z.core.$strip>;

/** U.S. or Canadian phone number in any common format; converted to E.164. */
export const phoneSchema = rcsTextMessageSchema.shape.phoneNumber;
/** Count, 0 or more. */
export const countSchema = integer.check(z.minimum(0, "must be 0 or more"));
const stringOrAbsent = z.exactOptional(string);
const integerOrAbsent = z.exactOptional(integer);
/** Any JSON value. Its key is required in a type, but absent from JSON if the value is `undefined`. */
export const anyJson = z.optional(z.unknown()) as z.ZodMiniType<unknown>;

/** Content of an RCS message. */
export const rcsContent = {
  /** RCS text; absent for a file. */
  text: stringOrAbsent,
  /** URL of the RCS file; absent for a text. */
  file: stringOrAbsent,
};

/** Fields of a message in both directions, in the order in which the control API shows them. */
export const messageFields = {
  /** Time of the fake's clock, ISO 8601. */
  at: string,
  /** Channel that carried the message. */
  channel: oneOf(["sms", "rcs"]),
  /** Text of the message; absent for a file. */
  text: stringOrAbsent,
  /** URL of the file; absent for a text. */
  file: stringOrAbsent,
  /** Id of the list that the message belongs to; absent if there is none. */
  list_id: integerOrAbsent,
  /** Transaction id of the send that the message belongs to; absent if there is none. */
  transactionId: stringOrAbsent,
  /** RCS text or file that did not reach the phone; present if this message is its fallback. */
  fallbackOf: z.exactOptional(objectOf(rcsContent)),
};

/** Text or file that the service sent to a phone, as in `service.outbox`. */
export const sentMessageSchema = objectOf({
  ...messageFields,
  /** The phone, in E.164. */
  to: string,
  /** Reason for the message: the kind of send, or the field of the list or step that holds the text. */
  cause: string,
});

/** Text or file that the fake service sent to a phone. */
export interface SentMessage extends DeepReadonly<z.infer<typeof sentMessageSchema>> {}

/** Text that a phone sent to the service. */
export const receivedMessageSchema = objectOf({
  /** Time of the fake's clock, ISO 8601. */
  at: string,
  /** Phone number in E.164. */
  from: string,
  /** Text as the phone sent it. */
  text: string,
  /** Id of the list that the text was assigned to; absent if there was none. */
  list_id: integerOrAbsent,
});

/** Text that a phone sent to the fake service. */
export interface ReceivedMessage extends DeepReadonly<z.infer<typeof receivedMessageSchema>> {}

/** One message of a conversation; `direction` is as seen from the service. */
export type PhoneMessage =
  | ({
      /** The service sent the message to the phone. */
      readonly direction: "sent";
    } & SentMessage)
  | ({
      /** The phone sent the message to the service. */
      readonly direction: "received";
    } & ReceivedMessage);

/** A text that a phone sends to the service. */
export const receivedTextSchema = objectOf({
  /** Phone number in any common format. */
  from: phoneSchema,
  /** The text. */
  text: string,
  /**
   * Id of the list that the text is for. Default: the list that has the text as a keyword, or else the list of the phone's
   * latest opt-in event.
   */
  list_id: z.optional(integer),
});

/** A text that a phone sends to the service. */
export interface ReceivedText extends DeepReadonly<z.input<typeof receivedTextSchema>> {}

/** State of a phone on a list. */
export const phoneOptInSchema = objectOf({
  /** Id of the list. */
  list_id: integer,
  /** State of the opt-in; `asked` means that a step of a double opt-in waits for its reply. */
  state: oneOf(optInStates),
  /** Index of the step that waits for a reply, starting at 0; present while `state` is `asked`. */
  step: integerOrAbsent,
  /** Time at which that step was asked, ISO 8601; present while `state` is `asked`. */
  askedAt: stringOrAbsent,
  /** Time at which the step's reminder will be sent, ISO 8601; absent when no reminder will be sent. */
  reminderAt: stringOrAbsent,
});

/** Opt-in of a phone on a list. */
export interface PhoneOptIn extends DeepReadonly<z.infer<typeof phoneOptInSchema>> {}

/** Phone that the fake knows from a message, a list or a setting. */
export const fakePhoneSchema = objectOf({
  /** Phone number in E.164. */
  phoneNumber: string,
  /** Whether RCS reaches the phone. */
  rcsReachable: boolean,
  /** Whether SMS reaches the phone. */
  smsReachable: boolean,
  /** Time of the latest message to or from the phone, ISO 8601; `null` when there was none. */
  latestMessageAt: stringOrNull,
  optIns: listOf(phoneOptInSchema),
});

/** Phone that the fake service knows from a message, a list or a setting. */
export interface FakePhone extends DeepReadonly<z.infer<typeof fakePhoneSchema>> {
  /** Lists that the phone subscribed to or is being asked about. */
  readonly optIns: readonly PhoneOptIn[];
}

/** Results of a send. */
export const deliveryEvents = ["delivered", "fell_back", "failed"] as const;

/** Result of a send: delivered by RCS, delivered by its SMS fallback, or not delivered. */
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
