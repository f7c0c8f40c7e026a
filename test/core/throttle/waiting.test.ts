// Calls that wait for a slot: the length of the wait, holds, aborts, and cleanup.
import { getEventListeners } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createThrottle, throttleFrom } from "../../../src/index.ts";
import { callersOf, MARGIN, NOW, useFakeTime } from "./callers-of.ts";

useFakeTime();
// Runs before the timers become real again. Afterwards, it would restore a fake timer that a stub had replaced.
afterEach(() => void vi.unstubAllGlobals());

describe("the option maxWait", () => {
  test("maxWait is compared without calls that have left the queue", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100, maxWait: 101 });
    const { admitted, refused, join } = callersOf(throttle);
    const controller = new AbortController();
    join(0);
    join("the one that leaves", { signal: controller.signal });
    controller.abort();
    join("the one that comes instead");
    await vi.runAllTimersAsync();
    expect(refused.map(([name]) => name)).toEqual(["the one that leaves"]);
    expect(admitted.map(([name]) => name)).toEqual([0, "the one that comes instead"]);
  });

  test("maxWait applies to calls that are in the queue when a hold begins", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100, maxWait: 250 });
    const { admitted, refused, join } = callersOf(throttle);
    for (const name of [0, 1, 2]) join(name);
    await vi.advanceTimersByTimeAsync(10);
    throttle.holdUntil(NOW + 251);
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toMatchObject([
      [1, { reason: "max_wait", retryAfterMs: 241 }],
      [2, { reason: "max_wait", retryAfterMs: 241 }],
    ]);
    expect(admitted).toEqual([[0, 0]]);
  });

  test("maxWait refuses a call that a hold delays too long behind another call, once it is first in the queue", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100, maxWait: 250 });
    const { admitted, refused, join } = callersOf(throttle);
    for (const name of [0, 1, 2]) join(name);
    throttle.holdUntil(NOW + 200);
    await vi.advanceTimersByTimeAsync(200);
    expect(refused).toMatchObject([[2, { reason: "max_wait", retryAfterMs: 101 }]]);
    expect(admitted).toEqual([
      [0, 0],
      [1, 200],
    ]);
  });
});

describe("holdUntil", () => {
  test("holdUntil delays queued and new calls, and then admits them within the limit", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    const { admitted, join } = callersOf(throttle);
    for (const name of [0, 1, 2]) join(name);
    throttle.holdUntil(NOW + 1000);
    for (const name of [3, 4]) join(name);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([
      [0, 0],
      [1, 0],
      [2, 1000],
      [3, 1000],
      [4, 1000 + 100 + MARGIN],
    ]);
  });

  test("holdUntil is not shortened by a later hold that ends earlier or is already over", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    const { admitted, join } = callersOf(throttle);
    throttle.holdUntil(NOW + 500);
    throttle.holdUntil(NOW + 100);
    throttle.holdUntil(NOW - 100);
    throttle.holdUntil(Number.NEGATIVE_INFINITY);
    join(0);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([[0, 500]]);
  });

  test("holdUntil refuses only calls, queued or new, whose maxHold is shorter", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const { admitted, refused, join } = callersOf(throttle);
    join(0);
    join("long, queued", { maxHold: 1000 });
    join("short, queued", { maxHold: 999 });
    throttle.holdUntil(NOW + 1000);
    join("short, new", { maxHold: 999 });
    await vi.advanceTimersByTimeAsync(1);
    join("short, when little is left", { maxHold: 999 });
    await vi.runAllTimersAsync();
    expect(refused).toMatchObject([
      ["short, queued", { reason: "held", retryAfterMs: 1000, outcome: "not_sent" }],
      ["short, new", { reason: "held", retryAfterMs: 1000 }],
    ]);
    expect(admitted).toEqual([
      [0, 0],
      ["long, queued", 1000],
      ["short, when little is left", 1000 + 100 + MARGIN],
    ]);
  });

  test.each([Number.NaN, undefined, "soon"])(
    "holdUntil(%s) throws and holds nothing",
    async (moment) => {
      const throttle = createThrottle({ limit: 1, interval: 100 });
      expect(() => throttle.holdUntil(moment as never)).toThrow(
        new TypeError("option `holdUntil` must be a time in epoch milliseconds"),
      );
      const { admitted, join } = callersOf(throttle);
      for (const name of [0, 1]) join(name);
      await vi.runAllTimersAsync();
      expect(admitted).toEqual([
        [0, 0],
        [1, 100 + MARGIN],
      ]);
    },
  );
});

