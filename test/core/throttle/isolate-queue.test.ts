// Throttles in an isolate that requests share. Each call polls for its slot with its own timer. test/reliability/isolates covers
// workerd.
import { getEventListeners } from "node:events";
import pThrottle from "p-throttle";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createThrottle, throttleFrom } from "../../../src/index.ts";
import { freeSlot, useSlot } from "../../support/slots.ts";
import { callersOf, MARGIN, NOW, useFakeTime } from "./callers-of.ts";

const key = "account-1";

useFakeTime();
beforeEach(() => void vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" }));
afterEach(() => void vi.unstubAllGlobals());

describe("a throttle in a shared isolate", () => {
  test("a throttle in a shared isolate serves its calls in order, within the limit", async () => {
    const throttle = createThrottle({ limit: 2, interval: 1_000 });
    const { admitted, join } = callersOf(throttle);
    for (const name of [0, 1, 2, 3, 4]) join(name);
    expect(throttle.snapshot()).toMatchObject({ used: 2, queued: 3 });
    await vi.advanceTimersByTimeAsync(3_000);
    const windows = admitted.map(([name, atMs]) => [name, Math.floor(atMs / (1_000 + MARGIN))]);
    expect(windows).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 2],
    ]);
    expect(admitted[4]?.[1]).toBeLessThan(2_010);
    expect(throttle.snapshot().queued).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a call in a shared isolate that is aborted loses its place at once, and leaves nothing behind", async () => {
    const throttle = createThrottle({ limit: 1, interval: 1_000 });
    const { admitted, refused, join } = callersOf(throttle);
    const controller = new AbortController();
    join(0);
    join(1, { signal: controller.signal });
    join(2);
    await vi.advanceTimersByTimeAsync(10);
    controller.abort("gone");
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toEqual([[1, "gone"]]);
    expect(throttle.snapshot().queued).toBe(1);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    await join(3, { signal: AbortSignal.abort("before") });
    expect(refused[1]).toEqual([3, "before"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(admitted.map(([name]) => name)).toEqual([0, 2]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a call in a shared isolate waits for a hold, or is refused if it may not wait that long", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100, maxWait: 5_000 });
    const { admitted, refused, join } = callersOf(throttle);
    for (const name of [0, 1, 2]) join(name);
    join("short", { maxHold: 500 });
    throttle.holdUntil(NOW + 1_000);
    join("new and short", { maxHold: 999 });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(refused.map(([name]) => name).toSorted()).toEqual(["new and short", "short"]);
    expect(refused[0]?.[1]).toMatchObject({ code: "throttle", reason: "held" });
    expect(admitted.slice(0, 2)).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(admitted[2]?.[0]).toBe(2);
    expect(admitted[2]?.[1]).toBeGreaterThanOrEqual(1_000);
    throttle.holdUntil(NOW + 60_000);
    join("too late");
    await vi.advanceTimersByTimeAsync(0);
    expect(refused[2]).toMatchObject(["too late", { reason: "max_wait", retryAfterMs: 58_500 }]);
  });

  test("a hold that begins while the first call waits refuses it if its maxWait is shorter", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100, maxWait: 5_000 });
    const { refused, join } = callersOf(throttle);
    for (const name of [0, 1]) join(name);
    throttle.holdUntil(NOW + 60_000);
    await vi.advanceTimersByTimeAsync(200);
    expect(refused).toMatchObject([[1, { reason: "max_wait" }]]);
  });

  test("a canceled slot in a shared isolate is free for the next call", async () => {
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    const slot = freeSlot(throttle);
    const { admitted, join } = callersOf(throttle);
    join("next");
    await vi.advanceTimersByTimeAsync(100);
    slot.cancel();
    await vi.advanceTimersByTimeAsync(200);
    expect(admitted).toMatchObject([["next", 200]]);
  });

  test("a call in a shared isolate whose request has ended loses its place", async () => {
    const throttle = createThrottle({ limit: 1, interval: 1_000 });
    const { admitted, join } = callersOf(throttle);
    for (const name of [0, "of the ended request"]) join(name);
    // The timers of a request are dropped when it ends.
    vi.clearAllTimers();
    await vi.advanceTimersByTimeAsync(501);
    expect(throttle.snapshot().queued).toBe(0);
    join("next");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(admitted.map(([name]) => name)).toEqual([0, "next"]);
  });

  test("a reserved slot in a shared isolate is free again when its request has ended", async () => {
    const throttle = createThrottle({ limit: 1, interval: 1_000 });
    freeSlot(throttle);
    // The timers of a request are dropped when it ends.
    vi.clearAllTimers();
    const { admitted, join } = callersOf(throttle);
    join("next");
    await vi.advanceTimersByTimeAsync(1_300);
    expect(admitted.map(([name]) => name)).toEqual(["next"]);
    vi.advanceTimersByTime(2_000);
    useSlot(freeSlot(throttle));
  });

  test("a slot in a shared isolate stays reserved while a check of its call takes longer than the window", async () => {
    const throttle = createThrottle({ limit: 1, interval: 50 });
    const slot = freeSlot(throttle);
    const { admitted, join } = callersOf(throttle);
    join("next");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(admitted).toEqual([]);
    useSlot(slot);
    await vi.advanceTimersByTimeAsync(500);
    expect(admitted).toMatchObject([["next", expect.any(Number)]]);
    expect(admitted[0]?.[1]).toBeGreaterThan(2_050);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a throttle over a limiter in a shared isolate", () => {
  test("a call over a limiter waits as long as the limiter asks, and gives back a point that it cannot use", async () => {
    const replies = [{ msBeforeNext: 500, isRefusal: true }, { msBeforeNext: 60_000 }];
    const consume = vi.fn(async () => {
      const { isRefusal = false, msBeforeNext } = replies.shift() ?? { msBeforeNext: 60_000 };
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (isRefusal) throw { msBeforeNext };
      return { msBeforeNext };
    });
    const reward = vi.fn(async () => {});
    const throttle = throttleFrom({ consume, reward }, { key });
    const { admitted, refused, join } = callersOf(throttle);
    join(0);
    await vi.advanceTimersByTimeAsync(600);
    expect(admitted).toHaveLength(1);
    expect(admitted[0]?.[1]).toBeGreaterThanOrEqual(520);
    expect(consume).toHaveBeenCalledTimes(2);

    const controller = new AbortController();
    join(1, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(5);
    controller.abort("gone");
    await vi.advanceTimersByTimeAsync(100);
    expect(refused).toEqual([[1, "gone"]]);
    expect(reward).toHaveBeenCalledTimes(1);

    join(2);
    await vi.advanceTimersByTimeAsync(5);
    throttle.holdUntil?.(Date.now() + 1_000);
    await vi.advanceTimersByTimeAsync(100);
    expect(reward).toHaveBeenCalledTimes(2);
    expect(admitted).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(admitted.map(([name]) => name)).toEqual([0, 2]);
  });

  test("a call over a limiter fails with the limiter's reason, and the next call is served", async () => {
    let isBroken = true;
    const consume = async () => {
      if (isBroken) throw new Error("Table is not created yet");
      return {};
    };
    const { admitted, refused, join } = callersOf(throttleFrom({ consume }, { key, maxWait: 50 }));
    join(0);
    await vi.advanceTimersByTimeAsync(0);
    isBroken = false;
    join(1);
    await vi.advanceTimersByTimeAsync(300);
    const message = "the throttle's limiter failed: Table is not created yet";
    expect(refused).toMatchObject([[0, { reason: "unavailable", message }]]);
    expect(admitted.map(([name]) => name)).toEqual([1]);
  });

  test("all calls that have waited for a limiter's reply fail after 10 seconds, and the next call asks again", async () => {
    let isSilent = true;
    const consume = () => (isSilent ? new Promise(() => {}) : Promise.resolve({}));
    const { admitted, refused, join } = callersOf(throttleFrom({ consume }, { key }));
    for (const name of [0, 1, 2]) join(name);
    await vi.advanceTimersByTimeAsync(9_000);
    join(3);
    await vi.advanceTimersByTimeAsync(1_300);
    const reason = "unavailable";
    expect(refused.toSorted()).toMatchObject([0, 1, 2, 3].map((name) => [name, { reason }]));
    isSilent = false;
    join(4);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted.map(([name]) => name)).toEqual([4]);
  });

  test("a call over a limiter is refused if the limiter states a longer wait than maxWait", async () => {
    const consume = () => Promise.reject({ msBeforeNext: 500 });
    const { refused, join } = callersOf(throttleFrom({ consume }, { key, maxWait: 499 }));
    join(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toMatchObject([[0, { reason: "max_wait", retryAfterMs: 500 }]]);
  });

  test.each([
    [100, [[0, { reason: "max_wait" }]]],
    [Number.POSITIVE_INFINITY, []],
    [2 ** 33, []],
  ])(
    "a call over p-throttle waits for its turn for at most maxWait: %d ms",
    async (maxWait, expected) => {
      const pace = pThrottle({ limit: 1, interval: 500, strict: true });
      pace(() => {})();
      const { admitted, refused, join } = callersOf(throttleFrom(pace, { maxWait }));
      join(0);
      await vi.advanceTimersByTimeAsync(600);
      expect(refused).toMatchObject(expected);
      expect(admitted).toHaveLength(1 - expected.length);
    },
  );
});

test("a call in a shared isolate reports once that it has to wait, for how long, and whether that is known", async () => {
  const reports: unknown[] = [];
  const onQueued = (...waits: unknown[]) => void reports.push(...waits, "|");
  const throttle = createThrottle({ limit: 1, interval: 1_000 });
  const { join } = callersOf(throttle);
  for (const name of [0, 1, 2]) join(name, { onQueued });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reports).toEqual([2 * (1_000 + MARGIN), "|", 1_000 + MARGIN, "|"]);

  reports.length = 0;
  let asked = 0;
  const consume = async () => {
    asked += 1;
    if (asked === 1) throw { msBeforeNext: 300 };
  };
  const limited = callersOf(throttleFrom({ consume }, { key }));
  for (const name of [0, 1]) limited.join(name, { onQueued });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(limited.admitted).toHaveLength(2);
  expect(reports).toEqual([undefined, "|", 300, "|"]);
});
