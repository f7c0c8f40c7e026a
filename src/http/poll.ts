import { AbortError, type CallContext, TimeoutError } from "../errors.ts";
import { CallClock, Interruption } from "./call-clock.ts";
import { checked, isDuration, isTimeLimit } from "./option-checks.ts";

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
  isLast: (answer: T) => boolean,
  options: PollOptions,
): Promise<T> => {
  const intervalMs = checked("interval", options.interval, 10_000, isDuration);
  const limitMs = checked(
    "totalTimeout",
    options.totalTimeout,
    Number.POSITIVE_INFINITY,
    isTimeLimit,
  );
  const clock = new CallClock(options.signal, limitMs);
  let attempts = 0;
  try {
    for (;;) {
      attempts += 1;
      const answer = await clock.bound(ask);
      if (isLast(answer)) return answer;
      await clock.pause(intervalMs);
    }
  } catch (thrown) {
    if (!(thrown instanceof Interruption)) throw thrown;
    const context: CallContext = { endpoint, attempts };
    if (thrown.by !== "signal") throw new TimeoutError("total", limitMs, "unknown", context);
    throw new AbortError("aborted", "unknown", context, { cause: thrown.reason });
  }
};