describe("the cost of a hold", () => {
  const HOLDS = 2_000;

  /** Returns the processor time of many holds while calls wait. Each hold ends later than the previous hold. */
  const timeOf = async (
    calls: number,
    maxWait: number | undefined,
    maxHolds: readonly number[],
    holds = HOLDS,
  ) => {
    vi.useRealTimers();
    const throttle = createThrottle({ limit: 1, interval: 1_000, maxWait });
    await throttle.acquire();
    const waiting = Array.from({ length: calls }, (_, index) =>
      throttle.acquire({ maxHold: maxHolds[index] ?? maxHolds.at(-1) }),
    );
    const ended = Promise.allSettled(waiting);
    const begun = process.cpuUsage();
    for (let hold = 1; hold <= holds; hold += 1) {
      throttle.holdUntil(Date.now() + 20_000 * (1 + hold / holds));
      if (hold % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const tookMs = process.cpuUsage(begun).user / 1_000;
    throttle.holdUntil(Date.now() + 70_000);
    await ended;
    return tookMs;
  };

  test.each<[string, maxWait: number | undefined, maxHolds: readonly number[]]>([
    ["", undefined, [60_000]],
    [" with a maxWait", 1e9, [60_000]],
    [" that refuses one of them", undefined, [10, 60_000]],
    [" that refuses all of them", undefined, [30_000]],
  ])("a hold costs the same for one waiting call as for many%s", async (_, maxWait, maxHolds) => {
    const one = await timeOf(1, maxWait, maxHolds);
    const many = await timeOf(20_000, maxWait, maxHolds);
    // Deducts one-time costs of the calls, such as an error for each call.
    const once = await timeOf(20_000, maxWait, maxHolds, 20);
    // If every hold visited every call, this would take several seconds.
    expect(many).toBeLessThan(20 * one + 3 * once + 500);
  });
});

test.each([
  [{ abort: undefined, signals: new AbortController().signal }, "`signals` does not exist"],
  [null, "`options` must be an object"],
])("acquire rejects the options %o", async (options, words) => {
  for (const throttle of [
    createThrottle({ limit: 1, interval: 100 }),
    throttleFrom({ consume: async () => ({}) }, { key: "account-1" }),
  ]) {
    const waiting = throttle.acquire(options as never);
    await expect(waiting).rejects.toThrow(TypeError);
    await expect(waiting).rejects.toThrow(words);
  }
});

test("waits end under fake timers even if performance.now() is real", async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const limited = createThrottle({ limit: 1, interval: 60_000 });
  const held = createThrottle({ limit: 1, interval: 60_000 });
  held.holdUntil(Date.now() + 60_000);
  const { admitted, join } = callersOf(limited);
  const { admitted: admittedLater, join: joinHeld } = callersOf(held);
  for (const name of [0, 1, 2]) join(name);
  joinHeld("held");
  await vi.advanceTimersByTimeAsync(130_000);
  expect([...admitted, ...admittedLater].map(([name]) => name)).toEqual([0, 1, 2, "held"]);
});

test("a call reports once that it has to wait, and for how long, even when it becomes the first in the queue", async () => {
  const throttle = createThrottle({ limit: 1, interval: 100 });
  const { admitted, join } = callersOf(throttle);
  const reports: unknown[] = [];
  for (const name of [0, 1, 2, 3]) {
    join(name, { onQueued: (waitMs) => void reports.push([name, waitMs]) });
  }
  await vi.runAllTimersAsync();
  expect(admitted.map(([name]) => name)).toEqual([0, 1, 2, 3]);
  expect(reports).toEqual([1, 2, 3].map((calls) => [calls, calls * (100 + MARGIN)]));
});

describe("aborts of calls in the queue", () => {
  test("an abort in the queue rejects at once with the signal's reason, and frees the place", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const { admitted, refused, join } = callersOf(throttle);
    const controller = new AbortController();
    const reason = new Error("the user left");
    join(0);
    join(1, { signal: controller.signal });
    join(2);
    controller.abort(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toEqual([[1, reason]]);
    expect(throttle.snapshot().queued).toBe(1);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([
      [0, 0],
      [2, 100 + MARGIN],
    ]);
  });

  test("an abort before the call takes no slot", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const { refused, join } = callersOf(throttle);
    await join(0, { signal: AbortSignal.abort("gone") });
    expect(refused).toEqual([[0, "gone"]]);
    expect(throttle.snapshot()).toMatchObject({ used: 0, queued: 0 });
  });
});

