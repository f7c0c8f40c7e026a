import type { Grant, SlotSource } from "./source-throttle.ts";

/** The part of a rate-limiter-flexible limiter that `throttleFrom` uses. */
export interface Limiter {
  /**
   * Takes points; rejects with an object that has `msBeforeNext` when there are none, with an `Error` when its store
   * fails.
   */
  consume(key: string, points?: number): Promise<unknown>;
  /** Gives points back. */
  reward?(key: string, points?: number): Promise<unknown>;
}

/** Pause in milliseconds before the next request to a limiter that has no point left and does not state for how long. */
const ASK_AGAIN_MS = 100;
/** Timeout of a limiter's reply in milliseconds. Without one, a single lost reply would stop the queue forever. */
const REPLY_TIMEOUT_MS = 10_000;

/** The slots of a throttle as points of a limiter. */
export const limiterSource = (limiter: Limiter, key: string): SlotSource => {
  const take = async (): Promise<Grant> => {
    const reply = await limiter.consume(key, 1);
    const windowMs = msBeforeNextOf(reply) ?? Number.POSITIVE_INFINITY;
    const reusableUntil = performance.now() + windowMs;
    return {
      reusableUntil,
      giveBack() {
        // A point that is given back after its window would be one too many in the next. A lost point only costs one call.
        if (performance.now() < reusableUntil) reward().catch(() => {});
      },
    };
  };
  const reward = async (): Promise<unknown> => limiter.reward?.(key, 1);

  return {
    isSlow: false,
    ask: () =>
      new Promise((resolve, reject) => {
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          reject(new Error(`the limiter did not reply within ${REPLY_TIMEOUT_MS} ms`));
        }, REPLY_TIMEOUT_MS);
        const onGrant = (grant: Grant) => {
          clearTimeout(timer);
          if (isLate) grant.giveBack();
          else resolve(grant);
        };
        const onRefusal = (thrown: unknown) => {
          clearTimeout(timer);
          const ms = msBeforeNextOf(thrown);
          if (ms === undefined) reject(thrown);
          else resolve(performance.now() + ms);
        };
        take().then(onGrant, onRefusal);
      }),
  };
};

/** Returns the pause that a limiter asks for; `undefined` if it failed or sent an unexpected reply. */
const msBeforeNextOf = (reply: unknown): number | undefined => {
  try {
    if (!isPlainObject(reply)) return undefined;
    if ("msBeforeNext" in reply) return msOf(reply);
    // A union of limiters returns the reply of each under its name.
    const longestMs = Object.values(reply)
      .map((each) => msOf(each) ?? Number.NaN)
      .reduce((longest, ms) => Math.max(longest, ms), 0);
    return longestMs > 0 ? longestMs : undefined;
  } catch {
    return undefined; // A getter or a proxy may throw; there is no pause then.
  }
};

const msOf = (reply: unknown): number | undefined => {
  if (!isPlainObject(reply)) return undefined;
  const { msBeforeNext } = reply as { msBeforeNext?: unknown };
  if (typeof msBeforeNext !== "number") return undefined;
  return msBeforeNext > 0 ? msBeforeNext : ASK_AGAIN_MS;
};

const isPlainObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Error);
