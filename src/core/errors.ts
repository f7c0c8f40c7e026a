/**
 * Outcome of a failed call: whether the service may have carried it out, and so whether it may be sent again.
 *
 * - `not_sent`: nothing reached the service, except refused attempts.
 * - `rejected`: the service refused it.
 * - `unknown`: the service may or may not have carried out the request.
 * - `done`: the service carried out the request; only its response was not accepted.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "done";

/**
 * Reasons why a phone number is rejected.
 *
 * @category Rules
 */
export const phoneReasons = /* @__PURE__ */ Object.freeze([
  /** The string is empty or blank. */
  "empty",
  /** There are too few digits, but more digits can make the number valid. */
  "incomplete",
  /** There are more than ten digits after the country code. */
  "too_long",
  /** The string contains letters. */
  "letters",
  /** The string contains a character that no common phone format has. */
  "symbols",
  /**
   * The string is a decimal number of a spreadsheet, such as `206555012.0`; its digits may be those of a different phone number.
   */
  "decimal",
  /** The number has an extension, which a text message cannot reach. */
  "extension",
  /** The number is a short code, such as 911 or 46645, and no valid number begins with it. */
  "short_code",
  /** The country code or the area code belongs to a country other than the United States and Canada. */
  "other_country",
  /** No number in service begins with these digits. */
  "not_assigned",
] as const);

/**
 * Reason why a phone number is rejected: one of {@link phoneReasons}.
 *
 * @category Rules
 */
export type PhoneReason = (typeof phoneReasons)[number];

/** Issue of one field, in the shape in which the service reports it. */
export interface ValidationIssue {
  /** Kind of failure: `too_big`, `too_small`, `invalid_string`, `invalid_type`, `custom`, … */
  readonly code: string;
  /**
   * Description for people: what is wrong and what would be right. It contains at most three characters of a text, which GSM 7-bit
   * lacks. The service may quote a text of under four characters, or a text or a phone number in another form.
   */
  readonly message: string;
  /** Keys and indexes that lead to the field in your argument; from the service, in the body of the request. */
  readonly path: readonly (string | number)[];
  /** Format that did not match: `url`, `phone`, `regex`, … */
  readonly validation?: string;
  /** Reason why this package rejected a phone number, for programs; absent in the issues of the service. */
  readonly reason?: PhoneReason;
  /** Smallest allowed length or value. */
  readonly minimum?: number;
  /** Largest allowed length or value. */
  readonly maximum?: number;
  /** Expected type. */
  readonly type?: string;
  /** Whether `minimum` or `maximum` itself is allowed. */
  readonly inclusive?: boolean;
  /** Whether the length or value must be exactly `minimum` or `maximum`. */
  readonly exact?: boolean;
}

/** Creates an issue that has only a message and a path besides the code `custom`. */
export const customIssue = (
  message: string,
  path: ValidationIssue["path"] = [],
): ValidationIssue => ({ code: "custom", message, path });

/** Parts of a response that its error keeps. */
export interface ResponseDetails {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** Body of the response: parsed JSON, or a string if it is not JSON. */
  readonly body: unknown;
  /** The service's id of the request, if it sent one. */
  readonly requestId?: string | undefined;
}

/**
 * Position of a walk through the pages of a list, as a plain JSON value that you can store. To continue the walk, pass it to the
 * same `list` call.
 *
 * The position includes the documented filters of the walk. It does not include query parameters that this package does
 * not know. Pass such parameters again.
 *
 * @category Promises and pages
 */
export interface PagePosition {
  /** Page to read next, starting at 1. */
  readonly page: number;
  /** Page size of the walk, 1 to 1000. */
  readonly per_page: number;
  /** Filter `include_deleted` of `lists.list`, if it was given. */
  readonly include_deleted?: boolean | undefined;
  /** Filter `start_date` of `scheduledMessages.list`, if it was given: a UTC day as `YYYYMMDD`. */
  readonly start_date?: string | undefined;
  /** Filter `end_date` of `scheduledMessages.list`, if it was given: a UTC day as `YYYYMMDD`. */
  readonly end_date?: string | undefined;
}

export interface CallContext {
  /** Method and path template of the call, such as `GET /api/v2/lists/{ID}`. */
  readonly endpoint?: string | undefined;
  readonly callId?: string | undefined;
  /** Number of attempts that were made. Default: 0. */
  readonly attempts?: number | undefined;
  /** Outcome of the previous attempts of the same call. Default: `not_sent`. */
  readonly previousOutcome?: Outcome | undefined;
}

