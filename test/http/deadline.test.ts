import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CallClock, Interruption } from "../../src/http/deadline.ts";

const FOREVER = Number.POSITIVE_INFINITY;
const pending = () => new Promise<never>(() => {});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("CallClock.bound", () => {
  test("settles as the work does, and leaves no timer and no listener", async () => {
    const { signal } = new AbortController();
    const clock = new CallClock(signal, 1000);
    expect(await clock.bound(async () => "done", 100)).toBe("done");
    const failure = new Error("failed");
    await expect(clock.bound(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test.each([
    [FOREVER, 50, "attempt", 50],
    [50, FOREVER, "total", 50],
    [200, 50, "attempt", 50],
    [50, 200, "total", 50],
  ])("a total of %d and a limit of %d end by the %s", async (total, limit, by, ms) => {
    const clock = new CallClock(undefined, total);
    const ended = vi.fn();
    const work = clock.bound((signal) => {
      signal.addEventListener("abort", ended);
      return pending();
    }, limit);
    const expected = expect(work).rejects.toMatchObject({ by, begun: true });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expected;
    expect(ended).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("begins nothing when the signal has fired, or the time is over", async () => {
    const work = vi.fn(pending);
    const aborted = new CallClock(AbortSignal.abort("why"), FOREVER);
    await expect(aborted.bound(work)).rejects.toEqual(new Interruption("signal", false, "why"));
    const late = new CallClock(undefined, 10);
    await vi.advanceTimersByTimeAsync(10);
    await expect(late.bound(work)).rejects.toMatchObject({ by: "total", begun: false });
    expect(work).not.toHaveBeenCalled();
  });

  test("ends by the signal with its reason, whatever becomes of the work", async () => {
    const controller = new AbortController();
    const clock = new CallClock(controller.signal, FOREVER);
    let fail = (_: Error) => {};
    const work = clock.bound(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    controller.abort("why");
    await expect(work).rejects.toMatchObject({ by: "signal", begun: true, reason: "why" });
    fail(new Error("too late"));
    await vi.advanceTimersByTimeAsync(0);
  });

  test("all phases of a call share its time", async () => {
    const clock = new CallClock(undefined, 100);
    const first = clock.pause(60);
    await vi.advanceTimersByTimeAsync(60);
    await first;
    expect(clock.remainingMs).toBe(40);
    const second = expect(clock.pause(60)).rejects.toMatchObject({ by: "total", begun: true });
    await vi.advanceTimersByTimeAsync(40);
    await second;
    expect(clock.remainingMs).toBe(0);
    expect(() => clock.check()).toThrow(Interruption);
  });
});

describe("CallClock.pause", () => {
  test("ends by the signal, and leaves no timer", async () => {
    const controller = new AbortController();
    const clock = new CallClock(controller.signal, FOREVER);
    const pause = expect(clock.pause(1000)).rejects.toMatchObject({ by: "signal" });
    controller.abort();
    await pause;
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});
