// Determines the outcome of an attempt, for every carrier and in every runtime. Carriers only report the progress of the request.
import type { Outcome } from "../errors.ts";
import type { ResponseHead } from "../responses/fetched-response.ts";
import type { FetchAttempt } from "./attempt.ts";
import { causesOf, isRefusal } from "./connection-error.ts";
import { showsNoConnection } from "./platform.ts";

/** End of an attempt: a response, or an error of the carrier. */
interface AttemptEnd {
  readonly url: string;
  readonly response?: ResponseHead;
  readonly thrown?: unknown;
}

const withoutSlash = (path: string): string => path.replace(/\/$/, "");

/**
 * Returns whether a redirect only corrects the URL, as load balancers do before a request is handled. Such a redirect leads to
 * the same path on a different origin, or to the same URL with or without a trailing slash. A framework that has accepted a form
 * redirects to a different path.
 */
const isCorrection = (url: string, location: string | null): boolean => {
  if (!location || !URL.canParse(location, url)) return false;
  const from = new URL(url);
  const to = new URL(location, url);
  return (
    withoutSlash(from.pathname) === withoutSlash(to.pathname) &&
    (to.search === "" || to.search === from.search) &&
    (from.origin !== to.origin || from.pathname !== to.pathname)
  );
};

/** Returns whether the client assumes that the service did nothing. Any status that is not listed here may follow a success. */
const didNothing = (response: ResponseHead, url: string): boolean => {
  const { status } = response;
  // The headers are read for no other status, because they are parsed on first read.
  if (status === 301 || status === 302) return isCorrection(url, response.headers.get("location"));
  return status === 307 || status === 308 || isRefusal(status);
};

/**
 * Returns the outcome of one attempt, as far as it is certain.
 *
 * The outcome is `not_sent` if a carrier that reports progress has written nothing, and if the carrier's own error or the client
 * itself ended the attempt. Any other error may come from application code, which may have sent something. Without progress
 * reports, only an error that names the service proves that nothing was sent.
 *
 * @param end End of the attempt; `undefined` if the call's own timer or signal ends it.
 */
export const outcomeOf = (attempt: FetchAttempt, end?: AttemptEnd): Outcome => {
  if (end?.response) return didNothing(end.response, end.url) ? "rejected" : "unknown";
  const { progress, failure } = attempt;
  if (progress === "written") return "unknown";
  const isUnsent = progress === "unsent";
  if (!end) return isUnsent && failure === undefined ? "not_sent" : "unknown";
  const isOwn = causesOf(end.thrown).includes(failure);
  const isProven = (isUnsent && isOwn) || showsNoConnection(end.thrown, new URL(end.url));
  return isProven ? "not_sent" : "unknown";
};
