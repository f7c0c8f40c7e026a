// Exports that both clients share: the errors, the throttle, and the types of options, events and responses.

export type { ApiPromise, ApiResponse } from "./core/call/api-promise.ts";
export type { CustomRequest } from "./core/call/custom-request.ts";
export type { ClientEvent } from "./core/call/events.ts";
export type { RetryOptions } from "./core/call/retry.ts";
export type { RequestOptions } from "./core/call/settings.ts";
export type { ClientOptions } from "./core/clients/options.ts";
export {
  AbortError,
  type AnyMessagingServiceError,
  ApiError,
  AuthenticationError,
  ConnectionError,
  type ErrorCode,
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
export type { AcquireOptions, Slot } from "./core/throttle/slot.ts";
export {
  createThrottle,
  type Throttle,
  type ThrottleOptions,
  type WindowThrottle,
} from "./core/throttle/throttle.ts";
export { type ThrottleFromOptions, throttleFrom } from "./core/throttle/throttle-from.ts";
export { fetchFrom } from "./core/transport/fetch-from.ts";
export type { FetchOption } from "./core/transport/transport.ts";
export type { StandardSchema } from "./core/wire/endpoint.ts";