const BRAND = Symbol.for("messaging-service-client.error");
/** Key of the method with which Node, Bun and Deno print an object. */
const INSPECT: unique symbol = /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom");

/**
 * Returns whether a value is an error of this package, from its ESM or CommonJS copy. If a code is given, the error must have it.
 */
const hasCode = (value: unknown, code?: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  BRAND in value &&
  "code" in value &&
  (code === undefined || code === value.code);

/** Returns the outcome of a call. One `unknown` attempt makes the whole call `unknown`, unless a later attempt is `done`. */
export const outcomeOfCall = (
  previous: Outcome = "not_sent",
  { code, outcome }: MessagingServiceError,
): Outcome => {
  if (outcome === "done") return "done";
  if (previous === "unknown") return previous;
  // If the earlier attempts certainly did nothing, the message is unsent, even if the service responded to them.
  return outcome === "not_sent" && code !== "recipient" ? previous : outcome;
};

/** Part of V8's `Error`, which other engines have adopted. */
interface StackTraces {
  readonly captureStackTrace?: (error: Error, caller: object) => void;
}

/**
 * Makes the stack of an error of this package, or of its error about an option, begin here, in the function that is awaited. An
 * error that a timer, a signal, a queue or many nested functions create has no line of the caller in its stack. Any other value is
 * returned unchanged.
 */
export function startStackHere<E>(thrown: E, caller: object = startStackHere): E {
  const isOfOption = thrown instanceof TypeError && "optionProblems" in thrown;
  if (isOfOption || MessagingServiceError.is(thrown)) {
    (Error as StackTraces).captureStackTrace?.(thrown, caller);
  }
  return thrown;
}

/**
 * Adds the data of a call to an error that leaves the call, unless the error already has such data. The stack then begins where
 * the call is awaited. Any other value is returned unchanged.
 */
export function toCallError<E>(thrown: E, call: CallContext, caller: object = toCallError): E {
  const { endpoint, callId, attempts = 0, previousOutcome } = call;
  if (endpoint === undefined) return thrown;
  if (MessagingServiceError.is(thrown) && thrown.endpoint === undefined) {
    const outcome = outcomeOfCall(previousOutcome, thrown);
    const message = `${endpoint}: ${thrown.message}`;
    Object.assign(thrown, { message, outcome, endpoint, callId, attempts });
  }
  return startStackHere(thrown, caller);
}

const TRANSIENT_CODES = ["connection", "timeout", "throttle", "rate_limit", "server"];

/**
 * Prints an error. It shows the paths of issues in full, although they are nested deeply, and leaves out the `cause`, which Bun,
 * Node 22.0 and Node 24.0 would show.
 */
function inspectError(
  this: Error,
  _depth: unknown,
  options: object,
  inspect: (value: unknown, options: object) => string,
): string {
  // In Bun, the stack begins with the name of the base class.
  const stack = `${this.stack}`.replace(/^\w+/, this.name);
  return `${stack} ${inspect({ ...this }, { ...options, depth: Infinity })}`;
}

/** Base class of the errors of this package. A call with an invalid option rejects with a `TypeError` instead. */
export abstract class MessagingServiceError extends Error {
  /** Kind of failure; `switch (error.code)` narrows {@link AnyMessagingServiceError}. */
  abstract readonly code: string;
  /** Outcome, which determines whether the call may be sent again: `not_sent`, `rejected`, `unknown` or `done`. */
  readonly outcome: Outcome;
  /** Method and path template without values, such as `GET /api/v2/lists/{ID}`; `undefined` if no call was made. */
  readonly endpoint: string | undefined = undefined;
  /** Id of the call, the same as on its events; `undefined` for the error of a function that makes no call. */
  readonly callId: string | undefined = undefined;
  /** Number of attempts that were made; 0 if the call failed before the first attempt, and for every download. */
  readonly attempts: number = 0;
  /** HTTP status of the response that caused the error, if one did. */
  declare readonly status?: number;
  /** Time in milliseconds to wait before the next attempt, if the service or the throttle states one. */
  declare readonly retryAfterMs?: number;
  /** Position of the page that a walk failed to read. Pass it to the same `list` call to continue. */
  declare readonly resume?: PagePosition;
  readonly #cause: unknown;

  constructor(what: string, outcome: Outcome, options?: { readonly cause?: unknown }) {
    super(what);
    this.outcome = outcome;
    this.#cause = options?.cause;
    Object.defineProperty(this, BRAND, { value: true });
    // A method of the class with this name would keep the class in every bundle.
    if (!(INSPECT in this)) Object.defineProperty(this, INSPECT, { value: inspectError });
  }

  /**
   * Underlying error or abort reason. `console.log` does not show it, because a runtime or a database may quote personal data.
   */
  override get cause(): unknown {
    return this.#cause;
  }

  /**
   * Whether the same call may succeed later, even if you change nothing: true after a failed connection, a timeout, a
   * throttle that granted no slot, a ledger or an `allowRecipient` that failed, for a durable send in progress, and after the
   * statuses 408, 429 and 5xx; false after a mistake around `fetch`, and if the outcome is `done`. Whether you may repeat the
   * call depends on `outcome`.
   */
  get isTransient(): boolean {
    if (this.outcome === "done") return false;
    return TRANSIENT_CODES.includes(this.code) || this.status === 408;
  }

  /** Returns whether a value is an error of this package, from its ESM or its CommonJS copy. */
  static is(value: unknown): value is AnyMessagingServiceError {
    return hasCode(value);
  }

  /**
   * Makes `instanceof` agree with `is`, including between the ESM and the CommonJS copy.
   *
   * @hidden
   */
  static override [Symbol.hasInstance](
    this: { is(value: unknown): boolean },
    value: unknown,
  ): boolean {
    return Object.hasOwn(this, "is")
      ? this.is(value)
      : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** Returns the name, the message and the fields that `console.log` shows, for a JSON log line. */
  toJSON(): object {
    const { name, message } = this;
    return Object.assign({ name, message }, this);
  }
}

const NAMED_ISSUES = 20;

/**
 * Error for a request that breaks a rule, found by the client before anything was sent, or by the service. A response with HTTP
 * 400 causes this error if its body lists the issues as documented, and an {@link ApiError} otherwise.
 */
export class ValidationError extends MessagingServiceError {
  override get name() {
    return "ValidationError" as const;
  }
  readonly code = "validation";
  /** Side that rejected the request: `"client"` for this package, or `"service"`. */
  readonly source: "client" | "service";
  /** Issues of the fields that broke a rule; for one array, at most the first 20 000. */
  readonly errors: readonly ValidationIssue[];
  /** HTTP status, if the service rejected the request. */
  declare readonly status?: number;
  /** The service's id of the request, if it sent one. */
  declare readonly requestId?: string;
  readonly #response: ResponseDetails | undefined;

  constructor(
    errors: readonly ValidationIssue[],
    details: { summary?: string | undefined; response?: ResponseDetails | undefined } = {},
  ) {
    const fields = errors
      .slice(0, NAMED_ISSUES)
      .map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
    if (errors.length > NAMED_ISSUES) fields.push(`and ${errors.length - NAMED_ISSUES} more`);
    const { summary, response } = details;
    const what = [summary, fields.join("; ")].filter(Boolean).join(": ");
    super(what, response ? "rejected" : "not_sent");
    this.source = response ? "service" : "client";
    this.errors = errors;
    if (response) {
      this.status = response.status;
      if (response.requestId !== undefined) this.requestId = response.requestId;
    }
    this.#response = response;
  }
  /** Headers of the response, if the service rejected the request. */
  get headers(): Headers | undefined {
    return this.#response?.headers;
  }
  /** Body of the service's refusal as parsed JSON. `console.log` does not show it, because it may quote what was sent. */
  get body(): unknown {
    return this.#response?.body;
  }
  static override is(value: unknown): value is ValidationError {
    return hasCode(value, "validation");
  }
}

const API_ERROR_CODES = [
  "api",
  "authentication",
  "permission_denied",
  "not_found",
  "rate_limit",
  "server",
] as const;

/** Error for a status outside 2xx, except for a {@link ValidationError}. The client never follows a redirect. */
export class ApiError extends MessagingServiceError {
  override get name(): string {
    return "ApiError";
  }
  readonly code: (typeof API_ERROR_CODES)[number] = "api";
  /** HTTP status; 0 for a redirect in a browser, which hides the status. */
  override readonly status: number;
  /** The service's id of the request, if it sent one. */
  declare readonly requestId?: string;
  /** Time in milliseconds that the service asks to wait in `Retry-After`, if it sent that header. */
  declare readonly retryAfterMs?: number;
  readonly #response: ResponseDetails;

  constructor(
    what: string,
    outcome: Outcome,
    response: ResponseDetails & { readonly retryAfterMs?: number | undefined },
  ) {
    super(what, outcome);
    this.status = response.status;
    if (response.requestId !== undefined) this.requestId = response.requestId;
    if (response.retryAfterMs !== undefined) this.retryAfterMs = response.retryAfterMs;
    this.#response = response;
  }
  /** Headers of the response. */
  get headers(): Headers {
    return this.#response.headers;
  }
  /** First 64 KiB of the body: parsed JSON, or a string. `console.log` does not show it, because it may quote what was sent. */
  get body(): unknown {
    return this.#response.body;
  }
  static override is(value: unknown): value is Extract<AnyMessagingServiceError, ApiError> {
    return API_ERROR_CODES.some((code) => hasCode(value, code));
  }
}

/** Error for HTTP 401. Typically, the e-mail address or the API key is wrong. */
export class AuthenticationError extends ApiError {
  override get name() {
    return "AuthenticationError" as const;
  }
  override readonly code = "authentication";
  static override is(value: unknown): value is AuthenticationError {
    return hasCode(value, "authentication");
  }
}

/** Error for HTTP 403. Typically, the API key is valid, but the call is not allowed. */
export class PermissionDeniedError extends ApiError {
  override get name() {
    return "PermissionDeniedError" as const;
  }
  override readonly code = "permission_denied";
  static override is(value: unknown): value is PermissionDeniedError {
    return hasCode(value, "permission_denied");
  }
}

/** Error for HTTP 404. Typically, there is no such list, subscriber or report, or `baseUrl` is wrong. */
export class NotFoundError extends ApiError {
  override get name() {
    return "NotFoundError" as const;
  }
  override readonly code = "not_found";
  static override is(value: unknown): value is NotFoundError {
    return hasCode(value, "not_found");
  }
}

/** Error for HTTP 429. Typically, the account exceeded its rate limit. */
export class RateLimitError extends ApiError {
  override get name() {
    return "RateLimitError" as const;
  }
  override readonly code = "rate_limit";
  static override is(value: unknown): value is RateLimitError {
    return hasCode(value, "rate_limit");
  }
}

/** Error for HTTP 500 and above. The service failed, and may or may not have carried out the request. */
export class ServerError extends ApiError {
  override get name() {
    return "ServerError" as const;
  }
  override readonly code = "server";
  static override is(value: unknown): value is ServerError {
    return hasCode(value, "server");
  }
}

/** Returns the class of the error for a status outside 2xx. */
export const apiErrorClassOf = (status: number): typeof ApiError => {
  if (status === 401) return AuthenticationError;
  if (status === 403) return PermissionDeniedError;
  if (status === 404) return NotFoundError;
  if (status === 429) return RateLimitError;
  return status >= 500 ? ServerError : ApiError;
};

/**
 * Error for a network failure, including a 2xx response that broke off. `cause` is a redacted copy of what `fetch` threw.
 *
 * A mistake around `fetch`, such as a mock that returns no `Response`, also causes this error. The message then names the
 * mistake, and `isTransient` is `false`.
 */
export class ConnectionError extends MessagingServiceError {
  override get name() {
    return "ConnectionError" as const;
  }
  readonly code = "connection";
  static override is(value: unknown): value is ConnectionError {
    return hasCode(value, "connection");
  }
}

/** Error for an attempt that exceeded `timeout` or a limit of the runtime, or for a call that exceeded `totalTimeout`. */
export class TimeoutError extends MessagingServiceError {
  override get name() {
    return "TimeoutError" as const;
  }
  readonly code = "timeout";
  /** Limit that was exceeded, in milliseconds. */
  readonly timeoutMs: number;
  /** Phase that took too long: `"attempt"` for the `timeout` of one attempt, `"total"` for the `totalTimeout` of the call. */
  readonly phase: "attempt" | "total";

  /** @param options.cause Error of the runtime, if its own limit ended the attempt. */
  constructor(
    phase: "attempt" | "total",
    timeoutMs: number,
    outcome: Outcome,
    options?: { readonly cause?: unknown },
  ) {
    const what = phase === "attempt" ? "an attempt" : "the whole call";
    super(
      options?.cause === undefined
        ? `${what} took longer than ${timeoutMs} ms`
        : `the runtime's own limit ended ${what} after ${timeoutMs} ms: give fetch a dispatcher with a longer limit`,
      outcome,
      options,
    );
    this.phase = phase;
    this.timeoutMs = timeoutMs;
  }
  static override is(value: unknown): value is TimeoutError {
    return hasCode(value, "timeout");
  }
}

/** Error for an attempt that was not made because the throttle granted no slot. */
export class ThrottleError extends MessagingServiceError {
  override get name() {
    return "ThrottleError" as const;
  }
  readonly code = "throttle";
  /**
   * Reason why the throttle granted no slot:
   *
   * - `max_wait`: the wait would exceed the throttle's `maxWait`.
   * - `held`: a pause that the service asked for in `Retry-After` is longer than this call's `maxRetryAfter`.
   * - `unavailable`: the limiter behind the throttle failed; the message quotes its reason.
   */
  readonly reason: "max_wait" | "held" | "unavailable";
  /** Time in milliseconds until a slot is free, if known. */
  declare readonly retryAfterMs?: number;

  constructor(
    reason: ThrottleError["reason"],
    details: {
      readonly retryAfterMs?: number | undefined;
      readonly cause?: unknown;
      readonly said?: string | undefined;
    } = {},
  ) {
    const { retryAfterMs, cause, said } = details;
    const what = {
      max_wait: "the wait for a slot would exceed the throttle's maxWait",
      held: "the service asked for a pause that is longer than `retry.maxRetryAfter` (`maxPause` in a run) allows",
      unavailable: `the throttle's limiter failed${said ? `: ${said}` : ""}`,
    }[reason];
    super(
      retryAfterMs === undefined ? what : `${what}; a slot is free in ${retryAfterMs} ms`,
      "not_sent",
      { cause },
    );
    this.reason = reason;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
  static override is(value: unknown): value is ThrottleError {
    return hasCode(value, "throttle");
  }
}

/**
 * Error for an attempt to text a phone number that the client's `allowRecipient` did not permit. The call is never retried, and
 * the error never contains the number.
 *
 * If `allowRecipient` failed, `cause` is the error that it threw, or a {@link TimeoutError} if it did not respond within
 * `timeout`.
 */
export class RecipientError extends MessagingServiceError {
  override get name() {
    return "RecipientError" as const;
  }
  readonly code = "recipient";

  /**
   * Reason why the phone number was not permitted:
   *
   * - `refused`: `allowRecipient` did not return `true`, or there was no phone number to pass to it.
   * - `failed`: it threw, or did not respond within `timeout`.
   */
  readonly reason: "refused" | "failed";

  constructor(reason: RecipientError["reason"], options?: { readonly cause?: unknown }) {
    const why = reason === "failed" ? ": it failed or timed out" : "";
    super(`allowRecipient did not permit this phone number${why}`, "not_sent", options);
    this.reason = reason;
  }
  /** Whether the same call may succeed later: `true` if `allowRecipient` failed, `false` if it refused the phone number. */
  override get isTransient(): boolean {
    return this.reason === "failed";
  }
  static override is(value: unknown): value is RecipientError {
    return hasCode(value, "recipient");
  }
}

/** Error for a call that your `signal` or a durable send ended; `cause` is the signal's reason. */
export class AbortError extends MessagingServiceError {
  override get name() {
    return "AbortError" as const;
  }
  readonly code = "abort";
  static override is(value: unknown): value is AbortError {
    return hasCode(value, "abort");
  }
}

/**
 * Error for a 2xx response that the client cannot accept. Its body is not JSON, reports an error, lacks required fields or
 * records, belongs to a different page or opt-in type than requested, is too long, or does not match your `schema`. With
 * `responseValidation: "strict"`, a field of an undocumented type also fails the call.
 */
export class ResponseValidationError extends MessagingServiceError {
  override get name() {
    return "ResponseValidationError" as const;
  }
  readonly code = "response_validation";
  /** HTTP status, 200 to 299. */
  override readonly status: number;
  /** Issues of the body's fields; empty if the body as a whole is unusable, such as HTML. */
  readonly issues: readonly ValidationIssue[];
  readonly #body: unknown;

  constructor(
    what: string,
    outcome: Outcome,
    details: { status: number; body: unknown; issues: readonly ValidationIssue[] },
  ) {
    super(what, outcome);
    this.status = details.status;
    this.issues = details.issues;
    this.#body = details.body;
  }
  /** First 64 KiB of the response's body, a string. `console.log` does not show it, because it may contain personal data. */
  get body(): unknown {
    return this.#body;
  }
  static override is(value: unknown): value is ResponseValidationError {
    return hasCode(value, "response_validation");
  }
}

const LEDGER_REASONS = {
  in_progress: {
    outcome: "unknown",
    what: "another call began to send with this key a moment ago; call again",
  },
  in_doubt: {
    outcome: "unknown",
    what: "an earlier or concurrent attempt with this key may have been sent; a webhook confirms it, or `ledger.resolve` decides",
  },
  rejected_before: {
    outcome: "rejected",
    what: "the service has already rejected this message under this key",
  },
  changed: {
    outcome: "not_sent",
    what: "this key was used for another message; a second message needs a new key",
  },
  unavailable: { outcome: "not_sent", what: "the ledger failed" },
} as const;

/** Returns the code of a database's error, such as `SQLITE_BUSY`, if it is too short to contain personal data. */
const databaseCode = (cause: unknown): string => {
  const { code } = Object(cause);
  return typeof code === "string" && /^[\w-]{1,40}$/.test(code) ? ` (${code})` : "";
};

/** Error for a durable send (`sendOnce`, `sendMany`, `removeMany`) that its ledger prevented. */
export class LedgerError extends MessagingServiceError {
  override get name() {
    return "LedgerError" as const;
  }
  readonly code = "ledger";
  /**
   * Reason why the ledger prevented the send:
   *
   * - `in_progress`: another call began to send with this key a moment ago.
   * - `in_doubt`: an earlier or concurrent attempt may have sent the message.
   * - `rejected_before`: the service has already rejected the message.
   * - `changed`: the key was used for a different message.
   * - `unavailable`: the ledger failed, or did not respond in time.
   */
  readonly reason: keyof typeof LEDGER_REASONS;
  /** Time at which the send in progress or in doubt began, ISO 8601; absent for other reasons. */
  declare readonly at?: string;

  constructor(
    reason: LedgerError["reason"],
    details: { readonly cause?: unknown; readonly at?: string | undefined } = {},
  ) {
    const { outcome, what } = LEDGER_REASONS[reason];
    super(what + databaseCode(details.cause), outcome, { cause: details.cause });
    this.reason = reason;
    if (details.at !== undefined) this.at = details.at;
  }
  /** Whether the same call may succeed later: `true` for the reasons `unavailable` and `in_progress`. */
  override get isTransient(): boolean {
    return this.reason === "unavailable" || this.reason === "in_progress";
  }
  static override is(value: unknown): value is LedgerError {
    return hasCode(value, "ledger");
  }
}

/** Union of all errors of this package; `switch (error.code)` narrows it. */
export type AnyMessagingServiceError =
  | ValidationError
  | (ApiError & {
      /** Name of the base class. */
      readonly name: "ApiError";
      /** Code of the base class, which no subclass has. */
      readonly code: "api";
    })
  | AuthenticationError
  | PermissionDeniedError
  | NotFoundError
  | RateLimitError
  | ServerError
  | ConnectionError
  | TimeoutError
  | ThrottleError
  | RecipientError
  | AbortError
  | ResponseValidationError
  | LedgerError;

/**
 * Code of an error, as on {@link AnyMessagingServiceError} and on the events of a client.
 *
 * @example
 * const adviceOn = (code: ErrorCode): string => {
 *   switch (code) {
 *     case "validation":
 *       return "correct the request";
 *     case "authentication":
 *     case "permission_denied":
 *       return "check the credentials";
 *     case "not_found":
 *       return "check the id and the base URL";
 *     case "rate_limit":
 *     case "throttle":
 *       return "wait";
 *     case "connection":
 *     case "timeout":
 *     case "server":
 *     case "api":
 *     case "response_validation":
 *       return "read the outcome before you send again";
 *     case "recipient":
 *     case "abort":
 *       return "nothing: this application ended the call";
 *     case "ledger":
 *       return "read the reason";
 *   }
 * };
 */
export type ErrorCode = AnyMessagingServiceError["code"];
