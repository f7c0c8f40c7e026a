// The exports that both clients share: the errors, the throttle, and the types of options, events and responses.

export type { ClientOptions } from "./clients/options.ts";
export { AbortError } from "./errors/abort-error.ts";
export type { AnyMessagingServiceError } from "./errors/any-error.ts";
export type { AnyApiError } from "./errors/api-error.ts";
export {
  ApiError,
  AuthenticationError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
} from "./errors/api-error.ts";
export type { CallContext, Resume } from "./errors/base.ts";
export { MessagingServiceError } from "./errors/base.ts";
export { ConnectionError } from "./errors/connection-error.ts";
export type { Outcome } from "./errors/details/outcome.ts";
export type { PhoneReason } from "./errors/details/phone-reason.ts";
export type { ResponseDetails } from "./errors/details/response-details.ts";
export type { ValidationIssue } from "./errors/details/validation-issue.ts";
export type { LedgerErrorReason } from "./errors/ledger-error.ts";
export { LedgerError } from "./errors/ledger-error.ts";
export { ResponseValidationError } from "./errors/response-validation-error.ts";
export type { ThrottleReason } from "./errors/throttle-error.ts";
export { ThrottleError } from "./errors/throttle-error.ts";
export { TimeoutError } from "./errors/timeout-error.ts";
export { ValidationError } from "./errors/validation-error.ts";
export type { ApiPromise, ApiResponse } from "./http/api-promise.ts";
export type { CustomData, CustomRequest, QueryValue, ResponseType } from "./http/custom-request.ts";
export type {
  ClientEvent,
  EventListener,
  FailedEvent,
  RequestEvent,
  ResponseEvent,
  ResponseMismatchEvent,
  RetryEvent,
  SucceededEvent,
  ThrottledEvent,
} from "./http/events/events.ts";
export type { KyLike } from "./http/fetch-from.ts";
export { fetchFrom } from "./http/fetch-from.ts";
export type {
  HeaderFields,
  RequestOptions,
  ResponseValidation,
  RetryOptions,
} from "./http/options.ts";
export type { FetchLike } from "./http/transport.ts";
export type {
  ThrottleOptions,
  ThrottleSnapshot,
  WindowThrottle,
} from "./throttle/create-throttle.ts";
export { createThrottle } from "./throttle/create-throttle.ts";
export type { Limiter } from "./throttle/limiter-source.ts";
export type { PaceFunction } from "./throttle/pace-source.ts";
export type { AcquireOptions, Slot, Throttle } from "./throttle/throttle.ts";
export type { PaceOptions, ThrottleFromOptions } from "./throttle/throttle-from.ts";
export { throttleFrom } from "./throttle/throttle-from.ts";
export type { Method } from "./wire/endpoint.ts";
export type { StandardSchema } from "./wire/standard-schema.ts";
