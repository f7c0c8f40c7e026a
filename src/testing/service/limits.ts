import * as z from "zod/mini";
import { assertUsage, CREATE, parseOptions } from "../fake/checks.ts";
import { type FakeClock, MS_PER_UNIT } from "../fake/fake-clock.ts";
import * as f from "../fake/fake-fields.ts";
import type { FakeApi } from "./handler.ts";

const limitSchema = f.objectOf({
  /** Number of calls, 1 or more. Default: 1200. */
  limit: z.optional(f.positiveInteger),
  /** Length of the window in milliseconds of the fake's clock, above 0. Default: 3 600 000 (one hour). */
  interval: z.optional(f.numberThat("a positive number of milliseconds", (ms) => ms > 0)),
});

/** Limit of an account's calls in any window of time. */
type Limit = f.DeepReadonly<z.input<typeof limitSchema>>;

const limitsSchema = f.objectOf({
  ...limitSchema.shape,
  /**
   * Limit of the transactional sends; the specification documents none for them. If this is the only option, version 2 has
   * no limit. Default: none.
   */
  transactional: z.optional(z.unknown() as z.ZodMiniType<Limit, Limit>),
});

/** Rate limits of both APIs: `limit` and `interval` apply to version 2. */
export interface RateLimits extends f.DeepReadonly<z.input<typeof limitsSchema>> {}

/** Counts a call of an account; if the call is one too many, returns the seconds to wait and does not count it. */
export type RateLimit = (accountId: number) => number | undefined;

/** Creates a limit for the calls of accounts in a sliding window of the fake's clock. */
const createRateLimit = (
  { limit = 1200, interval = MS_PER_UNIT.hours }: Limit,
  clock: FakeClock,
): RateLimit => {
  const callsOf = new Map<number, number[]>();
  return (accountId) => {
    const { nowMs } = clock;
    const calls = (callsOf.get(accountId) ?? []).filter((at) => at > nowMs - interval);
    callsOf.set(accountId, calls);
    const [oldest] = calls;
    if (oldest !== undefined && calls.length >= limit) {
      return Math.ceil((oldest + interval - nowMs) / 1000);
    }
    calls.push(nowMs);
    return undefined;
  };
};

const RATE_LIMIT = "rateLimit";
const TRANSACTIONAL = "rateLimit.transactional";

export type ApiRateLimits = { readonly [Api in FakeApi["name"]]?: RateLimit };

/** @throws TypeError when the option is malformed. */
export const createRateLimits = (
  option: boolean | RateLimits,
): ((clock: FakeClock) => ApiRateLimits) => {
  const isKnown = typeof option === "boolean" || (typeof option === "object" && option !== null);
  assertUsage(CREATE, isKnown, "rateLimit must be true, false, or an object");
  if (option === false) return () => ({});
  const limits: RateLimits = option === true ? {} : option;
  const { transactional, ...v2 } = parseOptions(
    CREATE,
    limitsSchema,
    limits,
    RATE_LIMIT,
    RATE_LIMIT,
  );
  const sends =
    transactional === undefined
      ? undefined
      : parseOptions(CREATE, limitSchema, transactional, TRANSACTIONAL, TRANSACTIONAL);
  const hasV2 = !sends || v2.limit !== undefined || v2.interval !== undefined;
  return (clock) => ({
    ...(hasV2 && { v2: createRateLimit(v2, clock) }),
    ...(sends && { transactional: createRateLimit(sends, clock) }),
  });
};
