import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createThrottle, ThrottleError, type ThrottleOptions } from "../../src/index.ts";
import { freeSlot, useSlot } from "../support/slots.ts";
import { callersOf } from "./callers-of.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
/** A short window is 1 ms longer than the interval, for clocks that count whole milliseconds. */
const MARGIN = 1;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("options of createThrottle", () => {
  test.each<[Partial<Record<keyof ThrottleOptions, unknown>>, named: string]>([
    [{ limit: 0 }, "throttle.limit"],
    [{ limit: -1 }, "throttle.limit"],
    [{ limit: 1.5 }, "throttle.limit"],
    [{ limit: Number.NaN }, "throttle.limit"],
    [{ limit: Number.POSITIVE_INFINITY }, "throttle.limit"],
    [{ limit: "5" }, "throttle.limit"],
    [{ limit: undefined }, "throttle.limit"],
    [{ interval: 0 }, "throttle.interval"],
    [{ interval: -1 }, "throttle.interval"],
    [{ interval: Number.NaN }, "throttle.interval"],
    [{ interval: Number.POSITIVE_INFINITY }, "throttle.interval"],
    [{ interval: "1000" }, "throttle.interval"],
    [{ maxWait: -1 }, "throttle.maxWait"],
    [{ maxWait: Number.NaN }, "throttle.maxWait"],
    [{ maxWait: "5" }, "throttle.maxWait"],
    [{ maxWait: null }, "throttle.maxWait"],
  ])("%j is a TypeError that names the option", (options, named) => {
    const make = () => createThrottle({ limit: 1, interval: 1000, ...options } as ThrottleOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(named);
  });

  test.each<[ThrottleOptions]>([
    [{ limit: 1, interval: 0.5 }],
    [{ limit: 1200, interval: 3_600_000, maxWait: undefined }],
    [{ limit: 1, interval: 1, maxWait: 0 }],
    [{ limit: 1, interval: 1, maxWait: Number.POSITIVE_INFINITY }],
  ])("%j is accepted", (options) => {
    expect(createThrottle(options).snapshot()).toEqual({
      used: 0,
      remaining: options.limit,
      queued: 0,
      nextSlotAt: null,
    });
  });
});

describe("a throttle", () => {
  test("a throttle starts as many calls as the limit at once, and the others in order when the window has passed", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    const { admitted, join } = callersOf(throttle);
    for (const name of [0, 1, 2, 3, 4]) join(name);
    await vi.runAllTimersAsync();
    const window = 100 + MARGIN;
    expect(admitted).toEqual([
      [0, 0],
      [1, 0],
      [2, window],
      [3, window],
      [4, 2 * window],
    ]);
  });

  test("a throttle has a sliding window: each slot is free an interval after it was taken", async () => {
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

  test("a throttle has a margin in proportion at the edge of a long window", async () => {
    const throttle = createThrottle({ limit: 1, interval: 3_600_000 });
    await throttle.acquire();
    expect(throttle.snapshot().nextSlotAt).toBe(NOW + 3_603_600);
  });

  test("a throttle waits longer than a timer can", async () => {
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
  ])("a throttle does not change when the system clock is set %s", async (_, byMs) => {
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

describe("reserve", () => {
  /** A throttle whose only slot is reserved, and a call that waits for the next. */
  const oneWaiting = () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const { admitted, join } = callersOf(throttle);
    const slot = freeSlot(throttle);
    join("next");
    return { throttle, slot, admitted };
  };

  test("reserve returns a free slot synchronously, and a promise otherwise", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    for (const _ of [1, 2]) useSlot(freeSlot(throttle));
    const queued = throttle.reserve();
    expect(queued).toBeInstanceOf(Promise);
    await vi.advanceTimersByTimeAsync(100 + MARGIN);
    (await queued).start();
    expect(throttle.snapshot()).toMatchObject({ used: 1, queued: 0 });
  });

  test("reserve counts a slot against the limit from the reservation, and its window from the start", async () => {
    const { throttle, slot, admitted } = oneWaiting();
    await vi.advanceTimersByTimeAsync(350);
    expect(throttle.snapshot()).toMatchObject({ used: 1, remaining: 0, queued: 1 });
    useSlot(slot);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([["next", 450 + MARGIN]]);
  });

  test("reserve keeps to the window whatever the order in which reserved slots start", async () => {
    const throttle = createThrottle({ limit: 3, interval: 100 });
    const { admitted, join } = callersOf(throttle);
    const [first, second, third] = [1, 2, 3].map(() => freeSlot(throttle));
    for (const name of [4, 5, 6]) join(name);
    useSlot(third);
    await vi.advanceTimersByTimeAsync(30);
    useSlot(first);
    await vi.advanceTimersByTimeAsync(30);
    useSlot(second);
    await vi.runAllTimersAsync();
    const window = 100 + MARGIN;
    expect(admitted).toEqual([
      [4, window],
      [5, 30 + window],
      [6, 60 + window],
    ]);
  });

  test("reserve hands a canceled slot to the next call in the queue at once", async () => {
    const { slot, admitted } = oneWaiting();
    await vi.advanceTimersByTimeAsync(40);
    slot.cancel();
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([["next", 40]]);
  });

  test("reserve frees a canceled slot if no call waits", () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    freeSlot(throttle).cancel();
    expect(throttle.snapshot()).toEqual({ used: 0, remaining: 1, queued: 0, nextSlotAt: null });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("reserve lets only the first of start and cancel count", () => {
    const throttle = createThrottle({ limit: 3, interval: 100 });
    const started = freeSlot(throttle);
    started.start();
    started.start();
    started.cancel();
    const cancelled = freeSlot(throttle);
    cancelled.cancel();
    cancelled.cancel();
    cancelled.start();
    expect(throttle.snapshot()).toMatchObject({ used: 1, remaining: 2 });
  });

  test("reserve counts an attempt of acquire from the time at which it resolves, however busy the tick is", async () => {
    vi.useRealTimers();
    const throttle = createThrottle({ limit: 5, interval: 100 });
    const starts: number[] = [];
    const calls = Array.from({ length: 10 }, async () => {
      await throttle.acquire();
      starts.push(performance.now());
    });
    const begun = performance.now();
    while (performance.now() - begun < 90);
    await Promise.all(calls);
    for (const [index, start] of starts.slice(5).entries()) {
      expect(start - (starts[index] as number)).toBeGreaterThanOrEqual(100);
    }
  });

  test("reserve overtakes neither the queue nor a hold", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    throttle.holdUntil(NOW + 50);
    const { admitted, join } = callersOf(throttle);
    join("in the queue");
    // The timer is late: the hold is over, and the queue has not moved yet.
    vi.setSystemTime(NOW + 1000);
    const after = throttle.reserve();
    expect(after).toBeInstanceOf(Promise);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([["in the queue", 50]]);
    (await after).start();
  });

  test("reserve counts an attempt from its response, because the service received it no later", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const { admitted, join } = callersOf(throttle);
    const slot = freeSlot(throttle);
    slot.start();
    join("next");
    await vi.advanceTimersByTimeAsync(20);
    slot.responded?.();
    await vi.advanceTimersByTimeAsync(3);
    slot.responded?.();
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([["next", 20 + 100 + MARGIN]]);
  });

  test.each([
    ["with no response", undefined],
    ["with a slow response", 60],
  ])(
    "reserve counts an attempt %s for at most a quarter of the window longer",
    async (_, respondsAt) => {
      const throttle = createThrottle({ limit: 1, interval: 100 });
      const { admitted, join } = callersOf(throttle);
      const slot = freeSlot(throttle);
      slot.start();
      join("next");
      if (respondsAt) setTimeout(() => slot.responded?.(), respondsAt);
      await vi.runAllTimersAsync();
      expect(admitted).toEqual([["next", 25 + 100 + MARGIN]]);
    },
  );

  test("reserve counts an attempt without a response as used", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    freeSlot(throttle).start();
    await vi.advanceTimersByTimeAsync(120);
    expect(throttle.snapshot()).toMatchObject({ used: 1, remaining: 1, nextSlotAt: null });
    await vi.advanceTimersByTimeAsync(6);
    expect(throttle.snapshot()).toMatchObject({ used: 0, remaining: 2 });
  });

  test("reserve keeps to the window if responses come in another order", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    const { admitted, join } = callersOf(throttle);
    const [slow, quick] = [freeSlot(throttle), freeSlot(throttle)];
    slow.start();
    useSlot(quick);
    for (const name of [3, 4]) join(name);
    await vi.advanceTimersByTimeAsync(20);
    slow.responded?.();
    await vi.runAllTimersAsync();
    // The fourth could start at 101, but not before the third.
    expect(admitted).toEqual([
      [3, 20 + 100 + MARGIN],
      [4, 20 + 100 + MARGIN],
    ]);
  });

  test("reserve ignores the response of an attempt that no longer counts", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const late = freeSlot(throttle);
    late.start();
    await vi.advanceTimersByTimeAsync(200);
    const next = freeSlot(throttle);
    next.start();
    late.responded?.();
    await vi.advanceTimersByTimeAsync(10);
    expect(throttle.snapshot().nextSlotAt).toBe(Date.now() + 100 + MARGIN);
  });

  test("reserve takes no slot for a signal that has fired", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    await expect(throttle.reserve({ signal: AbortSignal.abort("gone") })).rejects.toBe("gone");
    expect(throttle.snapshot().used).toBe(0);
  });

  test("reserve waits a whole window after the slots that were reserved when a hold ends", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const slot = freeSlot(throttle);
    throttle.holdUntil(NOW + 1000);
    const { admitted, join } = callersOf(throttle);
    join("next");
    await vi.advanceTimersByTimeAsync(980);
    useSlot(slot);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([["next", 1080 + MARGIN]]);
  });
});

