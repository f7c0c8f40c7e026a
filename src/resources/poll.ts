import { Deadline } from "../http/deadline.ts";
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
 * Polls until `isLast` accepts a response.
 *
 * @param endpoint the name of the call in errors.
 * @param ask makes one call, which the signal ends; it reports each attempt that starts.
 * @param isLast decides whether a response ends the wait.
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
  let attempts = 0;
  const deadline = new Deadline(options.signal, limitMs, () => ({
    endpoint,
    attempts,
    earlier: attempts === 0 ? "not_sent" : "unknown",
  }));
  for (;;) {
    const response = await deadline.bound((signal) =>
      ask(signal, () => {
        attempts += 1;
      }),
    );
    if (await isLast(response)) return response;
    await deadline.pause(intervalMs);
  }
};
