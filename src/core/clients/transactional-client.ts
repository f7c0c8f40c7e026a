import { type ApiPromise, toApiPromise } from "../call/api-promise.ts";
import { toAssertRecipients } from "../call/recipients.ts";
import { sendOf } from "../call/send-of.ts";
import type { RequestOptions } from "../call/settings.ts";
import { or } from "../options.ts";
import type { RcsFileMessage, RcsTextMessage, Transaction } from "../schemas/rcs-message.ts";
import { sendRcsFile, sendRcsText } from "../wire/transactional.ts";
import { Client } from "./client.ts";
import {
  assertClientOptions,
  requiredStrings,
  type TransactionalClientOptions,
  toApiKeyHeader,
} from "./options.ts";

// The types of the options, the methods and their data.
export type {
  RcsFileMessage,
  RcsTextMessage,
  Transaction,
  ValidationErrorBody,
} from "../schemas/index.ts";
export type { TransactionalClientOptions };

/**
 * Options of `sendRcsFile`.
 *
 * @category Options
 */
export interface SendFileOptions extends RequestOptions {
  /** Content type of the file, checked and never sent; one of `allowedContentTypes`. Default: by the URL's extension. */
  readonly contentType?: string | undefined;
}

/** Rejects a call whose second argument is a text, as in `sendRcsText(phoneNumber, "Hi")`. */
const refuseText = (): ApiPromise<never> => {
  const fields = "{ phoneNumber, webhookUrl, rcsPayload, smsFailover }";
  const what = `the second argument is a text: pass one message, ${fields}, and its options`;
  return toApiPromise(Promise.reject(new TypeError(what)));
};

/**
 * Client for the transactional API, which sends an RCS text or file to one phone number, with an SMS fallback.
 *
 * @example
 * const rcs = new TransactionalClient({ baseUrl: "https://rcs.example.com", apiKey });
 * const { transactionId } = await rcs.sendRcsText({
 *   phoneNumber: "(206) 555-0123",
 *   webhookUrl: "https://example.com/webhooks/messages",
 *   rcsPayload: { text: "Your table is ready 🎉" },
 *   smsFailover: "Your table is ready",
 * });
 */
export class TransactionalClient extends Client {
  /**
   * @param options Options of the client. If you leave out `baseUrl` or `apiKey`, the environment variable
   * `MESSAGING_TRANSACTIONAL_BASE_URL` or `MESSAGING_TRANSACTIONAL_API_KEY` is used.
   * @throws TypeError that names every missing option, or one option that is invalid, unknown, or would leak a credential.
   */
  constructor(options: TransactionalClientOptions = {}) {
    const {
      baseUrl,
      apiKey,
      throttle = false,
      allowRecipient,
      ...rest
    } = assertClientOptions(options, { throttle: true, allowRecipient: true });
    const required = requiredStrings({
      baseUrl: [baseUrl, "MESSAGING_TRANSACTIONAL_BASE_URL"],
      apiKey: [apiKey, "MESSAGING_TRANSACTIONAL_API_KEY"],
    });
    super(rest, {
      callIdPrefix: "t",
      baseUrl: required.baseUrl,
      credentials: { "x-api-key": toApiKeyHeader(required.apiKey) },
      secrets: [required.apiKey],
      throttle,
      assertRecipients: or(toAssertRecipients)("allowRecipient", allowRecipient),
    });
  }

  /**
   * Sends an RCS text to one phone number. If RCS fails, the service sends `smsFailover` as an SMS.
   *
   * A send is retried only after a 429, or if no connection was made. If the send fails with the outcome `unknown`, the message
   * may have gone out, and sending it again could text the person twice.
   *
   * @param message Phone number, webhook URL, text and SMS fallback.
   * @returns Transaction of the accepted message, which the service tracks by `transactionId`.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError} that lists every field that breaks a rule, either before
   * anything is sent or from the service.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * await rcs.sendRcsText({ phoneNumber, webhookUrl, rcsPayload: { text: "Hi 👋" }, smsFailover: "Hi" });
   */
  sendRcsText(message: RcsTextMessage, options?: RequestOptions): ApiPromise<Transaction> {
    if (typeof options === "string") return refuseText();
    return sendOf(this)(sendRcsText, { body: message }, options);
  }

  /**
   * Sends an RCS file, given by its URL, to one phone number. If RCS fails, the service sends `smsFailover` as an SMS.
   *
   * A send is retried only after a 429, or if no connection was made. If the send fails with the outcome `unknown`, the message
   * may have gone out, and sending it again could text the person twice.
   *
   * @param message Phone number, webhook URL, URL of the file and SMS fallback.
   * @returns Transaction of the accepted message, which the service tracks by `transactionId`.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError} that lists every field that breaks a rule, either before
   * anything is sent or from the service.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * const file = { url: "https://example.com/menu.pdf" };
   * await rcs.sendRcsFile({ phoneNumber, webhookUrl, rcsPayload: { file }, smsFailover: "Our menu" });
   */
  sendRcsFile(message: RcsFileMessage, options?: SendFileOptions): ApiPromise<Transaction> {
    if (typeof options === "string") return refuseText();
    return sendOf(this)(sendRcsFile, { body: message }, options);
  }
}
