import { ThrottleError } from "../errors/throttle-error.ts";
import {
  assertDuration,
  assertFunction,
  assertObject,
  invalidOption,
  MAX_TIMER_MS,
  optionOr,
} from "../options/assertions.ts";
import type { Throttle } from "./throttle.ts";
import { WaitingQueue } from "./waiting-queue.ts";

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
  /**
   * A call that would wait longer than this many milliseconds fails at once, as soon as the limiter
   * tells. Default: none, it waits.
   */
  readonly maxWait?: number | undefined;
}

/** How soon a limiter is asked again that has no point left and does not say for how long. */
const ASK_AGAIN_MS = 100;

const msOf = (value: unknown): number | undefined => {
  if (value instanceof Error || typeof value !== "object" || value === null) return undefined;
  const { msBeforeNext } = value as { msBeforeNext?: unknown };
  if (typeof msBeforeNext !== "number") return undefined;
  return msBeforeNext > 0 ? msBeforeNext : ASK_AGAIN_MS;
};

/** How long to wait, where a limiter says that the budget is used up; `undefined` where it failed. */
const msBeforeNextOf = (thrown: unknown): number | undefined => {
  const ms = msOf(thrown);
  if (ms !== undefined || thrown instanceof Error) return ms;
  // A union of limiters says by the name of each what that one says.
  const each = Object.values(Object(thrown)).map(msOf);
  const longest = Math.max(...each.map((one) => one ?? Number.NaN));
  return longest > 0 ? longest : undefined;
};

/**
 * A throttle over any rate-limiter-flexible limiter, so that several processes or machines share one
 * account's budget through Redis, Postgres, Memcached, …
 *
 * Within a process, calls are served first come first served; between processes, as they ask. A
 * `Retry-After` of the service holds back the calls of this process. When the limiter's store fails,
 * calls fail with a `ThrottleError` whose `reason` is `"unavailable"`: none goes out uncounted. (A limiter
 * with an `insuranceLimiter` falls back to that one.)
 *
 * These limiters count in fixed windows: where two of them meet, twice the points can be used within one
 * `duration`. Where that matters, give them half the points.
 *
 * @throws TypeError when an argument is malformed.
 * @example
 * const limiter = new RateLimiterRedis({ storeClient: redis, points: 1200, duration: 3600 });
 * const v2 = new V2Client({ throttle: throttleFrom(limiter, { key: "account-1" }) });
 */
export function throttleFrom(limiter: Limiter, options: ThrottleFromOptions): Throttle {
  assertFunction("limiter.consume", assertObject("limiter", limiter).consume);
  const { key } = assertObject("options", options);
  if (typeof key !== "string" || key === "")
    throw invalidOption("key", "a string that is not empty");
  const maxWait = optionOr("maxWait", options.maxWait, Number.POSITIVE_INFINITY, assertDuration);

  const queue = new WaitingQueue<void>(() => void serve());
  let timer: ReturnType<typeof setTimeout> | undefined;
  let serving = false;
  /** When the limiter has a point again, as far as it told; on the clock of the queue. */
  let notBefore = 0;

  const nextTurn = () => Math.max(queue.heldUntil, notBefore);

  /** Asks for everyone in the queue, one at a time, until there is no point left. */
  async function serve(): Promise<void> {
    if (serving) return;
    serving = true;
    clearTimeout(timer);
    while (queue.length > 0 && nextTurn() <= performance.now()) await serveFirst();
    queue.refuseLate(maxWait, nextTurn);
    serving = false;
    if (queue.length === 0) return;
    // The clock went on since: Node warns of a negative wait.
    const waitMs = Math.max(0, nextTurn() - performance.now());
    timer = setTimeout(() => void serve(), Math.min(waitMs, MAX_TIMER_MS));
  }

  async function serveFirst(): Promise<void> {
    try {
      await limiter.consume(key, 1);
    } catch (thrown) {
      const ms = msBeforeNextOf(thrown);
      if (ms === undefined) queue.refuseFirst(new ThrottleError("unavailable", { cause: thrown }));
      else notBefore = performance.now() + ms;
      return;
    }
    // Meanwhile everyone may have left, or been held back.
    if (queue.heldUntil <= performance.now() && queue.admitFirst(undefined)) return;
    await giveBack();
  }

  /** A point that cannot be given back is one call less, no more. */
  async function giveBack(): Promise<void> {
    try {
      await limiter.reward?.(key, 1);
    } catch {}
  }

  return {
    // Rejects where the arguments cannot be read, rather than throwing.
    async acquire(acquireOptions = {}) {
      const admitted = queue.join(acquireOptions);
      void serve();
      return admitted;
    },
    holdUntil(epochMs) {
      queue.hold(epochMs);
      void serve();
    },
  };
}
