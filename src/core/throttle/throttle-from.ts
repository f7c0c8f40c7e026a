import { Clock } from "../clock.ts";
import {
  assertDuration,
  assertFunction,
  assertNotEmpty,
  ignoreErrors,
  invalidOption,
  isJsonObject,
  or,
  readOptions,
} from "../options.ts";
import type { SlotProvider } from "./slot.ts";
import { createQueue, type Throttle, toThrottle } from "./throttle.ts";
import { NoReplyError } from "./throttle-error.ts";

type Limiter = Parameters<typeof throttleFrom>[0];

type PaceFunction = (task: () => void) => () => unknown;

/** Options of a throttle over a shared limiter, or over a p-throttle function, which has no `key`. */
export interface ThrottleFromOptions {
  /** Name of the budget in the limiter's store, such as the account's; not for p-throttle. Processes with the same key share a budget. */
  readonly key: string;
  /**
   * Maximum wait for a slot in milliseconds, 0 or more; a limiter's replies may take longer. A call that would wait longer fails
   * as soon as the limiter states the wait; over p-throttle, when it has waited that long. Default: no limit.
   */
  readonly maxWait?: number | undefined;
}

type PaceOptions = Omit<ThrottleFromOptions, "key">;

const toMaxWait = /* @__PURE__ */ or(assertDuration, Infinity);

/**
 * Creates a throttle over a p-throttle function. Clients then share the pace of your application's other functions.
 *
 * p-throttle sets the pace. Pass `strict: true` to it. Without that option, twice the limit can start where two windows meet.
 * This package keeps the queue, first come, first served, and an aborted call leaves it immediately. A turn is lost if no call is
 * waiting when it comes, because p-throttle cannot take it back.
 *
 * @param pace Function that `pThrottle` returned.
 * @returns Throttle for the option `throttle` of one or more clients.
 * @throws TypeError that names an invalid argument, or an invalid or unknown option.
 * @example
 * const pace = pThrottle({ limit: 1, interval: 3_000, strict: true });
 * const v2 = new V2Client({ throttle: throttleFrom(pace) });
 */
export function throttleFrom(
  pace: (task: () => void) => () => unknown,
  options?: Omit<ThrottleFromOptions, "key">,
): Throttle;
/**
 * Creates a throttle over a rate-limiter-flexible limiter. Several processes or machines can then share the budget of one
 * account through Redis, Postgres, Memcached, …
 *
 * Within a process, attempts start first come, first served. A 429 with `Retry-After` holds back only the calls that share
 * this throttle object. If the limiter's store fails, or does not reply within 10 seconds, the call fails with a
 * `ThrottleError` whose reason is `"unavailable"`, so no request is sent uncounted. A limiter with an `insuranceLimiter` uses
 * that limiter instead.
 *
 * rate-limiter-flexible counts in fixed windows, so twice the points can be used within one `duration` where two windows meet. If
 * that matters, give the limiter half the points.
 *
 * @param limiter Limiter of rate-limiter-flexible; each attempt takes one of its points.
 * @returns Throttle for the option `throttle` of one or more clients.
 * @throws TypeError that names an invalid argument, or an invalid or unknown option.
 * @example
 * const limiter = new RateLimiterRedis({ storeClient: redis, points: 1200, duration: 3600 });
 * const v2 = new V2Client({ throttle: throttleFrom(limiter, { key: "account-1" }) });
 */
export function throttleFrom(
  limiter: {
    /** Takes points. Rejects with an object with `msBeforeNext` if none are left, and with an `Error` if the store fails. */
    consume(key: string, points?: number): Promise<unknown>;
    /** Gives points back. */
    reward?(key: string, points?: number): Promise<unknown>;
  },
  options: ThrottleFromOptions,
): Throttle;
export function throttleFrom(
  limiter: Limiter | PaceFunction,
  options?: ThrottleFromOptions | PaceOptions,
): Throttle {
  const clock = new Clock();
  if (typeof limiter === "function") {
    const turn = limiter(() => {});
    if (typeof turn !== "function") throw invalidLimiter();
    const given: PaceOptions = options === undefined ? {} : options;
    const { maxWait } = readOptions("options", given, { maxWait: toMaxWait });
    return toThrottle(createQueue(paceProvider(turn), clock, maxWait));
  }
  if (typeof limiter !== "object" || limiter === null) throw invalidLimiter();
  assertFunction("limiter.consume", limiter.consume);
  const given = options as ThrottleFromOptions;
  const { key, maxWait } = readOptions("options", given, {
    key: assertNotEmpty,
    maxWait: toMaxWait,
  });
  return toThrottle(createQueue(limiterProvider(limiter, key, clock), clock, maxWait));
}

const invalidLimiter = (): TypeError =>
  invalidOption("limiter", "a rate-limiter-flexible limiter or a p-throttle function");

/** Pause in milliseconds before an exhausted limiter is asked again, if its reply states no wait. */
const ASK_AGAIN_MS = 100;
/** Timeout of a limiter's reply in milliseconds. Without it, a single lost reply would stop the queue forever. */
const REPLY_TIMEOUT_MS = 10_000;

const limiterProvider = (limiter: Limiter, key: string, clock: Clock): SlotProvider => {
  const consume = async (): Promise<unknown> => limiter.consume(key, 1);
  // If the store cannot take a point back, the budget loses only one call.
  const giveBack = () => void ignoreErrors(() => limiter.reward?.(key, 1));
  let askAgainAt = -Infinity;

  return {
    take() {
      const askedAt = clock.now();
      if (askedAt < askAgainAt) return askAgainAt - askedAt;
      return new Promise((resolve, reject) => {
        let isLate = false;
        const cancelTimer = clock.setTimer(askedAt + REPLY_TIMEOUT_MS, () => {
          isLate = true;
          reject(new NoReplyError(`the limiter did not reply within ${REPLY_TIMEOUT_MS} ms`));
        });
        const onPoint = (reply: unknown) => {
          cancelTimer();
          // The window began after the request was sent, which may be long before the reply.
          const reusableUntil = askedAt + (msBeforeNextOf(reply) ?? Infinity);
          if (!isLate) resolve({ reusableUntil, giveBack });
          else if (clock.now() < reusableUntil) giveBack();
        };
        const onRefusal = (thrown: unknown) => {
          cancelTimer();
          const ms = msBeforeNextOf(thrown);
          if (ms === undefined) return reject(thrown);
          askAgainAt = clock.now() + ms;
          resolve(undefined);
        };
        consume().then(onPoint, onRefusal).catch(reject);
      });
    },
  };
};

/** Returns the pause in milliseconds that a limiter's reply states; `undefined` for an error or an unexpected reply. */
const msBeforeNextOf = (reply: unknown): number | undefined => {
  if (!isJsonObject(reply) || reply instanceof Error) return undefined;
  // A `RateLimiterUnion` returns the reply of each limiter under its name.
  const replies = "msBeforeNext" in reply ? [reply] : Object.values(reply);
  const waits = replies.map((each): unknown => Object(each).msBeforeNext);
  const isStated = waits.length > 0 && waits.every((ms) => typeof ms === "number");
  return isStated ? Math.max(...waits.map((ms) => (ms > 0 ? ms : ASK_AGAIN_MS))) : undefined;
};

/**
 * Creates a provider of p-throttle's turns. A turn cannot be given back, and keeping it for a later call would break the pace.
 */
const paceProvider = (turn: () => unknown): SlotProvider => ({
  hasUnknownWait: true,
  async take() {
    await turn();
    return { reusableUntil: -Infinity, giveBack() {} };
  },
});
