// Exports of both clients: the errors, the throttle, and the types of options, events and responses.

export type { ClientOptions } from "./core/clients/options.ts";
export {
  AbortError,
  type AnyApiError,
  type AnyMessagingServiceError,
  ApiError,
  AuthenticationError,
  ConnectionError,
  LedgerError,
  MessagingServiceError,
  NotFoundError,
  type Outcome,
  type PagePosition,
  PermissionDeniedError,
  type PhoneReason,
  RateLimitError,
  RecipientError,
  ResponseValidationError,
  ServerError,
  ThrottleError,
  TimeoutError,
  ValidationError,
  type ValidationIssue,
} from "./core/errors.ts";
export type { CustomRequest } from "./core/http/custom-request.ts";
export type { ClientEvent } from "./core/http/events.ts";
export { fetchFrom } from "./core/http/fetch-from.ts";
export type { ApiPromise, ApiResponse } from "./core/http/methods.ts";
export type { RetryOptions } from "./core/http/retry.ts";
export type { RequestOptions } from "./core/http/settings.ts";
export type { FetchLike, FetchOption } from "./core/http/transport.ts";
export type { AcquireOptions, Slot } from "./core/throttle/slot.ts";
export {
  createThrottle,
  type Throttle,
  type ThrottleOptions,
  type WindowThrottle,
} from "./core/throttle/throttle.ts";
export {
  type Limiter,
  type ThrottleFromOptions,
  throttleFrom,
} from "./core/throttle/throttle-from.ts";
export type { StandardSchema } from "./core/wire/endpoint.ts";
