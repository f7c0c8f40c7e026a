// What the outcome of an attempt is, for every carrier and in every runtime. Carriers only report the progress of the request.
import type { Outcome } from "../errors.ts";
import type { ResponseHead } from "../responses/fetched-response.ts";
import type { FetchAttempt } from "./attempt.ts";
import { causesOf, isRefusal } from "./connection-error.ts";
import { showsNoConnection } from "./platform.ts";

/** How an attempt ended: with a response, or with an error of what carried the request. */
interface AttemptEnd {
  readonly url: string;
  readonly response?: ResponseHead;
  readonly thrown?: unknown;
}

const withoutSlash = (path: string): string => path.replace(/\/$/, "");

/**
 * Returns whether a redirect only corrects the URL, which load balancers do before anything is done: it leads to the same path on
 * another origin, or to the same URL with another slash at its end. A framework redirects a form that it has accepted elsewhere.
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

/** Returns whether the service certainly did nothing. A status that is not listed here may follow a success. */
const didNothing = ({ status, headers }: ResponseHead, url: string): boolean => {
  if (status === 301 || status === 302) return isCorrection(url, headers.get("location"));
  return status === 307 || status === 308 || isRefusal(status);
};

/**
 * Returns the outcome of one attempt, as far as it is certain.
 *
 * Nothing was sent if the carrier has reported the progress, and if its own error, or the client itself, ended the attempt: code of
 * the application may do anything else. Without such a report, only an error that names the service proves it.
 *
 * @param end End of the attempt; `undefined` if the call's own timer or signal ends it.
 */
export const outcomeOf = (attempt: FetchAttempt, end?: AttemptEnd): Outcome => {
  if (end?.response) return didNothing(end.response, end.url) ? "rejected" : "unknown";
  const { progress, failure } = attempt;
  if (progress === "written") return "unknown";
  const isUnsent = progress === "unsent";
  if (!end) return isUnsent && failure === undefined ? "not_sent" : "unknown";
  const isOwn = failure !== undefined && causesOf(end.thrown).includes(failure);
  const isProven = (isUnsent && isOwn) || showsNoConnection(end.thrown, new URL(end.url));
  return isProven ? "not_sent" : "unknown";
};
