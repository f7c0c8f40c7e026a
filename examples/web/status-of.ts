import type { AnyMessagingServiceError } from "messaging-service-client";

// The table of the guide "Errors and when to send again", as code.

interface Failure
  extends Pick<AnyMessagingServiceError, "code" | "outcome" | "isTransient" | "retryAfterMs"> {
  readonly reason?: string;
}

/** Returns the HTTP status that tells a caller the outcome of a failed send. */
export const statusOf = ({ code, outcome, isTransient, reason }: Failure) => {
  if (code === "validation") return 422;
  // A different message was sent under this key.
  if (code === "ledger" && reason === "changed") return 409;
  if (outcome === "done") return 202;
  if (outcome === "unknown") return 502;
  // allowRecipient refused the phone; it did not fail.
  if (code === "recipient" && reason === "refused") return 403;
  return isTransient ? 503 : 500;
};

/** Returns the `Retry-After` header, or no header if the caller should not try again. */
export const retryAfterOf = (error: Failure): Record<string, string> =>
  statusOf(error) === 503
    ? { "retry-after": `${Math.ceil((error.retryAfterMs ?? 5_000) / 1_000)}` }
    : {};
