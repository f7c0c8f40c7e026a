import type { AnyMessagingServiceError } from "messaging-service-client";

// The table of the guide "Errors and when to send again", as code.

type Failure = Pick<AnyMessagingServiceError, "code" | "outcome" | "isTransient" | "retryAfterMs">;

/** Returns the HTTP status for the error of a send. */
export const statusOf = ({ code, outcome, isTransient }: Failure) => {
  if (code === "validation") return 422;
  if (outcome === "done") return 202;
  if (outcome === "unknown") return 502;
  return isTransient ? 503 : 500;
};

/** Returns the header that asks a caller to try again; it is empty unless nothing was sent. */
export const retryAfterOf = (error: Failure): Record<string, string> =>
  statusOf(error) === 503
    ? { "retry-after": `${Math.ceil((error.retryAfterMs ?? 5_000) / 1_000)}` }
    : {};
