import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TimeoutError } from "../../src/errors.ts";
import { CallTimer } from "../../src/http/call-timer.ts";

const FOREVER = Number.POSITIVE_INFINITY;
const pending = () => new Promise<never>(() => {});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("CallTimer.run", () => {
  test("CallTimer.run() settles like its work and leaves no timer and no listener", async () => {
    const { signal } = new AbortController();
    const timer = new CallTimer(signal, 1000);
    expect(await timer.run(async () => "done", "not_sent", 100)).toBe("done");
    const failure = new Error("failed");
    await expect(timer.run(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("CallTimer.run() rejects with what its work throws, and leaves no timer and no listener", async () => {
    const { signal } = new AbortController();
    const failure = new Error("failed");
    const failing = new CallTimer(signal, 1000).run(() => {
      throw failure;
    });
    await expect(failing).rejects.toBe(failure);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test.each([
    [FOREVER, 50, "attempt", 50],
    [50, FOREVER, "total", 50],
    [200, 50, "attempt", 50],
    [50, 200, "total", 50],
  ])(
    "CallTimer.run() with a total of %d ms and a limit of %d ms ends at the %s timeout",
    async (total, limit, by, ms) => {
      const timer = new CallTimer(undefined, total);
      const ended = vi.fn();
      const work = timer.run(
        (signal) => {
          signal.addEventListener("abort", ended);
          return pending();
        },
        "unknown",
        limit,
      );
      const expected = expect(work).rejects.toMatchObject({
        code: "timeout",
        phase: by,
        timeoutMs: ms,
        outcome: "unknown",
      });
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(ended).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await expected;
      expect(ended).toHaveBeenCalledTimes(1);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test("CallTimer.run() does not start its work after the signal has fired or the time is over", async () => {
    const work = vi.fn(pending);
    const aborted = new CallTimer(AbortSignal.abort("why"), FOREVER);
    await expect(aborted.run(work)).rejects.toMatchObject({
      code: "abort",
      cause: "why",
      outcome: "not_sent",
    });
    const late = new CallTimer(undefined, 10);
    await vi.advanceTimersByTimeAsync(10);
    await expect(late.run(work)).rejects.toMatchObject({ phase: "total", outcome: "not_sent" });
    expect(work).not.toHaveBeenCalled();
  });

  test("CallTimer.run() rejects with the signal's reason even if its work continues", async () => {
    const controller = new AbortController();
    const timer = new CallTimer(controller.signal, FOREVER);
    let fail = (_: Error) => {};
    const work = timer.run(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
      "done",
    );
    controller.abort("why");
    await expect(work).rejects.toMatchObject({ code: "abort", cause: "why", outcome: "done" });
    fail(new Error("too late"));
    await vi.advanceTimersByTimeAsync(0);
  });

  test.each(["timeout", "abort"])(
    "CallTimer.run() cancels its work once, after its signal has fired, by %s",
    async (code) => {
      const controller = new AbortController();
      const timer = new CallTimer(controller.signal, 50);
      const steps: string[] = [];
      const work = timer.run((signal, phase) => {
        signal.addEventListener("abort", () => steps.push("signal"));
        phase.work = { cancel: () => steps.push("work") };
        return pending();
      });
      const expected = expect(work).rejects.toMatchObject({ code });
      if (code === "abort") controller.abort();
      await vi.advanceTimersByTimeAsync(50);
      controller.abort();
      await expected;
      expect(steps).toEqual(["signal", "work"]);
    },
  );

  test("CallTimer.run() does not cancel work that has settled", async () => {
    const controller = new AbortController();
    const cancel = vi.fn();
    const timer = new CallTimer(controller.signal, 50);
    await timer.run(async (_, phase) => {
      phase.work = { cancel };
    });
    controller.abort();
    await vi.advanceTimersByTimeAsync(50);
    expect(cancel).not.toHaveBeenCalled();
  });

  test("all phases of a call share one total timeout", async () => {
    const timer = new CallTimer(undefined, 100);
    const first = timer.pause(60);
    await vi.advanceTimersByTimeAsync(60);
    await first;
    expect(timer.remainingMs).toBe(40);
    const second = expect(timer.pause(60)).rejects.toMatchObject({ phase: "total" });
    await vi.advanceTimersByTimeAsync(40);
    await second;
    expect(timer.remainingMs).toBe(0);
    expect(() => timer.check()).toThrow(TimeoutError);
  });
});

describe("CallTimer.pause", () => {
  test("CallTimer.pause() ends when the signal fires and leaves no timer", async () => {
    const controller = new AbortController();
    const timer = new CallTimer(controller.signal, FOREVER);
    const pause = expect(timer.pause(1000)).rejects.toMatchObject({ code: "abort" });
    controller.abort();
    await pause;
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});
