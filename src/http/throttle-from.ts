import { ThrottleError } from "../errors.ts";
import { isFunction, isObject, MAX_TIMER_MS, misuse } from "./option-checks.ts";
import type { Throttle } from "./throttle.ts";
import { WaitingLine } from "./waiting-line.ts";

/** What is needed of a rate-limiter-flexible limiter; any of them will do. */
export interface Limiter {
  /** Takes points; rejects with an object that has `msBeforeNext` when there are none, with an `Error` when its store fails. */
  consume(key: string, points?: number): Promise<unknown>;
  /** Gives points back. */
  reward?(key: string, points?: number): Promise<unknown>;
}

/** How the shared limiter is used. */
export interface ThrottleFromOptions {
  /** Names the budget; the same for every process that shares it, such as one for each account. */
  readonly key: string;
}

/** How long to wait, where the limiter says that the budget is used up. */
const msBeforeNextOf = (thrown: unknown): number | undefined => {
  if (thrown instanceof Error || typeof thrown !== "object" || thrown === null) return undefined;
  const { msBeforeNext } = thrown as { msBeforeNext?: unknown };
  return typeof msBeforeNext === "number" ? Math.max(1, msBeforeNext) : undefined;
};

/**
 * A throttle over any rate-limiter-flexible limiter, so that several processes or machines share one
 * account's budget through Redis, Postgres, Memcached, …
 *
 * Within a process, calls are served first come first served. A `Retry-After` of the service holds back
 * the calls of this process. When the limiter's store fails, calls fail with a `ThrottleError` whose
 * `reason` is `"unavailable"`: none goes out uncounted.
 *
 * @throws TypeError when an argument is malformed.
 * @example
 * const limiter = new RateLimiterRedis({ storeClient: redis, points: 1200, duration: 3600 });
 * const v2 = new V2Client({ …, throttle: throttleFrom(limiter, { key: "account-1" }) });
 */
export function throttleFrom(limiter: Limiter, options: ThrottleFromOptions): Throttle {
  isFunction("limiter.consume", isObject("limiter", limiter).consume);
  const { key } = isObject("options", options);
  if (typeof key !== "string" || key === "") throw misuse("key", "a string that is not empty");

  const line = new WaitingLine(() => void serve());
  let timer: ReturnType<typeof setTimeout> | undefined;
  let serving = false;
  /** When the limiter has a point again, in epoch milliseconds, as far as it told. */
  let notBefore = 0;

  /** Asks for everyone in the line, one at a time, until there is no point left. */
  async function serve(): Promise<void> {
    if (serving) return;
    serving = true;
    clearTimeout(timer);
    let waitMs = 0;
    while (line.length > 0 && waitMs <= 0) {
      waitMs = Math.max(line.heldUntil, notBefore) - Date.now();
      if (waitMs <= 0) await serveFirst();
    }
    serving = false;
    if (waitMs > 0) timer = setTimeout(() => void serve(), Math.min(waitMs, MAX_TIMER_MS));
  }

  async function serveFirst(): Promise<void> {
    try {
      await limiter.consume(key, 1);
    } catch (thrown) {
      const ms = msBeforeNextOf(thrown);
      if (ms === undefined) line.refuseFirst(new ThrottleError("unavailable", { cause: thrown }));
      else notBefore = Date.now() + ms;
      return;
    }
    // Everyone may have left meanwhile.
    if (!line.admitFirst()) await limiter.reward?.(key, 1).catch(() => {});
  }

  return {
    acquire: (acquireOptions = {}) => line.join(acquireOptions),
    holdUntil: (epochMs) => line.hold(epochMs),
  };
}
