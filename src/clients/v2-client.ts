import type { ApiPromise } from "../http/api-promise.ts";
import {
  type CustomData,
  type CustomRequest,
  type CustomResponseType,
  sendCustom,
} from "../http/custom-request.ts";
import type { RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import { Accounts } from "../resources/accounts.ts";
import { Lists } from "../resources/lists.ts";
import { MomtReports } from "../resources/momt-reports.ts";
import { ScheduledMessages } from "../resources/scheduled-messages.ts";
import { Subscribers } from "../resources/subscribers.ts";
import { openClient } from "./client-access.ts";
import { connect } from "./connect.ts";
import {
  assertClientOptions,
  type ClientThrottle,
  requiredStrings,
  toBasicHeader,
  type V2ClientOptions,
} from "./options.ts";

/** Documented limit of calls (specification: "Limits"). */
const DOCUMENTED_LIMIT = { limit: 1200, interval: 3_600_000 };

/**
 * Client of version 2: subscriber lists, opt-in settings, subscribers, scheduled messages and reports.
 *
 * @example
 * const v2 = new V2Client({ baseUrl: "https://app.example.com", email: "owner@example.com", apiKey });
 * for await (const list of v2.lists.list()) console.log(list.name, list.counts.subscribers);
 */
export class V2Client {
  /** Account that the key belongs to. */
  readonly accounts: Accounts;
  /** Subscriber lists and their opt-in settings. */
  readonly lists: Lists;
  /** Phone numbers on lists. */
  readonly subscribers: Subscribers;
  /** Messages scheduled to a list. */
  readonly scheduledMessages: ScheduledMessages;
  /** Reports on messages that phones sent and received. */
  readonly momtReports: MomtReports;
  readonly #send: Send;
  readonly #throttle: ClientThrottle | undefined;

  /**
   * @param options Options of the client. Missing credentials and URLs are read from `MESSAGING_V2_BASE_URL`,
   * `MESSAGING_V2_EMAIL` and `MESSAGING_V2_API_KEY`, if the runtime has environment variables.
   * @throws TypeError that names the options that are missing, or the one that is unknown, malformed, or would leak a
   * credential.
   */
  constructor(options: V2ClientOptions = {}) {
    const {
      baseUrl,
      email,
      apiKey,
      throttle = DOCUMENTED_LIMIT,
      ...rest
    } = assertClientOptions(options, { email: true, throttle: true });
    const required = requiredStrings({
      baseUrl: [baseUrl, "MESSAGING_V2_BASE_URL"],
      email: [email, "MESSAGING_V2_EMAIL"],
      apiKey: [apiKey, "MESSAGING_V2_API_KEY"],
    });
    const authorization = toBasicHeader(required.email, required.apiKey);
    const connection = connect(rest, {
      callIdPrefix: "v",
      baseUrl: required.baseUrl,
      pathPrefix: "/api/v2",
      credentials: { authorization },
      secrets: [required.apiKey, authorization.slice("Basic ".length)],
      throttle,
    });
    this.#throttle = connection.throttle;
    this.#send = openClient(this, "v2", connection);
    this.accounts = new Accounts(this.#send);
    this.lists = new Lists(this.#send);
    this.subscribers = new Subscribers(this.#send);
    this.scheduledMessages = new ScheduledMessages(this.#send);
    this.momtReports = new MomtReports(this.#send);
  }

  /**
   * Throttle of the attempts; `undefined` if it is turned off. Unless you passed your own, it has `snapshot()`.
   *
   * @example
   * const remaining = v2.throttle?.snapshot?.().remaining;
   */
  get throttle(): ClientThrottle | undefined {
    return this.#throttle;
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
   * const tags = await v2.request({ method: "GET", path: "/api/v2/lists/{ID}/tags", params: { ID: 17 } });
   */
  request<T = unknown, Type extends CustomResponseType = "json">(
    request: CustomRequest<T, Type>,
    options?: RequestOptions,
  ): ApiPromise<CustomData<T, Type>> {
    return sendCustom(this.#send, request, options);
  }
}
