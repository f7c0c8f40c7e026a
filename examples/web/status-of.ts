// Converts errors to HTTP responses, as described in the guide "Sending from a web service".
import { type AnyMessagingServiceError, MessagingServiceError } from "messaging-service-client";

interface Failure
  extends Pick<AnyMessagingServiceError, "code" | "outcome" | "isTransient" | "retryAfterMs"> {
  readonly reason?: string;
}

/** Returns the HTTP status that tells a caller the outcome of a failed call. */
export const statusOf = ({ code, outcome, isTransient, reason }: Failure) => {
  if (code === "ledger" && reason === "in_progress") return 503; // repeating the same request sends nothing twice
  if (code === "ledger" && reason === "changed") return 409;
  if (outcome === "done") return 202;
  if (outcome === "unknown") return 502;
  if (code === "validation" || (code === "ledger" && reason === "rejected_before")) return 422;
  if (code === "recipient" && reason === "refused") return 403;
  return isTransient ? 503 : 500;
};

/** Returns the `Retry-After` header, or no header if the caller should not try again. */
export const retryAfterOf = (error: Failure): Record<string, string> =>
  statusOf(error) === 503
    ? { "retry-after": `${Math.ceil((error.retryAfterMs ?? 5_000) / 1_000)}` }
    : {};

/** Returns the response to an error of the client, or `undefined`. Without it, frameworks send the status of the service. */
export const responseTo = (error: unknown) => {
  if (!MessagingServiceError.is(error)) return undefined;
  const { code, outcome } = error;
  const errors = error.code === "validation" ? error.errors : undefined; // each with the path of a field and a message
  return { status: statusOf(error), headers: retryAfterOf(error), body: { code, outcome, errors } };
};
