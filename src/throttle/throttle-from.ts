import {
  assertDuration,
  assertFunction,
  assertOptions,
  invalidOption,
  type OptionNames,
  optionOr,
} from "../options.ts";
import { type Limiter, limiterSource } from "./limiter-source.ts";
import { type PaceFunction, paceSource } from "./pace-source.ts";
import { sourceThrottle } from "./source-throttle.ts";
import type { Throttle } from "./throttle.ts";

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
    return sourceThrottle(paceSource(turn), toMaxWait(maxWait));
  }
  if (typeof limiter !== "object" || limiter === null) throw invalidLimiter();
  assertFunction("limiter.consume", limiter.consume);
  const given = options as ThrottleFromOptions;
  const { key, maxWait } = assertOptions("options", given, LIMITER_OPTIONS);
  if (typeof key !== "string" || key === "") {
    throw invalidOption("key", "a string that is not empty");
  }
  return sourceThrottle(limiterSource(limiter, key), toMaxWait(maxWait));
}

const toMaxWait = (maxWait: number | undefined): number =>
  optionOr("maxWait", maxWait, Number.POSITIVE_INFINITY, assertDuration);

const invalidLimiter = (): TypeError =>
  invalidOption("limiter", "a rate-limiter-flexible limiter or a p-throttle function");
