// The table of all web examples from an error to an HTTP response. The guide "Sending from a web service" explains it.
import type { AnyMessagingServiceError } from "messaging-service-client";

/** Returns the HTTP status for an error. */
export const statusOf = ({
  code,
  outcome,
  isTransient,
}: Pick<AnyMessagingServiceError, "code" | "outcome" | "isTransient">) => {
  if (code === "validation") return 422;
  if (outcome === "unknown" || outcome === "done") return 502;
  return isTransient ? 503 : 500;
};

/** Returns the headers for an error: when to try again, if that is known. */
export const headersOf = ({
  retryAfterMs,
}: Pick<AnyMessagingServiceError, "retryAfterMs">): Record<string, string> =>
  retryAfterMs === undefined ? {} : { "retry-after": `${Math.ceil(retryAfterMs / 1000)}` };

/** HTTP status of a proxy for a request whose response was lost: the service may have handled it. */
export const LOST_RESPONSE = statusOf({
  code: "connection",
  outcome: "unknown",
  isTransient: true,
});
