import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createThrottle, type RequestOptions, V2Client } from "../../src/index.ts";
import { clientsOf, errorOf } from "../support/calls.ts";

const ENDPOINT = "GET /api/v2/momt_reports/{ID}";
const progress = (percent_complete: number) => ({
  status: "OK",
  momt_report: { percent_complete },
});
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client whose reports are at these percents, one after another; the last for ever. */
const reportsAt = (percents: readonly number[], options = {}) => {
  const begun = performance.now();
  const asked: number[] = [];
  const fetch = async () => {
    asked.push(Math.round(performance.now() - begun));
    return Response.json(progress(percents[Math.min(asked.length, percents.length) - 1] ?? 0));
  };
  const { v2 } = clientsOf(
    { baseUrl: "https://app.example.com" },
    { fetch, responseValidation: "off", retry: 0, ...options },
  );
  return { asked, momtReports: v2.momtReports, begun };
};
const settled = <T>(promise: Promise<T>) => {
  // Looked at when the time has passed.
  promise.catch(() => {});
  return promise;
};

describe("waitUntilFinished", () => {
  test.each([
    [undefined, [0, 10_000, 20_000]],
    [250, [0, 250, 500]],
    [0, [0, 0, 0]],
    [30 * 24 * HOUR, [0, 30 * 24 * HOUR, 60 * 24 * HOUR]],
  ])("polls every %s ms", async (interval, expected) => {
    const { asked, momtReports } = reportsAt([0, 50, 100]);
    const told: number[] = [];
    const report = settled(
      momtReports.waitUntilFinished(3, {
        interval,
        onProgress: ({ percent_complete }) => told.push(percent_complete),
      }),
    );
    await vi.runAllTimersAsync();
    expect(await report).toEqual({ percent_complete: 100 });
    expect(asked).toEqual(expected);
    expect(told).toEqual([0, 50, 100]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waits an interval after an answer, not after a question", async () => {
    const begun = performance.now();
    const asked: number[] = [];
    const fetch = async () => {
      asked.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 700));
      return Response.json(progress(50 * asked.length));
    };
    const { v2 } = clientsOf(
      { baseUrl: "https://a.example.com" },
      { fetch, responseValidation: "off" },
    );
    const report = settled(v2.momtReports.waitUntilFinished(3, { interval: 1000 }));
    await vi.runAllTimersAsync();
    await report;
    expect(asked).toEqual([0, 1700]);
  });

  test("leaves it to isFinished alone, which is told each report", async () => {
    const { asked, momtReports } = reportsAt([100, 100, 30]);
    const isFinished = vi.fn(({ percent_complete }) => percent_complete < 50);
    const report = settled(momtReports.waitUntilFinished(3, { interval: 1, isFinished }));
    await vi.runAllTimersAsync();
    expect(await report).toEqual({ percent_complete: 30 });
    expect(asked).toHaveLength(3);
    expect(isFinished).toHaveBeenCalledTimes(3);
  });

  test.each(["onProgress", "isFinished"])("rejects with what %s throws, and ends", async (name) => {
    const { asked, momtReports } = reportsAt([0]);
    const thrown = new Error("a mistake");
    const callback = () => {
      throw thrown;
    };
    await expect(momtReports.waitUntilFinished(3, { [name]: callback })).rejects.toBe(thrown);
    await vi.runAllTimersAsync();
    expect(asked).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    [{ interval: -1 }, "interval"],
    [{ interval: "5" }, "interval"],
    [{ interval: Number.NaN }, "interval"],
    [{ totalTimeout: 0 }, "totalTimeout"],
    [{ totalTimeout: -1 }, "totalTimeout"],
    [{ timeout: 0 }, "timeout"],
  ])("refuses %j with a rejection, and asks nothing", async (options, named) => {
    const { asked, momtReports } = reportsAt([0]);
    const error = await errorOf(momtReports.waitUntilFinished(3, options as RequestOptions));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(`\`${named}\``);
    expect(asked).toEqual([]);
  });

  test("passes on the error of a poll, after which nothing is asked", async () => {
    const fetch = vi.fn(async () => new Response("{}", { status: 404 }));
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { fetch });
    await expect(v2.momtReports.waitUntilFinished(3)).rejects.toMatchObject({
      code: "not_found",
      outcome: "rejected",
      endpoint: ENDPOINT,
    });
    await vi.runAllTimersAsync();
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe("totalTimeout", () => {
  test("bounds the whole wait", async () => {
    const { asked, momtReports } = reportsAt([0]);
    const options = { interval: 1000, totalTimeout: 2500 };
    const failed = errorOf(momtReports.waitUntilFinished(3, options));
    await vi.advanceTimersByTimeAsync(2500);
    const expected = { code: "timeout", phase: "total", timeoutMs: 2500, endpoint: ENDPOINT };
    expect(await failed).toMatchObject({ ...expected, outcome: "unknown", attempts: 3 });
    await vi.runAllTimersAsync();
    expect(asked).toEqual([0, 1000, 2000]);
  });

  test("of the client bounds each poll, and that of the wait does not", async () => {
    const { asked, momtReports } = reportsAt([0, 0, 0, 100], { totalTimeout: 1000 });
    const report = settled(momtReports.waitUntilFinished(3, { interval: 900 }));
    await vi.runAllTimersAsync();
    expect(await report).toEqual({ percent_complete: 100 });
    expect(asked).toHaveLength(4);
    const fetch = () => new Promise<Response>(() => {});
    const { v2 } = clientsOf({ baseUrl: "https://a.example.com" }, { fetch, totalTimeout: 1000 });
    const failed = errorOf(v2.momtReports.waitUntilFinished(3, { totalTimeout: HOUR }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failed).toMatchObject({ phase: "total", timeoutMs: 1000 });
  });

  test("in the throttle's queue of the first poll: nothing was sent", async () => {
    const throttle = createThrottle({ limit: 1, interval: HOUR });
    await throttle.acquire();
    const { asked, momtReports } = reportsAt([0], { throttle });
    const failed = errorOf(momtReports.waitUntilFinished(3, { totalTimeout: 1000 }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failed).toMatchObject({ phase: "total", outcome: "not_sent", attempts: 0 });
    expect(asked).toEqual([]);
    expect(throttle.snapshot().queued).toBe(0);
  });
});

describe("a signal that fires", () => {
  const reason = new Error("the user left");

  test("before: nothing is asked", async () => {
    const { asked, momtReports } = reportsAt([0]);
    const signal = AbortSignal.abort(reason);
    const error = await errorOf(momtReports.waitUntilFinished(3, { signal }));
    expect(error).toMatchObject({ name: "AbortError", outcome: "not_sent", attempts: 0 });
    expect(error.cause).toBe(reason);
    expect(asked).toEqual([]);
  });

  test("between two polls, or in the queue of the second", async () => {
    for (const throttle of [false, createThrottle({ limit: 1, interval: HOUR })]) {
      const { asked, momtReports } = reportsAt([0], { throttle });
      const controller = new AbortController();
      const { signal } = controller;
      const failed = errorOf(momtReports.waitUntilFinished(3, { signal, interval: 1000 }));
      await vi.advanceTimersByTimeAsync(throttle ? 1500 : 500);
      controller.abort(reason);
      expect(await failed).toMatchObject({ code: "abort", outcome: "unknown", attempts: 1 });
      expect(getEventListeners(signal, "abort")).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
      expect(asked).toEqual([0]);
    }
  });

  test("in a poll ends that request, even where fetch does not heed it", async () => {
    let given: AbortSignal | null | undefined;
    const fetch = (_: unknown, init?: RequestInit) => {
      given = init?.signal;
      return new Promise<Response>(() => {});
    };
    const v2 = new V2Client({
      ...{ baseUrl: "https://app.example.com", email: "owner@example.com", apiKey: "key-1" },
      fetch,
    });
    const controller = new AbortController();
    const failed = errorOf(v2.momtReports.waitUntilFinished(3, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(reason);
    expect(await failed).toMatchObject({ code: "abort", outcome: "unknown", attempts: 1 });
    expect(given?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
