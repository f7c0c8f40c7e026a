// What both clients bring along: the errors, the throttle, and the types of their options and answers.

export type { ClientOptions } from "./clients/options.ts";
export type {
  AnyApiError,
  AnyMessagingServiceError,
  Outcome,
  Resume,
  ThrottleReason,
  ValidationIssue,
} from "./errors.ts";
export {
  AbortError,
  ApiError,
  AuthenticationError,
  ConnectionError,
  MessagingServiceError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  ThrottleError,
  TimeoutError,
  ValidationError,
} from "./errors.ts";
export type { ApiPromise, ApiResponse } from "./http/api-promise.ts";
export type {
  HeaderFields,
  RequestOptions,
  ResponseValidation,
  RetryOptions,
} from "./http/call-options.ts";
export type {
  ClientEvent,
  FailedEvent,
  RequestEvent,
  ResponseEvent,
  ResponseMismatchEvent,
  RetryEvent,
  ThrottledEvent,
} from "./http/events.ts";
export type { CustomRequest } from "./http/request.ts";
export type {
  Throttle,
  ThrottleOptions,
  ThrottleSnapshot,
  WindowThrottle,
} from "./http/throttle.ts";
export { createThrottle } from "./http/throttle.ts";
export type { Limiter, ThrottleFromOptions } from "./http/throttle-from.ts";
export { throttleFrom } from "./http/throttle-from.ts";
export type { FetchLike } from "./http/transport.ts";
export type { AcquireOptions } from "./http/waiting-line.ts";
export type { Method } from "./wire/endpoint.ts";
export type { StandardSchema } from "./wire/standard-schema.ts";