describe("what a throttle leaves behind", () => {
  test("a throttle leaves no listener on a signal, however the wait ended", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100, maxWait: 10_000 });
    const controllers = [0, 1, 2, 3, 4].map(() => new AbortController());
    const { join } = callersOf(throttle);
    controllers.forEach(({ signal }, index) => {
      join(index, { signal, maxHold: index === 3 ? 0 : 60_000 });
    });
    controllers[2]?.abort();
    throttle.holdUntil(NOW + 500);
    throttle.holdUntil(NOW + 50_000);
    await vi.runAllTimersAsync();
    for (const { signal } of controllers) expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a timer that fires a few milliseconds early frees no other slot", async () => {
    const { setTimeout: startTimer } = globalThis;
    vi.stubGlobal("setTimeout", (onEnd: () => void, ms: number) => startTimer(onEnd, ms - 5));
    const throttle = createThrottle({ limit: 2, interval: 1_000 });
    const { admitted, join } = callersOf(throttle);
    join(0);
    await vi.advanceTimersByTimeAsync(500);
    for (const name of [1, 2, 3]) join(name);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(admitted.map(([name]) => name)).toEqual([0, 1, 2, 3]);
    expect(admitted[3]?.[1]).toBeGreaterThan(1_490);
  });

  test.each([
    ["a timer that keeps no process alive", false, 1],
    ["no timer where each timer keeps the process alive", true, 0],
  ])("a hold has %s", (_, isNumber, left) => {
    const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
    const timers: NodeJS.Timeout[] = [];
    vi.stubGlobal("setTimeout", (onEnd: () => void, ms: number) => {
      const timer = startTimer(onEnd, ms);
      const id = timers.push(timer) - 1;
      return isNumber ? id : timer;
    });
    vi.stubGlobal("clearTimeout", (id: number) => stopTimer(timers[id]));
    createThrottle({ limit: 1, interval: 100 }).holdUntil(NOW + 60_000);
    expect(timers.map((timer) => timer.hasRef())).toEqual([isNumber]);
    expect(vi.getTimerCount()).toBe(left);
  });

  test("a call that waits for a turn of unknown length has no timer, unless it has a maxWait", () => {
    for (const maxWait of [undefined, 1_000]) {
      const never = throttleFrom(() => () => new Promise(() => {}), { maxWait });
      callersOf(never).join(0);
      expect(vi.getTimerCount()).toBe(maxWait === undefined ? 0 : 1);
    }
  });

  test("a throttle leaves no timer after the last call was admitted, has left, or was refused", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const { join } = callersOf(throttle);
    const controller = new AbortController();
    join(0);
    expect(vi.getTimerCount()).toBe(0);
    join(1);
    join(2, { signal: controller.signal });
    join(3, { maxHold: 10 });
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(100 + MARGIN);
    controller.abort();
    throttle.holdUntil(NOW + 60_000);
    expect(throttle.snapshot().queued).toBe(0);
    // The remaining timer belongs to the hold and keeps no process alive.
    expect(vi.getTimerCount()).toBe(1);
  });
});
