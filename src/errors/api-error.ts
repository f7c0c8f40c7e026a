import { type CallContext, hasCode, MessagingServiceError } from "./base.ts";
import type { Outcome } from "./details/outcome.ts";
import type { ResponseDetails } from "./details/response-details.ts";

const API_ERROR_CODES = [
  "api",
  "authentication",
  "permission_denied",
  "not_found",
  "rate_limit",
  "server",
] as const;

/** Error for any status outside 2xx that is not a {@link ValidationError}, redirects included: none is followed. */
export class ApiError extends MessagingServiceError {
  /** Name of the class. */
  override get name(): string {
    return "ApiError";
  }
  readonly code: (typeof API_ERROR_CODES)[number] = "api";
  /** HTTP status; 0 for a redirect in a browser, which hides the status. */
  override readonly status: number;
  /** The service's id of the request, if it sent one. */
  declare readonly requestId?: string;
  /** Wait in milliseconds that the service asks for by `Retry-After`. */
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
  /** Headers of the response. */
  get headers(): Headers {
    return this.#response.headers;
  }
  /** Body of the response, up to 64 KiB: parsed JSON, or else a string. Not shown by `console.log`. */
  get body(): unknown {
    return this.#response.body;
  }
  static override is(value: unknown): value is AnyApiError {
    return API_ERROR_CODES.some((code) => hasCode(value, code));
  }
}

/** Error for HTTP 401: the service does not accept the e-mail address or the API key. */
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

/** Error for HTTP 403: the service accepts the API key, but does not allow the call. */
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

/** Error for HTTP 404: there is no such list, subscriber or report. */
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

/** Error for HTTP 429: the account made more calls than it may (specification: "Limits", 1200 an hour). */
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

/** Error for HTTP 5xx: the service failed, and may or may not have carried out the request. */
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

/** {@link ApiError} or one of its subclasses. */
export type AnyApiError =
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
  | ServerError;

/** Returns the class of the error for a status outside 2xx. */
export const apiErrorClassOf = (status: number): typeof ApiError => {
  if (status === 401) return AuthenticationError;
  if (status === 403) return PermissionDeniedError;
  if (status === 404) return NotFoundError;
  if (status === 429) return RateLimitError;
  return status >= 500 ? ServerError : ApiError;
};
