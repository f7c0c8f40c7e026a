import { type CallContext, hasCode, MessagingServiceError } from "./base.ts";

/** Reason why a throttle gave no slot. */
export type ThrottleReason = "max_wait" | "held" | "unavailable";

/** Error for an attempt that was not made because the throttle gave no slot. */
export class ThrottleError extends MessagingServiceError {
  /** Always `"ThrottleError"`. */
  override get name() {
    return "ThrottleError" as const;
  }
  readonly code = "throttle";
  /**
   * Reason: `max_wait`, the wait would exceed `maxWait`; `held`, a `Retry-After` holds calls for longer than this call
   * waits; `unavailable`, the limiter failed.
   */
  readonly reason: ThrottleReason;
  /** Wait in milliseconds until a slot is free, if known. */
  declare readonly retryAfterMs?: number;

  constructor(
    reason: ThrottleReason,
    details: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
    context?: CallContext,
  ) {
    const { retryAfterMs, cause } = details;
    const what = {
      max_wait: "the wait for a slot would exceed the throttle's maxWait",
      held: "the service asked for a pause that is longer than maxRetryAfter",
      unavailable: "the throttle's limiter failed",
    }[reason];
    super(
      retryAfterMs === undefined ? what : `${what}; a slot is free in ${retryAfterMs} ms`,
      "not_sent",
      context,
      cause === undefined ? undefined : { cause },
    );
    this.reason = reason;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
  static override is(value: unknown): value is ThrottleError {
    return hasCode(value, "throttle");
  }
}
