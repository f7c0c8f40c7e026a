import {
  assertDuration,
  assertFunction,
  assertOptions,
  invalidOption,
  type OptionNames,
  optionOr,
} from "../options.ts";
import { type Permit, type SlotProvider, throttleOver } from "./slot-provider.ts";
import type { Throttle } from "./throttle.ts";

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

/** A p-throttle function, as `pThrottle({ limit, interval, strict: true })` returns it. */
export type PaceFunction = (task: () => void) => () => unknown;

/** Options of a throttle over a p-throttle function. */
export interface PaceOptions {
  /** Longest wait for a slot in milliseconds: a call that waits longer fails. Default: no limit. */
  readonly maxWait?: number | undefined;
}

/** Options of a throttle over a shared limiter. */
export interface ThrottleFromOptions {
  /** Name of the budget, such as one for each account; the same in every process that shares it. */
  readonly key: string;
  /**
   * Longest wait for a slot in milliseconds: a call that would wait longer fails as soon as the limiter states the wait.
   * Default: no limit.
   */
  readonly maxWait?: number | undefined;
}

const PACE_OPTIONS: OptionNames<PaceOptions> = { maxWait: true };
const LIMITER_OPTIONS: OptionNames<ThrottleFromOptions> = { key: true, maxWait: true };

/**
 * Creates a throttle over a p-throttle function, so that clients share the pace of an application's other functions.
 *
 * p-throttle sets the pace. Pass `strict: true`: without it, twice the limit can start where two windows meet. This package
 * keeps the queue: calls are served first come, first served, and a canceled call leaves at once. A turn that comes when no
 * call is waiting any more is lost, because p-throttle cannot take it back.
 *
 * @throws TypeError when an argument is malformed, or an option does not exist.
 * @example
 * const pace = pThrottle({ limit: 1, interval: 3_000, strict: true });
 * const v2 = new V2Client({ throttle: throttleFrom(pace) });
 */
export function throttleFrom(pace: PaceFunction, options?: PaceOptions): Throttle;
/**
 * Creates a throttle over any rate-limiter-flexible limiter, so that several processes or machines share one
 * account's budget through Redis, Postgres, Memcached, …
 *
 * Within a process, calls are served first come, first served; between processes, in the order of their requests. A
 * `Retry-After` of the service holds back the calls of this process. When the limiter's store fails, or does not reply for
 * 10 seconds, calls fail with a `ThrottleError` whose `reason` is `"unavailable"`: no request is sent uncounted. (A limiter
 * with an `insuranceLimiter` falls back to that one.)
 *
 * These limiters count in fixed windows: where two windows meet, twice the points can be used within one `duration`.
 * If that matters, give the limiter half the points.
 *
 * @throws TypeError when an argument is malformed, or an option does not exist.
 * @example
 * const limiter = new RateLimiterRedis({ storeClient: redis, points: 1200, duration: 3600 });
 * const v2 = new V2Client({ throttle: throttleFrom(limiter, { key: "account-1" }) });
 */
export function throttleFrom(limiter: Limiter, options: ThrottleFromOptions): Throttle;
export function throttleFrom(
  limiter: Limiter | PaceFunction,
  options?: ThrottleFromOptions | PaceOptions,
): Throttle {
  if (typeof limiter === "function") {
    const turn = limiter(() => {});
    if (typeof turn !== "function") throw invalidLimiter();
    const given = options === undefined ? {} : options;
    const { maxWait } = assertOptions("options", given, PACE_OPTIONS);
    return throttleOver(paceProvider(turn), toMaxWait(maxWait));
  }
  if (typeof limiter !== "object" || limiter === null) throw invalidLimiter();
  assertFunction("limiter.consume", limiter.consume);
  const given = options as ThrottleFromOptions;
  const { key, maxWait } = assertOptions("options", given, LIMITER_OPTIONS);
  if (typeof key !== "string" || key === "") {
    throw invalidOption("key", "a string that is not empty");
  }
  return throttleOver(limiterProvider(limiter, key), toMaxWait(maxWait));
}

const toMaxWait = (maxWait: number | undefined): number =>
  optionOr("maxWait", maxWait, Infinity, assertDuration);

const invalidLimiter = (): TypeError =>
  invalidOption("limiter", "a rate-limiter-flexible limiter or a p-throttle function");

/** Retry pause in milliseconds if an exhausted limiter states no wait. */
const ASK_AGAIN_MS = 100;
/** Timeout of a limiter's reply in milliseconds. Without one, a single lost reply would stop the queue forever. */
const REPLY_TIMEOUT_MS = 10_000;

/** Creates a provider whose slots are points of a limiter. */
const limiterProvider = (limiter: Limiter, key: string): SlotProvider => {
  const take = async (): Promise<Permit> => {
    const reply = await limiter.consume(key, 1);
    const windowMs = msBeforeNextOf(reply) ?? Infinity;
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
    hasUnknownWait: false,
    ask: () =>
      new Promise((resolve, reject) => {
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          reject(new Error(`the limiter did not reply within ${REPLY_TIMEOUT_MS} ms`));
        }, REPLY_TIMEOUT_MS);
        const onPermit = (permit: Permit) => {
          clearTimeout(timer);
          if (isLate) permit.giveBack();
          else resolve(permit);
        };
        const onRefusal = (thrown: unknown) => {
          clearTimeout(timer);
          const ms = msBeforeNextOf(thrown);
          if (ms === undefined) reject(thrown);
          else resolve(performance.now() + ms);
        };
        take().then(onPermit, onRefusal);
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

/**
 * Creates a provider whose slots are turns of p-throttle. A turn cannot be given back, and would break the pace if kept
 * for later.
 */
const paceProvider = (turn: () => unknown): SlotProvider => ({
  hasUnknownWait: true,
  async ask() {
    await turn();
    return { reusableUntil: -Infinity, giveBack() {} };
  },
});
