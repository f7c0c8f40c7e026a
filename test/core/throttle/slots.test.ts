// Slots that are reserved, started or canceled, and that count from their response.
import { describe, expect, test, vi } from "vitest";
import { createThrottle } from "../../../src/index.ts";
import { freeSlot, useSlot } from "../../support/slots.ts";
import { callersOf, MARGIN, NOW, useFakeTime } from "./callers-of.ts";

useFakeTime();

describe("slots of a throttle", () => {
  /** Creates a throttle whose only slot is reserved, and a call that waits for the next slot. */
  const oneWaiting = () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const { admitted, join } = callersOf(throttle);
    const slot = freeSlot(throttle);
    join("next");
    return { throttle, slot, admitted };
  };

  test("reserve returns a free slot synchronously, and otherwise a promise", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    for (const _ of [1, 2]) useSlot(freeSlot(throttle));
    const queued = throttle.reserve();
    expect(queued).toBeInstanceOf(Promise);
    await vi.advanceTimersByTimeAsync(100 + MARGIN);
    (await queued).start();
    expect(throttle.snapshot()).toMatchObject({ used: 1, queued: 0 });
  });

  test("a slot counts against the limit from its reservation, and its window begins at its start", async () => {
    const { throttle, slot, admitted } = oneWaiting();
    await vi.advanceTimersByTimeAsync(350);
    expect(throttle.snapshot()).toMatchObject({ used: 1, remaining: 0, queued: 1 });
    useSlot(slot);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([["next", 450 + MARGIN]]);
  });

  test("slots keep the limit in every window, in whatever order they start", async () => {
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

  test("a canceled slot passes to the next call in the queue at once", async () => {
    const { slot, admitted } = oneWaiting();
    await vi.advanceTimersByTimeAsync(40);
    slot.cancel();
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([["next", 40]]);
  });

  test("a canceled slot becomes free if no call waits", () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    freeSlot(throttle).cancel();
    expect(throttle.snapshot()).toEqual({ used: 0, remaining: 1, queued: 0, nextSlotAt: null });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("only the first call of start and cancel on a slot counts", () => {
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

  test("a throttle that wraps this one may copy the methods of a slot", () => {
    const throttle = createThrottle({ limit: 3, interval: 100 });
    const { start, responded } = { ...freeSlot(throttle) };
    start();
    expect(throttle.snapshot().used).toBe(1);
    responded?.();
    vi.advanceTimersByTime(100 + MARGIN + 1);
    expect(throttle.snapshot().used).toBe(0);
    const { cancel } = { ...freeSlot(throttle) };
    cancel();
    expect(throttle.snapshot().used).toBe(0);
  });

  test("an attempt admitted by acquire counts from the time at which acquire resolves, however busy the tick is", async () => {
    const throttle = createThrottle({ limit: 5, interval: 100 });
    const starts: number[] = [];
    const calls = Array.from({ length: 10 }, async () => {
      await throttle.acquire();
      starts.push(Date.now() - NOW);
    });
    // No promise settles during the synchronous advance.
    vi.advanceTimersByTime(90);
    expect(starts).toEqual([]);
    await vi.runAllTimersAsync();
    await Promise.all(calls);
    const second = 90 + 100 + MARGIN;
    expect(starts).toEqual([90, 90, 90, 90, 90, second, second, second, second, second]);
  });

  test("reserve overtakes neither the queue nor a hold", async () => {
    const throttle = createThrottle({ limit: 2, interval: 100 });
    throttle.holdUntil(NOW + 50);
    const { admitted, join } = callersOf(throttle);
    join("in the queue");
    // The hold has ended, but its timer is late, so the queue has not moved yet.
    const late = performance.now() + 1000;
    vi.stubGlobal("performance", { now: () => late });
    const after = throttle.reserve();
    vi.unstubAllGlobals();
    expect(after).toBeInstanceOf(Promise);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([["in the queue", 50]]);
    (await after).start();
  });

  test.each([
    ["with no response", "responded", undefined, 2 * (100 + MARGIN)],
    ["with a response", "responded", 60, 60 + 100 + MARGIN],
    ["whose response takes longer than the window", "responded", 150, 150 + 100 + MARGIN],
    ["that fails without a response", "cancel", 10, 10 + 100 + MARGIN],
  ] as const)(
    "an attempt %s counts until a window after its end, or two windows after its start",
    async (_, end, endsAt, leavesAt) => {
      const throttle = createThrottle({ limit: 1, interval: 100 });
      const { admitted, join } = callersOf(throttle);
      const slot = freeSlot(throttle);
      slot.start();
      join("next");
      // Only the first call of `end` counts.
      for (const late of [0, 3]) if (endsAt) setTimeout(() => slot[end]?.(), endsAt + late);
      await vi.runAllTimersAsync();
      expect(admitted).toEqual([["next", leavesAt]]);
    },
  );

  test("slots keep the limit in every window if responses arrive out of order", async () => {
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

  test("an attempt without a response counts for two windows, however often the throttle is inspected", () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const slot = freeSlot(throttle);
    vi.advanceTimersByTime(100);
    slot.start();
    for (const ms of [1, 100 + MARGIN, 99]) {
      vi.advanceTimersByTime(ms);
      expect(throttle.snapshot().used).toBe(1);
    }
    vi.advanceTimersByTime(1);
    expect(throttle.snapshot().used).toBe(0);
  });

  test("a response that arrives while the slot after it is reserved leaves no more attempts than the limit", () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const late = freeSlot(throttle);
    late.start();
    vi.advanceTimersByTime(2 * (100 + MARGIN));
    const next = freeSlot(throttle);
    late.responded?.();
    next.start();
    expect(throttle.snapshot()).toMatchObject({ used: 1, remaining: 0 });
  });

  test("the response of an attempt that no longer counts is ignored", async () => {
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const late = freeSlot(throttle);
    late.start();
    await vi.advanceTimersByTimeAsync(202);
    const next = freeSlot(throttle);
    next.start();
    late.responded?.();
    await vi.advanceTimersByTimeAsync(10);
    expect(throttle.snapshot().nextSlotAt).toBe(Date.now() + 100 + MARGIN);
  });

  test("a call after a hold waits a whole window from a slot that started during the hold", async () => {
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
