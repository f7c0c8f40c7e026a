import { type CallContext, hasCode, MessagingServiceError } from "./base.ts";
import type { Outcome } from "./details/outcome.ts";
import type { ValidationIssue } from "./details/validation-issue.ts";

/**
 * Error for a 2xx whose body lacks required fields, is about another record or page than the requested one, is refused
 * by the caller's schema or, in `"strict"`, has a field of another type.
 */
export class ResponseValidationError extends MessagingServiceError {
  /** Always `"ResponseValidationError"`. */
  override get name() {
    return "ResponseValidationError" as const;
  }
  readonly code = "response_validation";
  /** HTTP status. */
  override readonly status: number;
  /** Issues of the body: what was expected, and at which path. */
  readonly issues: readonly ValidationIssue[];
  readonly #body: unknown;

  constructor(
    what: string,
    outcome: Outcome,
    details: { status: number; body: unknown; issues: readonly ValidationIssue[] },
    context?: CallContext,
  ) {
    super(what, outcome, context);
    this.status = details.status;
    this.issues = details.issues;
    this.#body = details.body;
  }
  /** Body of the response as a string, up to 64 KiB. Not shown by `console.log`. */
  get body(): unknown {
    return this.#body;
  }
  static override is(value: unknown): value is ResponseValidationError {
    return hasCode(value, "response_validation");
  }
}
