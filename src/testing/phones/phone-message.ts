/** Text or file that the fake service sent to a phone. */
export interface SentMessage {
  /** Time of the fake's clock, ISO 8601. */
  readonly at: string;
  /** Phone number in E.164. */
  readonly to: string;
  /** Channel that carried the message. */
  readonly channel: "sms" | "rcs";
  /** Text of the message; absent for a file. */
  readonly text?: string;
  /** URL of the file. */
  readonly file?: string;
  /** Reason for the message: the field of the list or step that holds the text, or the kind of send. */
  readonly cause: string;
  /** Id of the list that the message belongs to. */
  readonly list_id?: number;
  /** Transaction id of the send that the message belongs to. */
  readonly transactionId?: string;
  /** The RCS text or file that could not be delivered; present if this SMS is its fallback. */
  readonly fallbackOf?: Pick<SentMessage, "text" | "file">;
}

/** Text that a phone sent to the fake service. */
export interface ReceivedMessage {
  /** Time of the fake's clock, ISO 8601. */
  readonly at: string;
  /** Phone number in E.164. */
  readonly from: string;
  /** Text as the phone sent it. */
  readonly text: string;
  /** Id of the list that the text was assigned to; absent if there was none. */
  readonly list_id?: number;
}

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

/** Result of a send: delivered by RCS, delivered by its SMS fallback, or not delivered. */
export type DeliveryEvent = "delivered" | "fell_back" | "failed";
