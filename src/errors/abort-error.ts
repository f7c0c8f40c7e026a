import { hasCode, MessagingServiceError } from "./base.ts";

/** Error for a call that the caller's signal ended; `cause` is the signal's reason. */
export class AbortError extends MessagingServiceError {
  /** Always `"AbortError"`. */
  override get name() {
    return "AbortError" as const;
  }
  readonly code = "abort";
  static override is(value: unknown): value is AbortError {
    return hasCode(value, "abort");
  }
}
