import { checkThat } from "../misuse.ts";
import type { FakeClock } from "./fake-clock.ts";

/** How many calls of version 2 an account may make, and in which time. */
export interface RateLimitOptions {
  /** Default: 1200 (specification: "Limits"). */
  readonly limit?: number | undefined;
  /** Milliseconds of the fake's clock. Default: one hour. */
  readonly interval?: number | undefined;
}

/** Counts the calls of accounts in a sliding window of the fake's clock. */
export class RateLimit {
  readonly #limit: number;
  readonly #intervalMs: number;
  readonly #clock: FakeClock;
  readonly #calls = new Map<number, number[]>();

  constructor({ limit = 1200, interval = 3_600_000 }: RateLimitOptions, clock: FakeClock) {
    const call = "createFakeService";
    const isCount = Number.isSafeInteger(limit) && limit > 0;
    checkThat(call, isCount, "rateLimit.limit must be a positive integer");
    const isTime = Number.isFinite(interval) && interval > 0;
    checkThat(call, isTime, "rateLimit.interval must be a positive number of milliseconds");
    this.#limit = limit;
    this.#intervalMs = interval;
    this.#clock = clock;
  }

  /** Counts a call; seconds to wait where it is one too many, which then does not count. */
  secondsToWait(accountId: number): number | undefined {
    const { nowMs } = this.#clock;
    const calls = (this.#calls.get(accountId) ?? []).filter((at) => at > nowMs - this.#intervalMs);
    this.#calls.set(accountId, calls);
    const [oldest] = calls;
    if (oldest !== undefined && calls.length >= this.#limit) {
      return Math.ceil((oldest + this.#intervalMs - nowMs) / 1000);
    }
    calls.push(nowMs);
    return undefined;
  }
}
