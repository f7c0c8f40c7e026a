import type { AbortError } from "./abort-error.ts";
import type { AnyApiError } from "./api-error.ts";
import type { ConnectionError } from "./connection-error.ts";
import type { LedgerError } from "./ledger-error.ts";
import type { ResponseValidationError } from "./response-validation-error.ts";
import type { ThrottleError } from "./throttle-error.ts";
import type { TimeoutError } from "./timeout-error.ts";
import type { ValidationError } from "./validation-error.ts";

/** Every error that a call rejects with; `switch (error.code)` narrows it. */
export type AnyMessagingServiceError =
  | ValidationError
  | AnyApiError
  | ConnectionError
  | TimeoutError
  | ThrottleError
  | AbortError
  | ResponseValidationError
  | LedgerError;
