// Exports of both clients: the errors, the throttle, and the types of options, events and responses.

export type { ClientOptions, ClientThrottle } from "./clients/options.ts";
export type {
  AnyApiError,
  AnyMessagingServiceError,
  CallContext,
  LedgerErrorReason,
  Outcome,
  PagePosition,
  PhoneReason,
  ResponseDetails,
  ThrottleReason,
  ValidationIssue,
} from "./errors.ts";
export {
  AbortError,
  ApiError,
  AuthenticationError,
  ConnectionError,
  LedgerError,
  MessagingServiceError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  RecipientError,
  ResponseValidationError,
  ServerError,
  ThrottleError,
  TimeoutError,
  ValidationError,
} from "./errors.ts";
export type {
  CustomRequest,
  QueryValue,
} from "./http/custom-request.ts";
export type { DispatcherLike } from "./http/dispatcher.ts";
export type {
  ClientEvent,
  ClientEventListener,
  FailedEvent,
  RequestEvent,
  ResponseEvent,
  ResponseMismatchEvent,
  RetryEvent,
  SucceededEvent,
  ThrottledEvent,
} from "./http/events.ts";
export type { KyLike } from "./http/fetch-from.ts";
export { fetchFrom } from "./http/fetch-from.ts";
export type { ApiPromise, ApiResponse } from "./http/methods.ts";
export type { RetryOptions } from "./http/retry.ts";
export type { HeaderFields, RequestOptions, ResponseValidation } from "./http/settings.ts";
export type { FetchLike, FetchOption } from "./http/transport.ts";
export type { AcquireOptions, Slot } from "./throttle/slot.ts";
export type {
  Throttle,
  ThrottleOptions,
  ThrottleSnapshot,
  WindowThrottle,
} from "./throttle/throttle.ts";
export { createThrottle } from "./throttle/throttle.ts";
export type {
  Limiter,
  PaceFunction,
  PaceOptions,
  ThrottleFromOptions,
} from "./throttle/throttle-from.ts";
export { throttleFrom } from "./throttle/throttle-from.ts";
export type { Method, StandardSchema } from "./wire/endpoint.ts";
