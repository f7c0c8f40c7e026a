import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { createThrottle, type ThrottleOptions } from "../../../src/index.ts";
import { freeSlot, useSlot } from "../../support/slots.ts";
import { callersOf, MARGIN, NOW, useFakeTime } from "./callers-of.ts";

useFakeTime();

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
const usedMemory = (): number => {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

describe("options of createThrottle", () => {
  test.each<[Readonly<Record<string, unknown>>, named: string]>([
    [{ limit: 0 }, "throttle.limit"],
    [{ limit: 1.5 }, "throttle.limit"],
    [{ limit: undefined }, "throttle.limit"],
    [{ interval: 0 }, "throttle.interval"],
    [{ interval: Number.POSITIVE_INFINITY }, "throttle.interval"],
    [{ interval: "1000" }, "throttle.interval"],
    [{ maxWait: -1 }, "throttle.maxWait"],
    [{ maxWait: null }, "throttle.maxWait"],
    [{ maxWaits: 5 }, "throttle.maxWaits"],
  ])("createThrottle throws a TypeError that names the option for %j", (options, named) => {
    const make = () => createThrottle({ limit: 1, interval: 1000, ...options });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(named);
  });

  test.each<[Readonly<Record<string, unknown>> | undefined, message: string]>([
    [{ limit: 0, interval: 1 }, "option `throttle.limit` must be a positive integer"],
    [{ limit: 1, interval: 0 }, "option `throttle.interval` must be milliseconds above 0"],
    [undefined, "option `throttle` must be an object"],
  ])("createThrottle(%j) says what would be right", (options, message) => {
    expect(() => createThrottle(options as never)).toThrow(new TypeError(message));
  });

  test.each<[ThrottleOptions]>([
    [{ limit: 1, interval: 0.5 }],
    [{ limit: 1200, interval: 3_600_000, maxWait: undefined }],
    [{ limit: 1, interval: 1, maxWait: 0 }],
    [{ limit: 1, interval: 1, maxWait: Number.POSITIVE_INFINITY }],
  ])("createThrottle accepts %j", (options) => {
    expect(createThrottle(options).snapshot()).toEqual({
      used: 0,
      remaining: options.limit,
      queued: 0,
      nextSlotAt: null,
    });
  });
});

describe("a throttle", () => {
  test("a throttle has a sliding window, in which each slot becomes free an interval after it was taken", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    const { admitted, join } = callersOf(throttle);
    join("first");
    await vi.advanceTimersByTimeAsync(60);
    for (const name of ["second", "third", "fourth"]) join(name);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([
      ["first", 0],
      ["second", 60],
      ["third", 100 + MARGIN],
      ["fourth", 160 + MARGIN],
    ]);
  });

  test("a throttle adds a proportional margin to a long window", async () => {
    const throttle = createThrottle({ limit: 1, interval: 3_600_000 });
    await throttle.acquire();
    expect(throttle.snapshot().nextSlotAt).toBe(NOW + 3_603_600);
  });

  test("a throttle can wait longer than the maximum of a timer", async () => {
    const days = 24 * 3_600_000;
    const throttle = createThrottle({ limit: 1, interval: 60 * days });
    const { admitted, join } = callersOf(throttle);
    join(0);
    join(1);
    await vi.advanceTimersByTimeAsync(59 * days);
    expect(admitted).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2 * days);
    expect(admitted).toHaveLength(2);
  });

  test.each([
    ["forward", 3_600_000],
    ["back", -3_600_000],
  ])("a throttle is not affected if the system clock is set %s", async (_, byMs) => {
    const throttle = createThrottle({ limit: 1, interval: 1000 });
    const { admitted, join } = callersOf(throttle);
    join(0);
    vi.setSystemTime(NOW + byMs);
    join(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(admitted).toEqual([[0, 0]]);
    await vi.advanceTimersByTimeAsync(2);
    expect(admitted).toHaveLength(2);
  });
});

describe("what a throttle remembers", () => {
  /** Starts one attempt each millisecond, with immediate responses. Returns the growth of the memory in bytes. */
  const growthBy = (attempts: number, limit: number, interval: number) => {
    const throttle = createThrottle({ limit, interval });
    const begin = (count: number) => {
      for (let index = 0; index < count; index += 1) {
        useSlot(freeSlot(throttle));
        vi.advanceTimersByTime(1);
      }
    };
    begin(1_000);
    expect(throttle.snapshot().used).toBe(Math.min(1_000, interval + MARGIN - 1));
    const before = usedMemory();
    begin(attempts);
    return { throttle, bytes: usedMemory() - before };
  };

  test("a throttle whose limit is out of reach forgets every attempt that has left the window", () => {
    // Garbage of other tests in this process may distort a single measurement.
    const measured = [1, 2, 3].map(() => growthBy(100_000, 1e9, 10));
    expect(measured.at(-1)?.throttle.snapshot()).toMatchObject({ used: 10, nextSlotAt: null });
    // Each attempt that the throttle keeps takes at least 8 bytes.
    expect(Math.min(...measured.map(({ bytes }) => bytes))).toBeLessThan(400_000);
    // Proves that the measurement detects attempts that are kept.
    expect(growthBy(100_000, 1e9, 60_000).bytes).toBeGreaterThan(600_000);
  });
});

describe("snapshot of a throttle", () => {
  test("snapshot returns the end of a hold as the next slot", () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    throttle.holdUntil(NOW + 5000);
    expect(throttle.snapshot()).toEqual({
      used: 0,
      remaining: 2,
      queued: 0,
      nextSlotAt: NOW + 5000,
    });
    vi.advanceTimersByTime(5000);
    expect(throttle.snapshot().nextSlotAt).toBeNull();
  });
});
