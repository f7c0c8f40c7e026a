import { type CallContext, hasCode, MessagingServiceError } from "./base.ts";
import type { Outcome } from "./outcome.ts";
import type { ResponseDetails } from "./response-details.ts";

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
  override readonly status: number;
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

/** {@link ApiError} and the classes below it. */
export type AnyApiError =
  | (ApiError & {
      /** The name of the base class. */
      readonly name: "ApiError";
      /** The code of the base class: none of those of the classes below. */
      readonly code: "api";
    })
  | AuthenticationError
  | PermissionDeniedError
  | NotFoundError
  | RateLimitError
  | ServerError;
