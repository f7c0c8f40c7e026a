/** One field that broke a rule, in the shape in which the service reports it (specification: "Validation error"). */
export interface ValidationIssue {
  /** The kind of failure: `too_big`, `too_small`, `invalid_string`, `invalid_type`, `custom`, … */
  readonly code: string;
  /** What is wrong and what would be right, for people. Never holds the value itself. */
  readonly message: string;
  /** Where: the keys and indexes that lead to the field in the caller's own argument. */
  readonly path: readonly (string | number)[];
  /** The format that did not match: `url`, `phone`, `regex`, … */
  readonly validation?: string;
  /** The smallest allowed length or value. */
  readonly minimum?: number;
  /** The largest allowed length or value. */
  readonly maximum?: number;
  /** The type that was expected. */
  readonly type?: string;
  /** Whether `minimum` or `maximum` itself is allowed. */
  readonly inclusive?: boolean;
  /** Whether the length or value must be exactly the one told. */
  readonly exact?: boolean;
}

/**
 * The answer to "may I send this again?".
 *
 * - `not_sent`: nothing reached the service.
 * - `rejected`: the service answered that it did not do it.
 * - `unknown`: it may or may not have been done.
 * - `done`: the service did it and proved it; only the shape of its answer was refused.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "done";

/** The page on which a walk failed; pass it to the same `list` call to go on from there. */
export interface Resume {
  /** The page that was not handed out, starting at 1. */
  readonly page: number;
  /** The page size of the walk. */
  readonly per_page: number;
}

/** What every error knows of the call that it ended. */
export interface CallContext {
  /** Method and path template of the call. */
  readonly endpoint?: string | undefined;
  /** How many attempts were made. Default: 0. */
  readonly attempts?: number | undefined;
  /** What earlier attempts of the same call left behind. Default: `not_sent`. */
  readonly earlier?: Outcome | undefined;
}

const BRAND = Symbol.for("messaging-service-client.error");