describe("snapshot", () => {
  test("snapshot returns the used and the free slots, the length of the queue, and the time of the next free slot", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    const { join } = callersOf(throttle);
    const window = 100 + MARGIN;
    const states = [throttle.snapshot()];
    join(0);
    states.push(throttle.snapshot());
    await vi.advanceTimersByTimeAsync(40);
    for (const name of [1, 2, 3]) join(name);
    states.push(throttle.snapshot());
    await vi.advanceTimersByTimeAsync(window - 40);
    states.push(throttle.snapshot());
    await vi.advanceTimersByTimeAsync(40);
    states.push(throttle.snapshot());
    await vi.advanceTimersByTimeAsync(500);
    states.push(throttle.snapshot());
    expect(states).toEqual([
      { used: 0, remaining: 2, queued: 0, nextSlotAt: null },
      { used: 1, remaining: 1, queued: 0, nextSlotAt: null },
      { used: 2, remaining: 0, queued: 2, nextSlotAt: NOW + window },
      { used: 2, remaining: 0, queued: 1, nextSlotAt: NOW + window + 40 },
      { used: 2, remaining: 0, queued: 0, nextSlotAt: NOW + 2 * window },
      { used: 0, remaining: 2, queued: 0, nextSlotAt: null },
    ]);
  });

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

describe("maxWait", () => {
  test("maxWait refuses at once calls that would wait longer, and reports the wait", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100, maxWait: 2 * (100 + MARGIN) });
    const { admitted, refused, join } = callersOf(throttle);
    for (const name of [0, 1, 2, 3, 4, 5, 6, 7]) join(name);
    await vi.advanceTimersByTimeAsync(0);
    expect(refused.map(([name]) => name)).toEqual([6, 7]);
    const [, error] = refused[0] ?? [];
    expect(error).toBeInstanceOf(ThrottleError);
    expect(error).toMatchObject({ reason: "max_wait", retryAfterMs: 303, outcome: "not_sent" });
    await vi.runAllTimersAsync();
    expect(admitted.map(([name]) => name)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("maxWait of 0 allows a free slot, but no wait", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100, maxWait: 0 });
    const { admitted, refused, join } = callersOf(throttle);
    join(0);
    join(1);
    await vi.advanceTimersByTimeAsync(100 + MARGIN);
    join(2);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted.map(([name]) => name)).toEqual([0, 2]);
    expect(refused.map(([name]) => name)).toEqual([1]);
  });

  test("maxWait does not count calls that have left", async () => {
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
    // The first call in the queue is admitted at 200; the second would be at 301.
    throttle.holdUntil(NOW + 200);
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toMatchObject([[2, { reason: "max_wait", retryAfterMs: 291 }]]);
    throttle.holdUntil(NOW + 251);
    await vi.runAllTimersAsync();
    expect(refused).toMatchObject([
      [2, {}],
      [1, { reason: "max_wait", retryAfterMs: 241 }],
    ]);
    expect(admitted).toEqual([[0, 0]]);
  });
});

describe("holdUntil", () => {
  test("holdUntil holds queued and new calls back, then admits them within the limit", async () => {
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

  test("holdUntil is not shortened by a later hold that ends sooner or is already over", async () => {
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

  test("holdUntil refuses only those calls, queued or new, that would not wait that long", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const { admitted, refused, join } = callersOf(throttle);
    join(0);
    join("short, queued", { maxHold: 999 });
    join("long, queued", { maxHold: 1000 });
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
    "%s is refused, and holds nothing back",
    async (moment) => {
      const throttle = createThrottle({ limit: 1, interval: 100 });
      expect(() => throttle.holdUntil(moment as never)).toThrow(TypeError);
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

describe("an abort", () => {
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

describe("a throttle leaves behind", () => {
  test("no listener on a signal, however the wait ended", async () => {
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

  test("no timer once the last call has been admitted, has left or was refused", async () => {
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
    expect(vi.getTimerCount()).toBe(0);
  });
});
