import type { FakeClock } from "./fake-clock.ts";

/** A text or file that the fake service sent to a phone. */
export interface SentMessage {
  /** When, by the fake's clock; ISO 8601. */
  readonly at: string;
  /** The phone, in E.164. */
  readonly to: string;
  /** How it went out. */
  readonly channel: "sms" | "rcs";
  /** The text; absent for a file. */
  readonly text?: string;
  /** The URL of a file. */
  readonly file?: string;
  /** What it was sent for: the field of the list or step that holds the text, or the kind of send. */
  readonly cause: string;
  /** The list that it belongs to. */
  readonly list_id?: number;
  /** The send that it belongs to. */
  readonly transactionId?: string;
}

/** Every text that was sent, the first one first. */
export class Outbox {
  readonly messages: SentMessage[] = [];
  readonly #clock: FakeClock;
  readonly #withoutRcs = new Set<string>();

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  setRcsReachable(to: string, isReachable: boolean): void {
    if (isReachable) this.#withoutRcs.delete(to);
    else this.#withoutRcs.add(to);
  }

  sendSms(to: string, message: Pick<SentMessage, "text" | "cause" | "list_id">): void {
    this.messages.push({ at: this.#clock.timestamp, to, channel: "sms", ...message });
  }

  /** By RCS; where the phone has none, its fallback by SMS. */
  sendRcs(
    to: string,
    message: Pick<SentMessage, "text" | "file" | "cause" | "transactionId">,
    smsFailover: string,
  ): void {
    const at = this.#clock.timestamp;
    const { transactionId = "" } = message;
    this.messages.push(
      this.#withoutRcs.has(to)
        ? { at, to, channel: "sms", text: smsFailover, cause: "smsFailover", transactionId }
        : { at, to, channel: "rcs", ...message },
    );
  }
}
