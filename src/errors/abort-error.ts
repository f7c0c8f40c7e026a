import { hasCode, MessagingServiceError } from "./base.ts";

/** The caller's signal fired; `cause` is its reason. */
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
