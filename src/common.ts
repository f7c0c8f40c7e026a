// Exports of both clients: the errors, the throttle, and the types of options, events and responses.

export type { ClientOptions } from "./clients/options.ts";
export type {
  AnyApiError,
  AnyMessagingServiceError,
  Outcome,
  PagePosition,
  PhoneReason,
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
export type { CustomRequest } from "./http/custom-request.ts";
export type { ClientEvent } from "./http/events.ts";
export { fetchFrom } from "./http/fetch-from.ts";
export type { ApiPromise, ApiResponse } from "./http/methods.ts";
export type { RetryOptions } from "./http/retry.ts";
export type { RequestOptions } from "./http/settings.ts";
export type { FetchLike, FetchOption } from "./http/transport.ts";
export type { AcquireOptions, Slot } from "./throttle/slot.ts";
export type { Throttle, ThrottleOptions, WindowThrottle } from "./throttle/throttle.ts";
export { createThrottle } from "./throttle/throttle.ts";
export type { Limiter, ThrottleFromOptions } from "./throttle/throttle-from.ts";
export { throttleFrom } from "./throttle/throttle-from.ts";
export type { StandardSchema } from "./wire/endpoint.ts";
