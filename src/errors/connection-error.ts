import { hasCode, MessagingServiceError } from "./base.ts";

/** Error for a network failure; `cause` is what `fetch` threw. */
export class ConnectionError extends MessagingServiceError {
  /** Always `"ConnectionError"`. */
  override get name() {
    return "ConnectionError" as const;
  }
  readonly code = "connection";
  static override is(value: unknown): value is ConnectionError {
    return hasCode(value, "connection");
  }
}
