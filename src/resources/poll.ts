import { AbortError } from "../errors/abort-error.ts";
import { type CallContext, MessagingServiceError } from "../errors/base.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { CallClock, Interruption } from "../http/deadline.ts";
import { assertDuration, optionOr, toTimeLimit } from "../options/assertions.ts";

/** How often something is asked for, and for how long. */
export interface PollOptions {
  /** Milliseconds between two polls. Default: 10 000. */
  readonly interval?: number | undefined;
  /** Milliseconds for the whole wait; `false`: no limit. Default: `false`. */
  readonly totalTimeout?: number | false | undefined;
  /** Ends the wait when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks until the answer is the one waited for.
 *
 * @param endpoint what errors call it.
 * @param ask asks once, until the signal fires.
 * @param isLast whether an answer is the one waited for.
 */
export const poll = async <T>(
  endpoint: string,
  ask: (signal: AbortSignal) => Promise<T>,
  isLast: (answer: T) => Promise<boolean>,
  options: PollOptions,
): Promise<T> => {
  const intervalMs = optionOr("interval", options.interval, 10_000, assertDuration);
  const limitMs = optionOr(
    "totalTimeout",
    options.totalTimeout,
    Number.POSITIVE_INFINITY,
    toTimeLimit,
  );
  const clock = new CallClock(options.signal, limitMs);
  let polls = 0;
  let asked: Promise<T> | undefined;
  try {
    for (;;) {
      const answer = await clock.bound((signal) => {
        polls += 1;
        asked = ask(signal);
        return asked;
      });
      if (await isLast(answer)) return answer;
      await clock.pause(intervalMs);
    }
  } catch (thrown) {
    if (!(thrown instanceof Interruption)) throw thrown;
    const failure = await asked?.catch((error: unknown) => error);
    if (MessagingServiceError.is(failure) && failure.attempts === 0) polls -= 1;
    const outcome = polls === 0 ? "not_sent" : "unknown";
    const context: CallContext = { endpoint, attempts: polls };
    if (thrown.by !== "signal") throw new TimeoutError("total", limitMs, outcome, context);
    throw new AbortError("aborted", outcome, context, { cause: thrown.reason });
  }
};
