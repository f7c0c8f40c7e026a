// Exports of both clients: the errors, the throttle, and the types of options, events and responses.

export type { ClientOptions } from "./clients/options.ts";
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
} from "./errors.ts";
export type { CustomRequest } from "./http/custom-request.ts";
export type { ClientEvent } from "./http/events.ts";
export { fetchFrom } from "./http/fetch-from.ts";
export type { ApiPromise, ApiResponse } from "./http/methods.ts";
export type { RetryOptions } from "./http/retry.ts";
export type { RequestOptions } from "./http/settings.ts";
export type { FetchLike, FetchOption } from "./http/transport.ts";
export type { AcquireOptions, Slot } from "./throttle/slot.ts";
export {
  createThrottle,
  type Throttle,
  type ThrottleOptions,
  type WindowThrottle,
} from "./throttle/throttle.ts";
export { type Limiter, type ThrottleFromOptions, throttleFrom } from "./throttle/throttle-from.ts";
export type { StandardSchema } from "./wire/endpoint.ts";
