import { Deadline } from "../http/deadline.ts";
import { assertDuration, assertSignal, optionOr, toTimeLimit } from "../options.ts";

/** Pace and bounds of polling. */
export interface PollOptions {
  /** Pause between two polls in milliseconds. Default: 10 000. */
  readonly interval?: number | undefined;
  /** Timeout of the whole wait in milliseconds; `false` is no limit. Default: `false`. */
  readonly totalTimeout?: number | false | undefined;
  /** Signal that ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Polls until `isLast` accepts a response. Timeout and signal bound every phase: requests, `isLast`, and the pauses.
 *
 * @param endpoint Name of the call in errors.
 * @param ask Makes one call, which the signal ends. It reports each attempt that starts.
 * @param isLast Decides whether a response ends the wait.
 */
export const poll = async <T>(
  endpoint: string,
  ask: (signal: AbortSignal, onAttempt: () => void) => Promise<T>,
  isLast: (response: T) => Promise<boolean>,
  options: PollOptions,
): Promise<T> => {
  const intervalMs = optionOr("interval", options.interval, 10_000, assertDuration);
  const limitMs = optionOr(
    "totalTimeout",
    options.totalTimeout,
    Number.POSITIVE_INFINITY,
    toTimeLimit,
  );
  const signal = optionOr("signal", options.signal, undefined, assertSignal);
  let attempts = 0;
  const deadline = new Deadline(signal, limitMs, () => ({
    endpoint,
    attempts,
    previousOutcome: attempts === 0 ? "not_sent" : "unknown",
  }));
  for (;;) {
    const response = await deadline.bound((ended) =>
      ask(ended, () => {
        attempts += 1;
      }),
    );
    if (await deadline.bound(() => isLast(response))) return response;
    await deadline.pause(intervalMs);
  }
};
