import { type CallContext, hasCode, MessagingServiceError } from "./base.ts";
import type { ResponseDetails } from "./response-details.ts";
import type { ValidationIssue } from "./validation-issue.ts";

/** A request rule failed: here, before anything was sent, or at the service (version 3, HTTP 400). */
export class ValidationError extends MessagingServiceError {
  /** Always `"ValidationError"`. */
  override get name() {
    return "ValidationError" as const;
  }
  readonly code = "validation";
  /** Who refused: this package, or the service. */
  readonly source: "client" | "service";
  /** Every field that failed. */
  readonly errors: readonly ValidationIssue[];
  /** HTTP status, where the service refused. */
  declare readonly status?: number;
  /** The service's id of the request, where it sent one. */
  declare readonly requestId?: string;
  readonly #response: ResponseDetails | undefined;

  constructor(
    errors: readonly ValidationIssue[],
    details: { summary?: string | undefined; response?: ResponseDetails | undefined } = {},
    context?: CallContext,
  ) {
    const fields = errors.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
    const { summary, response } = details;
    super(
      [summary, fields.join("; ")].filter(Boolean).join(": "),
      response ? "rejected" : "not_sent",
      context,
    );
    this.source = response ? "service" : "client";
    this.errors = errors;
    if (response) {
      this.status = response.status;
      if (response.requestId !== undefined) this.requestId = response.requestId;
    }
    this.#response = response;
  }
  /** The answer's headers, where the service refused. */
  get headers(): Headers | undefined {
    return this.#response?.headers;
  }
  /** The answer's whole body, where the service refused. Not shown by `console.log`: it may quote what was sent. */
  get body(): unknown {
    return this.#response?.body;
  }
  static override is(value: unknown): value is ValidationError {
    return hasCode(value, "validation");
  }
}
