import { type CallContext, hasCode, MessagingServiceError } from "./base.ts";
import type { Outcome } from "./outcome.ts";

/** An attempt, or the whole call, ran out of time. */
export class TimeoutError extends MessagingServiceError {
  /** Always `"TimeoutError"`. */
  override get name() {
    return "TimeoutError" as const;
  }
  readonly code = "timeout";
  /** The time that was allowed, in milliseconds. */
  readonly timeoutMs: number;
  /** Which clock ran out: the `timeout` of one attempt, or the `totalTimeout` of the call. */
  readonly phase: "attempt" | "total";

  constructor(
    phase: "attempt" | "total",
    timeoutMs: number,
    outcome: Outcome,
    context?: CallContext,
  ) {
    const clock = phase === "attempt" ? "an attempt" : "the whole call";
    super(`${clock} took longer than ${timeoutMs} ms`, outcome, context);
    this.phase = phase;
    this.timeoutMs = timeoutMs;
  }
  static override is(value: unknown): value is TimeoutError {
    return hasCode(value, "timeout");
  }
}
