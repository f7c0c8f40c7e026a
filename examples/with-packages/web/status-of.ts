import type { AnyMessagingServiceError } from "messaging-service-client";

/** Returns the HTTP status for an error. The guide "Sending from a web service" explains the table. */
export const statusOf = ({ code, outcome, isTransient }: AnyMessagingServiceError) => {
  if (code === "validation") return 422;
  if (outcome === "unknown" || outcome === "done") return 502;
  return isTransient ? 503 : 500;
};
