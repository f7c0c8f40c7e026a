import type { ApiPromise } from "../http/api-promise.ts";
import {
  type CustomData,
  type CustomRequest,
  type CustomResponseType,
  sendCustom,
} from "../http/custom-request.ts";
import type { RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import { isAllowedContentType } from "../rules/content-type.ts";
import type { RcsFileMessage, RcsTextMessage, Transaction } from "../schemas/rcs-message.ts";
import { sendRcsFile, sendRcsText } from "../wire/transactional.ts";
import { openClient } from "./client-access.ts";
import { connect } from "./connect.ts";
import {
  assertClientOptions,
  type ClientThrottle,
  requiredStrings,
  type TransactionalClientOptions,
  toApiKeyHeader,
} from "./options.ts";

/** Options of `sendRcsFile`. */
export interface SendFileOptions extends RequestOptions {
  /**
   * Content type of the file, if you know it: one of `allowedContentTypes`; never sent. If the message has one too, both
   * are checked. Default: that of the message, or else the type of the URL's extension.
   */
  readonly contentType?: string | undefined;
}

/** Separates the content type, which is never sent, from a file message. */
const toFileInput = (message: RcsFileMessage, option: string | undefined) => {
  const own: unknown = Object(message).contentType;
  if (own === undefined) return { body: message, contentType: option };
  const { contentType: _, ...body } = message;
  // Both are checked: the one that is refused, if any, decides.
  return { body, contentType: isAllowedContentType(own) && option !== undefined ? option : own };
};

/**
 * Client of the transactional API: sends one RCS text or file to one phone, with an SMS as its fallback.
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
export class TransactionalClient {
  readonly #send: Send;
  readonly #throttle: ClientThrottle | undefined;

  /**
   * @param options Options of the client. Missing credentials and URLs are read from `MESSAGING_TRANSACTIONAL_BASE_URL` and
   * `MESSAGING_TRANSACTIONAL_API_KEY`, if the runtime has environment variables.
   * @throws TypeError that names the options that are missing, or the one that is unknown, malformed, or would leak a
   * credential.
   */
  constructor(options: TransactionalClientOptions = {}) {
    const {
      baseUrl,
      apiKey,
      throttle = false,
      ...rest
    } = assertClientOptions(options, { throttle: true });
    const required = requiredStrings({
      baseUrl: [baseUrl, "MESSAGING_TRANSACTIONAL_BASE_URL"],
      apiKey: [apiKey, "MESSAGING_TRANSACTIONAL_API_KEY"],
    });
    const connection = connect(rest, {
      callIdPrefix: "t",
      baseUrl: required.baseUrl,
      pathPrefix: "/transactional_messages",
      credentials: { "x-api-key": toApiKeyHeader(required.apiKey) },
      secrets: [required.apiKey],
      throttle,
    });
    this.#throttle = connection.throttle;
    this.#send = openClient(this, "transactional", connection);
  }

  /**
   * Throttle of the attempts; `undefined` if it is turned off, as by default. Unless you passed your own, it has
   * `snapshot()`.
   *
   * @example
   * const remaining = rcs.throttle?.snapshot?.().remaining;
   */
  get throttle(): ClientThrottle | undefined {
    return this.#throttle;
  }

  /**
   * Sends an RCS text; if RCS fails, `smsFailover` goes out as an SMS (specification: "Send an RCS text
   * message"). A send is retried only after a 429, or if no connection was made.
   *
   * @returns The transaction: the service accepted the message, and tracks it by `transactionId`.
   * @throws {@link ValidationError} with every field that breaks a rule, before anything is sent or from the service.
   * @throws {@link ApiError} or a subclass of it for a status outside 2xx.
   * @throws {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError} or {@link AbortError} when an
   * attempt, or the wait for one, fails.
   * @throws {@link ResponseValidationError} when a 2xx lacks `transactionId`, or in `"strict"` has a field of an undocumented type.
   * @throws TypeError (as a rejection) when an option is malformed.
   * @example
   * await rcs.sendRcsText({ phoneNumber, webhookUrl, rcsPayload: { text: "Hi 👋" }, smsFailover: "Hi" });
   */
  sendRcsText(message: RcsTextMessage, options?: RequestOptions): ApiPromise<Transaction> {
    return this.#send(sendRcsText, { body: message }, options);
  }

  /**
   * Sends an RCS file by its URL; if RCS fails, `smsFailover` goes out as an SMS (specification: "Send an
   * RCS file message"). A send is retried only after a 429, or if no connection was made.
   *
   * @returns The transaction: the service accepted the message, and tracks it by `transactionId`.
   * @throws {@link ValidationError} with every field that breaks a rule, before anything is sent or from the service.
   * @throws {@link ApiError} or a subclass of it for a status outside 2xx.
   * @throws {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError} or {@link AbortError} when an
   * attempt, or the wait for one, fails.
   * @throws {@link ResponseValidationError} when a 2xx lacks `transactionId`, or in `"strict"` has a field of an undocumented type.
   * @throws TypeError (as a rejection) when an option is malformed.
   * @example
   * const file = { url: "https://example.com/menu.pdf" };
   * await rcs.sendRcsFile({ phoneNumber, webhookUrl, rcsPayload: { file }, smsFailover: "Our menu" });
   */
  sendRcsFile(message: RcsFileMessage, options?: SendFileOptions): ApiPromise<Transaction> {
    if (options?.contentType === undefined) {
      return this.#send(sendRcsFile, toFileInput(message, undefined), options);
    }
    const { contentType, ...callOptions } = options;
    return this.#send(sendRcsFile, toFileInput(message, contentType), callOptions);
  }

  /**
   * Calls any path under the base URL with the client's credentials, throttle, retries and errors.
   *
   * @returns The parsed body, or `undefined` for an empty one; with `responseType`, a string or bytes; with
   * `schema`, its output.
   * @throws {@link ValidationError} when a part of the request is malformed, and nothing is sent.
   * @throws {@link ApiError} or a subclass of it for a status outside 2xx.
   * @throws {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError} or {@link AbortError} when an
   * attempt, or the wait for one, fails.
   * @throws {@link ResponseValidationError} when the body is not as `responseType` or `schema` requires.
   * @throws TypeError (as a rejection) when an option is malformed.
   * @example
   * const status = await rcs.request({ method: "GET", path: "/status" });
   */
  request<T = unknown, Type extends CustomResponseType = "json">(
    request: CustomRequest<T, Type>,
    options?: RequestOptions,
  ): ApiPromise<CustomData<T, Type>> {
    return sendCustom(this.#send, request, options);
  }
}