const hasCode = (value: unknown, code?: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  BRAND in value &&
  "code" in value &&
  (code === undefined || code === value.code);

/** A doubt is settled by proof alone; short of that, what an attempt met speaks for the call. */
const outcomeOfCall = (earlier: Outcome = "not_sent", latest: Outcome): Outcome => {
  if (latest === "done") return "done";
  if (earlier === "unknown" || latest === "not_sent") return earlier;
  return latest;
};

/** The base of every error that a call rejects with. */
export abstract class MessagingServiceError extends Error {
  /** The kind of failure, by which a `switch` narrows {@link AnyMessagingServiceError}. */
  abstract readonly code: string;
  /** May this be sent again? See {@link Outcome}. */
  readonly outcome: Outcome;
  /** Method and path template, without anybody's data; `undefined` where a rule was used on its own. */
  readonly endpoint: string | undefined;
  /** How many attempts were made. */
  readonly attempts: number;
  /** Where to go on, when a walk through pages failed. */
  declare readonly resume?: Resume;

  constructor(what: string, outcome: Outcome, context: CallContext = {}, options?: ErrorOptions) {
    super(context.endpoint === undefined ? what : `${context.endpoint}: ${what}`, options);
    this.outcome = outcomeOfCall(context.earlier, outcome);
    this.endpoint = context.endpoint;
    this.attempts = context.attempts ?? 0;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether a value is an error of this package, its ESM or its CommonJS copy. */
  static is(value: unknown): value is AnyMessagingServiceError {
    return hasCode(value);
  }

  /**
   * `instanceof` agrees with `is`, so that it also holds between the ESM and the CommonJS copy.
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

  /** What a JSON log line should hold: the message too, and none of the private parts. */
  toJSON(): object {
    const { name, message } = this;
    return Object.assign({ name, message }, this);
  }
}

/** What is known of the answer that an error comes from. */
export interface ResponseDetails {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly requestId?: string | undefined;
}

/** A request rule failed: here, before anything was sent, or at the service (version 3, HTTP 400). */
export class ValidationError extends MessagingServiceError {
  /** Always `"ValidationError"`. */
  override get name() {
    return "ValidationError" as const;
  }
  readonly code = "validation";
  /** Who refused: this package, or the service. */
  readonly source: "client" | "service";
  /** Every field that failed. */
  readonly errors: readonly ValidationIssue[];
  /** HTTP status, where the service refused. */
  declare readonly status?: number;
  /** The service's id of the request, where it sent one. */
  declare readonly requestId?: string;
  readonly #response: ResponseDetails | undefined;

  constructor(
    errors: readonly ValidationIssue[],
    details: { summary?: string | undefined; response?: ResponseDetails | undefined } = {},
    context?: CallContext,
  ) {
    const fields = errors.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
    const { summary, response } = details;
    super(
      [summary, fields.join("; ")].filter(Boolean).join(": "),
      response ? "rejected" : "not_sent",
      context,
    );
    this.source = response ? "service" : "client";
    this.errors = errors;
    if (response) {
      this.status = response.status;
      if (response.requestId !== undefined) this.requestId = response.requestId;
    }
    this.#response = response;
  }
  /** The answer's headers, where the service refused. */
  get headers(): Headers | undefined {
    return this.#response?.headers;
  }
  /** The answer's whole body, where the service refused. Not shown by `console.log`: it may quote what was sent. */
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

/** Any status outside 2xx that is not a {@link ValidationError}. A redirect counts: none is followed. */
export class ApiError extends MessagingServiceError {
  /** The name of the class. */
  override get name(): string {
    return "ApiError";
  }
  readonly code: (typeof API_ERROR_CODES)[number] = "api";
  /** HTTP status; 0 for a redirect in a browser, which does not tell. */
  readonly status: number;
  /** The service's id of the request, where it sent one. */
  declare readonly requestId?: string;
  /** Milliseconds that the service asks to wait, from `Retry-After`. */
  declare readonly retryAfterMs?: number;
  readonly #response: ResponseDetails;

  constructor(
    what: string,
    outcome: Outcome,
    response: ResponseDetails & { readonly retryAfterMs?: number | undefined },
    context?: CallContext,
  ) {
    super(what, outcome, context);
    this.status = response.status;
    if (response.requestId !== undefined) this.requestId = response.requestId;
    if (response.retryAfterMs !== undefined) this.retryAfterMs = response.retryAfterMs;
    this.#response = response;
  }
  /** The answer's headers. */
  get headers(): Headers {
    return this.#response.headers;
  }
  /** The answer's body: parsed JSON, or text (its first 64 KiB). Not shown by `console.log`. */
  get body(): unknown {
    return this.#response.body;
  }
  static override is(value: unknown): value is AnyApiError {
    return API_ERROR_CODES.some((code) => hasCode(value, code));
  }
}

/** HTTP 401: the e-mail or the API key is not accepted. */
export class AuthenticationError extends ApiError {
  /** Always `"AuthenticationError"`. */
  override get name() {
    return "AuthenticationError" as const;
  }
  override readonly code = "authentication";
  static override is(value: unknown): value is AuthenticationError {
    return hasCode(value, "authentication");
  }
}

/** HTTP 403: the API key is accepted, but not for this. */
export class PermissionDeniedError extends ApiError {
  /** Always `"PermissionDeniedError"`. */
  override get name() {
    return "PermissionDeniedError" as const;
  }
  override readonly code = "permission_denied";
  static override is(value: unknown): value is PermissionDeniedError {
    return hasCode(value, "permission_denied");
  }
}

/** HTTP 404: no such list, subscriber or report. */
export class NotFoundError extends ApiError {
  /** Always `"NotFoundError"`. */
  override get name() {
    return "NotFoundError" as const;
  }
  override readonly code = "not_found";
  static override is(value: unknown): value is NotFoundError {
    return hasCode(value, "not_found");
  }
}

/** HTTP 429: more calls than the account may make (specification: "Limits", 1200 an hour). */
export class RateLimitError extends ApiError {
  /** Always `"RateLimitError"`. */
  override get name() {
    return "RateLimitError" as const;
  }
  override readonly code = "rate_limit";
  static override is(value: unknown): value is RateLimitError {
    return hasCode(value, "rate_limit");
  }
}

/** HTTP 5xx: the service failed, and may or may not have done what was asked. */
export class ServerError extends ApiError {
  /** Always `"ServerError"`. */
  override get name() {
    return "ServerError" as const;
  }
  override readonly code = "server";
  static override is(value: unknown): value is ServerError {
    return hasCode(value, "server");
  }
}

/** The network failed; `cause` is what `fetch` threw. */
export class ConnectionError extends MessagingServiceError {
  /** Always `"ConnectionError"`. */
  override get name() {
    return "ConnectionError" as const;
  }
  readonly code = "connection";
  static override is(value: unknown): value is ConnectionError {
    return hasCode(value, "connection");
  }
}

/** An attempt, or the whole call, ran out of time. */
export class TimeoutError extends MessagingServiceError {
  /** Always `"TimeoutError"`. */
  override get name() {
    return "TimeoutError" as const;
  }
  readonly code = "timeout";
  /** The time that was allowed, in milliseconds. */
  readonly timeoutMs: number;
  /** Which clock ran out: the `timeout` of one attempt, or the `totalTimeout` of the call. */
  readonly phase: "attempt" | "total";

  constructor(
    phase: "attempt" | "total",
    timeoutMs: number,
    outcome: Outcome,
    context?: CallContext,
  ) {
    const clock = phase === "attempt" ? "an attempt" : "the whole call";
    super(`${clock} took longer than ${timeoutMs} ms`, outcome, context);
    this.phase = phase;
    this.timeoutMs = timeoutMs;
  }
  static override is(value: unknown): value is TimeoutError {
    return hasCode(value, "timeout");
  }
}

/** Why a throttle gave no slot. */
export type ThrottleReason = "max_wait" | "held" | "unavailable";

/** The throttle cannot give a slot; this attempt was not made. */
export class ThrottleError extends MessagingServiceError {
  /** Always `"ThrottleError"`. */
  override get name() {
    return "ThrottleError" as const;
  }
  readonly code = "throttle";
  /** `max_wait`: the wait would exceed it; `held`: a `Retry-After` holds calls back for longer than this call waits; `unavailable`: the limiter failed. */
  readonly reason: ThrottleReason;
  /** Milliseconds until a slot can be had, where known. */
  declare readonly retryAfterMs?: number;

  constructor(
    reason: ThrottleReason,
    details: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
    context?: CallContext,
  ) {
    const { retryAfterMs, cause } = details;
    const what = {
      max_wait: "the wait for a slot would exceed the throttle's maxWait",
      held: "the service asked for a pause that is longer than maxRetryAfter",
      unavailable: "the throttle's limiter failed",
    }[reason];
    super(
      retryAfterMs === undefined ? what : `${what}; a slot is free in ${retryAfterMs} ms`,
      "not_sent",
      context,
      cause === undefined ? undefined : { cause },
    );
    this.reason = reason;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
  static override is(value: unknown): value is ThrottleError {
    return hasCode(value, "throttle");
  }
}

/** The caller's signal fired; `cause` is its reason. */
export class AbortError extends MessagingServiceError {
  /** Always `"AbortError"`. */
  override get name() {
    return "AbortError" as const;
  }
  readonly code = "abort";
  static override is(value: unknown): value is AbortError {
    return hasCode(value, "abort");
  }
}

/** A 2xx whose body does not prove that the service did what was asked, or, in `"strict"`, has a field of another type. */
export class ResponseValidationError extends MessagingServiceError {
  /** Always `"ResponseValidationError"`. */
  override get name() {
    return "ResponseValidationError" as const;
  }
  readonly code = "response_validation";
  /** HTTP status. */
  readonly status: number;
  /** What was expected of the body, and where. */
  readonly issues: readonly ValidationIssue[];
  readonly #body: unknown;

  constructor(
    what: string,
    outcome: Outcome,
    details: { status: number; body: unknown; issues: readonly ValidationIssue[] },
    context?: CallContext,
  ) {
    super(what, outcome, context);
    this.status = details.status;
    this.issues = details.issues;
    this.#body = details.body;
  }
  /** The body as text, its first 64 KiB. Not shown by `console.log`. */
  get body(): unknown {
    return this.#body;
  }
  static override is(value: unknown): value is ResponseValidationError {
    return hasCode(value, "response_validation");
  }
}

/** {@link ApiError} and the classes below it. */
export type AnyApiError =
  | (ApiError & {
      /** None of the codes of the classes below. */
      readonly code: "api";
    })
  | AuthenticationError
  | PermissionDeniedError
  | NotFoundError
  | RateLimitError
  | ServerError;

/** Every error that a call rejects with; `switch (error.code)` narrows it. */
export type AnyMessagingServiceError =
  | ValidationError
  | AnyApiError
  | ConnectionError
  | TimeoutError
  | ThrottleError
  | AbortError
  | ResponseValidationError;
