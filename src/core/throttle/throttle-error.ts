import { ThrottleError } from "../errors.ts";
import { orUndefined } from "../options.ts";
import { quote } from "../quote.ts";

/** Maximum number of characters of an error's message that are searched for what must not be shown. */
const MAX_SEARCHED = 10_000;
/** Matches what may be a name and a password before the host of a URL. */
const CREDENTIALS = /\S{1,200}@/g;

/** Returns the message of what a limiter threw, or else its code, without credentials. */
const messageOf = (thrown: unknown): string => {
  const { message, code } = Object(thrown);
  const said = [thrown, message, code].find((text) => typeof text === "string" && text !== "");
  return String(said ?? "")
    .slice(0, MAX_SEARCHED)
    .replace(CREDENTIALS, "[redacted]@");
};

/**
 * Converts whatever a throttle or its limiter threw. The message quotes a limiter that failed.
 *
 * @param redactor Redactor of the call. Default: none, which leaves out phone numbers and credentials in URLs.
 */
export const toThrottleError = (
  thrown: unknown,
  redactor: { quote(text: string): string } = { quote },
): ThrottleError => {
  const { reason, retryAfterMs, cause } = ThrottleError.is(thrown)
    ? thrown
    : ({ reason: "unavailable", retryAfterMs: undefined, cause: thrown } as const);
  const said =
    reason === "unavailable" ? orUndefined(() => redactor.quote(messageOf(cause))) : undefined;
  return new ThrottleError(reason, { retryAfterMs, cause, said });
};

/** Creates the error for a wait that would exceed `maxWait`, or for a wait of unknown length that has exceeded it. */
export const toMaxWaitError = (waitMs?: number): ThrottleError =>
  new ThrottleError("max_wait", waitMs === undefined ? {} : { retryAfterMs: Math.ceil(waitMs) });
