import { ThrottleError } from "../errors.ts";
import { orUndefined } from "../options.ts";
import { quote } from "../quote.ts";

/** Error for a limiter that did not reply in time. */
export class NoReplyError extends Error {}

/** Maximum number of characters of an error's message that are searched for data to redact. The rest is cut off. */
const MAX_SEARCHED = 10_000;
/** Matches text that may be a user name and a password before the host of a URL. */
const CREDENTIALS = /(?<!\S)\S+@/g;

/** Returns the message of a value that a limiter threw, or its code if it has no message, without credentials. */
const messageOf = (thrown: unknown): string => {
  const { message, code } = Object(thrown);
  const said = [thrown, message, code].find((text) => typeof text === "string" && text !== "");
  return String(said ?? "")
    .slice(0, MAX_SEARCHED)
    .replace(CREDENTIALS, "[redacted]@");
};

/**
 * Converts whatever a throttle or its limiter threw to a `ThrottleError`. If a limiter failed, the message quotes its error.
 *
 * @param redactor Redactor of the call. Default: one that removes only phone numbers. What precedes an `@` is always removed.
 */
export const toThrottleError = (
  thrown: unknown,
  redactor: { quote(text: string): string } = { quote },
): ThrottleError => {
  const known: Partial<ThrottleError> = ThrottleError.is(thrown) ? thrown : { cause: thrown };
  const { reason = "unavailable", retryAfterMs, cause } = known;
  const said =
    reason === "unavailable" ? orUndefined(() => redactor.quote(messageOf(cause))) : undefined;
  return new ThrottleError(reason, { retryAfterMs, cause, said });
};

/** Creates the error for a wait that would exceed `maxWait`, or for a wait of unknown length that has exceeded it. */
export const toMaxWaitError = (waitMs?: number): ThrottleError =>
  new ThrottleError("max_wait", waitMs === undefined ? {} : { retryAfterMs: Math.ceil(waitMs) });
