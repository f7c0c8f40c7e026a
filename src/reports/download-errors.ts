import {
  AbortError,
  type ApiError,
  apiErrorClassOf,
  ConnectionError,
  customIssue,
  ResponseValidationError,
  TimeoutError,
  ValidationError,
} from "../errors.ts";
import { asMistake, errorCodeOf, mistakeOf } from "../http/connection-error.ts";
import { parseRetryAfter } from "../responses/response-error.ts";

// The link is a secret, because it is often signed: no error holds the link, or text of the host that may repeat it. The
// outcome of an error is never `unknown`, because a download changes nothing.

/** Description of a download in its errors. */
const CONTEXT = { endpoint: "GET {s3_url}" };

/** Creates the error for a link that cannot be downloaded. */
export const linkError = (problem: string): ValidationError =>
  new ValidationError([customIssue(problem, ["s3_url"])]);

/** Creates the error for a download that the caller's signal ended. */
export const abortError = (signal: AbortSignal): AbortError =>
  new AbortError("aborted", "not_sent", CONTEXT, { cause: signal.reason });

/** Creates the error for a host that sends nothing for longer than the stall timeout. */
export const stallError = (stallTimeoutMs: number): TimeoutError => {
  const error = new TimeoutError("attempt", stallTimeoutMs, "not_sent", CONTEXT);
  error.message = `${CONTEXT.endpoint}: no byte arrived for ${stallTimeoutMs} ms`;
  return error;
};

/**
 * Creates the error for a download that cannot go on. It states the error code of whatever was thrown, or the mistake around
 * `fetch`.
 */
export const brokenError = (problem: string, thrown?: unknown): ConnectionError => {
  const mistake = mistakeOf(thrown);
  if (mistake) return asMistake(new ConnectionError(mistake, "not_sent", CONTEXT));
  const code = errorCodeOf(thrown);
  const what = code === undefined ? problem : `${problem} (${code})`;
  return new ConnectionError(what, "not_sent", CONTEXT);
};

/** Creates the error for a response that is not the file. */
export const fileError = (problem: string, status = 200): ResponseValidationError =>
  new ResponseValidationError(
    problem,
    "not_sent",
    { status, body: undefined, issues: [customIssue(problem)] },
    CONTEXT,
  );

/** Converts a response that is not the file into its error, without the host's headers and body. */
export const statusError = ({
  ok,
  status,
  headers,
}: Response): ApiError | ResponseValidationError => {
  const expired = status === 403 ? ": the link may have expired; retrieve the report again" : "";
  const problem = `the host of the file responded with ${status}${expired}`;
  if (ok) return fileError(`${problem}, not with the whole file`, status);
  const retryAfterMs = parseRetryAfter(headers);
  const ErrorClass = apiErrorClassOf(status);
  return new ErrorClass(
    problem,
    "rejected",
    { status, headers: new Headers(), body: undefined, retryAfterMs },
    CONTEXT,
  );
};
