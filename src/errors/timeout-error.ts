import { type CallContext, hasCode, MessagingServiceError } from "./base.ts";
import type { Outcome } from "./details/outcome.ts";

/** Error for an attempt or a whole call that took too long. */
export class TimeoutError extends MessagingServiceError {
  /** Always `"TimeoutError"`. */
  override get name() {
    return "TimeoutError" as const;
  }
  readonly code = "timeout";
  /** Limit that was exceeded, in milliseconds. */
  readonly timeoutMs: number;
  /** Limit that was exceeded: the `timeout` of one attempt, or the `totalTimeout` of the call. */
  readonly phase: "attempt" | "total";

  /** @param options.cause Error of the runtime, if the runtime's own limit ended the attempt. */
  constructor(
    phase: "attempt" | "total",
    timeoutMs: number,
    outcome: Outcome,
    context?: CallContext,
    options?: ErrorOptions,
  ) {
    const what = phase === "attempt" ? "an attempt" : "the whole call";
    super(
      options === undefined
        ? `${what} took longer than ${timeoutMs} ms`
        : `the runtime's own limit ended ${what} after ${timeoutMs} ms: give fetch a dispatcher with a longer one`,
      outcome,
      context,
      options,
    );
    this.phase = phase;
    this.timeoutMs = timeoutMs;
  }
  static override is(value: unknown): value is TimeoutError {
    return hasCode(value, "timeout");
  }
}
