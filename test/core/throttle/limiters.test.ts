// Limiters of rate-limiter-flexible behind `throttleFrom`.
import * as rateLimiterFlexible from "rate-limiter-flexible";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { throttleFrom } from "../../../src/index.ts";
import { requireFixture } from "../../support/fixture.ts";
import { callersOf, useFakeTime } from "./callers-of.ts";

const key = "account-1";

useFakeTime();

/** The newest version is the project's own. The others are both ends of the range in `peerDependencies`. */
const PACKAGES = [
  { version: "the project's rate-limiter-flexible", load: () => rateLimiterFlexible },
  { version: "the lowest one", load: () => loadPeer("rate-limiter-flexible-lowest") },
  { version: "the newest one", load: () => loadPeer("rate-limiter-flexible-newest") },
];

const loadPeer = (name: string): typeof rateLimiterFlexible => requireFixture("first-ring", name);

describe.each(PACKAGES)("limiters of $version", ({ load }) => {
  let limiters: typeof rateLimiterFlexible;
  beforeAll(() => {
    limiters = load();
  });

  const memory = (points: number, duration: number, keyPrefix = "memory") =>
    new limiters.RateLimiterMemory({ points, duration, keyPrefix });
  const sixThrough = async (limiter: Parameters<typeof throttleFrom>[0]) => {
    const { admitted, refused, join } = callersOf(throttleFrom(limiter, { key }));
    for (const name of [0, 1, 2, 3, 4, 5]) join(name);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(refused).toEqual([]);
    expect(admitted.map(([name]) => name)).toEqual([0, 1, 2, 3, 4, 5]);
    return admitted.map(([, atMs]) => Math.floor(atMs / 1000));
  };

  test("limiters in memory keep their pace", async () => {
    expect(await sixThrough(memory(2, 1))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  test("limiters with bursts keep both budgets", async () => {
    const limiter = new limiters.BurstyRateLimiter(memory(1, 1, "steady"), memory(2, 60, "burst"));
    expect(await sixThrough(limiter)).toEqual([0, 0, 0, 1, 2, 3]);
  });

  test("limiters in a union keep every budget", async () => {
    const limiter = new limiters.RateLimiterUnion(memory(1, 1, "pace"), memory(3, 10, "budget"));
    const seconds = await sixThrough(limiter as never);
    expect(seconds).toHaveLength(6);
    for (const [index, second] of seconds.entries()) {
      if (index > 0) expect(second).toBeGreaterThan(seconds[index - 1] ?? 0);
      if (index > 2) expect(second).toBeGreaterThanOrEqual((seconds[index - 3] ?? 0) + 10);
    }
  });

  test("limiters with a white list admit its keys", async () => {
    const limiter = new limiters.RLWrapperBlackAndWhite({
      limiter: memory(1, 60),
      whiteList: [key],
    });
    expect(await sixThrough(limiter as never)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
