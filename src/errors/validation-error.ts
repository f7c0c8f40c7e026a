import { type CallContext, hasCode, MessagingServiceError } from "./base.ts";
import type { ResponseDetails } from "./details/response-details.ts";
import type { ValidationIssue } from "./details/validation-issue.ts";

/** Error for a request that breaks a rule: found here before anything is sent, or by the service (version 3, HTTP 400). */
export class ValidationError extends MessagingServiceError {
  /** Always `"ValidationError"`. */
  override get name() {
    return "ValidationError" as const;
  }
  readonly code = "validation";
  /** Side that refused the request: this package, or the service. */
  readonly source: "client" | "service";
  /** One issue for each field that failed. */
  readonly errors: readonly ValidationIssue[];
  /** HTTP status, if the service refused. */
  declare readonly status?: number;
  /** The service's id of the request, if it sent one. */
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
  /** Headers of the response, if the service refused. */
  get headers(): Headers | undefined {
    return this.#response?.headers;
  }
  /** Whole body of the response, if the service refused. Not shown by `console.log`: it may quote what was sent. */
  get body(): unknown {
    return this.#response?.body;
  }
  static override is(value: unknown): value is ValidationError {
    return hasCode(value, "validation");
  }
}
