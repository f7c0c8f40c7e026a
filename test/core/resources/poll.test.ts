import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type ClientEvent,
  ConnectionError,
  createThrottle,
  type RequestOptions,
  V2Client,
} from "../../../src/index.ts";
import { clientsOf, errorOf } from "../../support/calls.ts";

const ENDPOINT = "GET /api/v2/momt_reports/{ID}";
const FILE = "https://files.example.com/3.csv";
const reportAt = (percent_complete: number) => ({
  percent_complete,
  s3_url: percent_complete < 100 ? null : FILE,
});
const progress = (percent_complete: number) => ({
  status: "OK",
  momt_report: reportAt(percent_complete),
});
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns a client whose report has the given percentages in turn. The last percentage is repeated. */
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
  // The promise is awaited only after the fake time has passed, so mark its rejection as handled.
  promise.catch(() => {});
  return promise;
};

describe("waitUntilFinished", () => {
  test.each([
    [undefined, [0, 10_000, 20_000]],
    [250, [0, 250, 500]],
    [0, [0, 1, 2]],
    [30 * 24 * HOUR, [0, 30 * 24 * HOUR, 60 * 24 * HOUR]],
  ])("waitUntilFinished polls every %s ms", async (interval, expected) => {
    const { asked, momtReports } = reportsAt([0, 50, 100]);
    const told: number[] = [];
    const report = settled(
      momtReports.waitUntilFinished(3, {
        interval,
        onProgress: ({ percent_complete }) => told.push(percent_complete),
      }),
    );
    await vi.runAllTimersAsync();
    expect(await report).toEqual(reportAt(100));
    expect(asked).toEqual(expected);
    expect(told).toEqual([0, 50, 100]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waitUntilFinished without a pause lets timers fire, even if fetch never waits", async () => {
    let polls = 0;
    const fetch = async () => {
      polls += 1;
      return Response.json(progress(50), { status: polls > 1_000 ? 404 : 200 });
    };
    const { momtReports } = reportsAt([], { fetch });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const { signal } = controller;
    const wait = settled(momtReports.waitUntilFinished(3, { interval: 0, signal }));
    await vi.advanceTimersByTimeAsync(100);
    expect(await errorOf(wait)).toMatchObject({ code: "abort" });
  });

  test("waitUntilFinished waits for the interval after a response, not after a request", async () => {
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

  test.each([
    ["a result", (isLast: boolean) => isLast],
    ["a promise", async (isLast: boolean) => isLast],
  ])("isFinished decides for each report by %s", async (_, toResult) => {
    const { asked, momtReports } = reportsAt([100, 100, 30]);
    const isFinished = vi.fn(({ percent_complete }) => toResult(percent_complete < 50));
    const report = settled(momtReports.waitUntilFinished(3, { interval: 1, isFinished }));
    await vi.runAllTimersAsync();
    expect(await report).toEqual(reportAt(30));
    expect(asked).toHaveLength(3);
    expect(isFinished).toHaveBeenCalledTimes(3);
  });

  const thrown = new ConnectionError("of another call", "unknown");
  const throws = () => {
    throw thrown;
  };
  test.each([
    ["onProgress throws", { onProgress: throws }],
    ["isFinished throws", { isFinished: throws }],
    ["a promise of onProgress has", { onProgress: async () => throws() }],
    ["a promise of isFinished has", { isFinished: async () => throws() }],
  ])(
    "waitUntilFinished rejects with the error that %s, and stops polling",
    async (_, callbacks) => {
      const { asked, momtReports } = reportsAt([0]);
      expect(await errorOf(momtReports.waitUntilFinished(3, callbacks))).toBe(thrown);
      expect(thrown.endpoint).toBeUndefined();
      await vi.runAllTimersAsync();
      expect(asked).toHaveLength(1);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test.each([
    [{ interval: -1 }, "interval"],
    [{ interval: "5" }, "interval"],
    [{ interval: Number.NaN }, "interval"],
    [{ totalTimeout: 0 }, "totalTimeout"],
    [{ totalTimeout: -1 }, "totalTimeout"],
    [{ onProgress: "x" }, "onProgress"],
    [{ onProgress: null }, "onProgress"],
    [{ onProgress: {} }, "onProgress"],
    [{ isFinished: true }, "isFinished"],
    [{ isFinished: null }, "isFinished"],
    [{ signal: "soon" }, "signal"],
    [{ intervals: 5 }, "intervals` does not exist: did you mean `interval"],
    [{ prefetch: true }, "prefetch"],
  ])(
    "waitUntilFinished with %j rejects with an error that names the option, and sends nothing",
    async (options, named) => {
      const { asked, momtReports } = reportsAt([0]);
      const error = await errorOf(momtReports.waitUntilFinished(3, options as RequestOptions));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toContain(`\`${named}\``);
      expect(asked).toEqual([]);
    },
  );

  test("waitUntilFinished rejects with the error of a poll, and stops polling", async () => {
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

describe("totalTimeout of a wait", () => {
  test("the error of a wait has the callId of the last poll, which its events have too", async () => {
    const { momtReports } = reportsAt([0]);
    const callIds: string[] = [];
    const onEvent = ({ callId }: ClientEvent) => callIds.push(callId);
    const options = { interval: 1000, totalTimeout: 2500, onEvent };
    const failed = errorOf(momtReports.waitUntilFinished(3, options));
    await vi.advanceTimersByTimeAsync(2500);
    expect(new Set(callIds).size).toBe(3);
    expect(await failed).toMatchObject({ code: "timeout", callId: callIds.at(-1) });
  });

  test("totalTimeout of a wait limits the whole wait", async () => {
    const { asked, momtReports } = reportsAt([0]);
    const options = { interval: 1000, totalTimeout: 2500 };
    const failed = errorOf(momtReports.waitUntilFinished(3, options));
    await vi.advanceTimersByTimeAsync(2500);
    const expected = { code: "timeout", phase: "total", timeoutMs: 2500, endpoint: ENDPOINT };
    const error = await failed;
    expect(error).toMatchObject({ ...expected, outcome: "unknown", attempts: 3 });
    expect(error.message).toBe(`${ENDPOINT}: the whole call took longer than 2500 ms`);
    await vi.runAllTimersAsync();
    expect(asked).toEqual([0, 1000, 2000]);
  });

  test("totalTimeout of the client limits each poll, and totalTimeout of the wait limits all of them", async () => {
    const { asked, momtReports } = reportsAt([0, 0, 0, 100], { totalTimeout: 1000 });
    const report = settled(momtReports.waitUntilFinished(3, { interval: 900 }));
    await vi.runAllTimersAsync();
    expect(await report).toEqual(reportAt(100));
    expect(asked).toHaveLength(4);
    const fetch = () => new Promise<Response>(() => {});
    const { v2 } = clientsOf({ baseUrl: "https://a.example.com" }, { fetch, totalTimeout: 1000 });
    const failed = errorOf(v2.momtReports.waitUntilFinished(3, { totalTimeout: 25_000 }));
    await vi.advanceTimersByTimeAsync(25_000);
    const expected = { phase: "total", timeoutMs: 25_000, attempts: 3 };
    expect(await failed).toMatchObject({ ...expected, cause: { phase: "total", timeoutMs: 1000 } });
  });

  test("a wait that exceeds totalTimeout in the throttle's queue of the first poll is not_sent", async () => {
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

describe("a poll that fails", () => {
  const busy = (headers = {}) => new Response("busy", { status: 503, headers });
  const done = () => Response.json(progress(100));
  /** Returns a client whose polls get the given responses in turn. The last response is repeated. */
  const responding = (...responses: readonly (() => Response | Promise<Response>)[]) => {
    const begun = performance.now();
    const asked: number[] = [];
    const fetch = async () => {
      asked.push(Math.round(performance.now() - begun));
      return (responses[asked.length - 1] ?? responses.at(-1))?.() as Response;
    };
    const { v2 } = clientsOf(
      { baseUrl: "https://app.example.com" },
      { fetch, responseValidation: "off", retry: 0, timeout: 100, throttle: false },
    );
    return { asked, momtReports: v2.momtReports };
  };

  test.each<[what: string, response: () => Response | Promise<Response>, code: string]>([
    ["the status 503", busy, "server"],
    ["the status 500", () => new Response("", { status: 500 }), "server"],
    ["the status 429", () => new Response("", { status: 429 }), "rate_limit"],
    ["the status 408", () => new Response("", { status: 408 }), "api"],
    ["no connection", () => Promise.reject(new TypeError("fetch failed")), "connection"],
    ["no response in time", () => new Promise(() => {}), "timeout"],
  ])("a poll with %s does not end a wait before totalTimeout", async (_, failing, code) => {
    const failures = Array.from({ length: 20 }, () => failing);
    const { asked, momtReports } = responding(...failures, done);
    const options = { interval: 200, totalTimeout: 30_000 };
    const report = settled(momtReports.waitUntilFinished(3, options));
    await vi.runAllTimersAsync();
    expect(await report).toEqual(reportAt(100));
    expect(asked).toHaveLength(21);

    const down = responding(failing);
    const failed = errorOf(down.momtReports.waitUntilFinished(3, options));
    await vi.advanceTimersByTimeAsync(30_000);
    const error = await failed;
    expect(error).toMatchObject({ code: "timeout", phase: "total", timeoutMs: 30_000 });
    expect(error.cause).toMatchObject({ code, endpoint: ENDPOINT });
    expect(error.message).toBe(
      `${ENDPOINT}: the wait took longer than 30000 ms; its last poll failed: ${(error.cause as Error).message}`,
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  test("the error of a wait does not name a failed poll that a successful poll followed", async () => {
    const { momtReports } = responding(busy, () => Response.json(progress(50)));
    const failed = errorOf(momtReports.waitUntilFinished(3, { interval: 200, totalTimeout: 900 }));
    await vi.advanceTimersByTimeAsync(900);
    expect(await failed).toMatchObject({ cause: undefined, attempts: 5 });
  });

  test("without totalTimeout, a wait ends with the error of the fifth poll in a row that fails", async () => {
    const half = () => Response.json(progress(50));
    const four = [busy, busy, busy, busy];
    const { asked, momtReports } = responding(...four, half, ...four, half, busy);
    const failed = errorOf(momtReports.waitUntilFinished(3, { interval: 200 }));
    await vi.runAllTimersAsync();
    expect(await failed).toMatchObject({ code: "server", status: 503, endpoint: ENDPOINT });
    expect(asked).toHaveLength(15);
  });

  test.each([
    [404, "not_found"],
    [401, "authentication"],
  ])("a poll with the status %i ends a wait at once", async (status, code) => {
    const { asked, momtReports } = responding(busy, () => new Response("", { status }));
    const failed = errorOf(momtReports.waitUntilFinished(3, { interval: 200, totalTimeout: HOUR }));
    await vi.runAllTimersAsync();
    expect(await failed).toMatchObject({ code });
    expect(asked).toHaveLength(2);
  });

  test("a wait polls no earlier than Retry-After allows, and ends at once if that is too late", async () => {
    const later = () => busy({ "retry-after": "90" });
    const { asked, momtReports } = responding(later, done);
    const report = settled(momtReports.waitUntilFinished(3, { totalTimeout: 90_001 }));
    await vi.runAllTimersAsync();
    expect(await report).toEqual(reportAt(100));
    expect(asked).toEqual([0, 90_000]);

    const down = responding(later, done);
    const failed = errorOf(down.momtReports.waitUntilFinished(3, { totalTimeout: 89_999 }));
    await vi.advanceTimersByTimeAsync(1);
    expect(await failed).toMatchObject({ code: "server", retryAfterMs: 90_000 });
  });
});

describe("a wait on a computer that sleeps", () => {
  /** Moves the clock by an hour when the given poll starts. */
  const jumpingAt = (poll: number, percents: readonly number[]) => {
    const { momtReports, asked } = reportsAt(percents, {
      onEvent: ({ type }: ClientEvent) => {
        if (type === "request" && asked.length === poll) jumpedMs = HOUR;
      },
    });
    let jumpedMs = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + jumpedMs);
    return { momtReports, asked };
  };
  afterEach(() => void vi.restoreAllMocks());

  test("a wait polls once more before it ends because the clock has jumped", async () => {
    const { momtReports, asked } = jumpingAt(1, [0, 50, 100]);
    const options = { interval: 1000, totalTimeout: 60_000 };
    const report = settled(momtReports.waitUntilFinished(3, options));
    await vi.runAllTimersAsync();
    expect(await report).toEqual(reportAt(100));
    expect(asked).toHaveLength(3);
  });

  test("a wait whose clock has jumped ends after one more poll", async () => {
    const { momtReports, asked } = jumpingAt(1, [0, 50, 60, 100]);
    const options = { interval: 1000, totalTimeout: 60_000 };
    const failed = errorOf(momtReports.waitUntilFinished(3, options));
    await vi.runAllTimersAsync();
    expect(await failed).toMatchObject({ code: "timeout", phase: "total", timeoutMs: 60_000 });
    expect(asked).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  const isRequest = (event: unknown) => (event as ClientEvent).type === "request";
  test.each<[name: string, callback: (block: () => void) => (event: unknown) => unknown]>([
    ["onProgress", (block) => block],
    ["isFinished", (block) => block],
    ["isFinished", (block) => async () => block()],
    ["isFinished", (block) => () => Promise.resolve().then(block)],
    ["onEvent", (block) => (event) => isRequest(event) && block()],
  ])("the time for which %s blocks the event loop is not a jump of the clock", async (name, to) => {
    const now = performance.now.bind(performance);
    let blockedMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now() + blockedMs);
    const { momtReports, asked } = reportsAt([0]);
    const block = vi.fn(() => {
      blockedMs += 1500;
    });
    const options = { interval: 100, totalTimeout: 1000, [name]: to(block) };
    const failed = errorOf(momtReports.waitUntilFinished(3, options));
    await vi.runAllTimersAsync();
    expect(await failed).toMatchObject({ code: "timeout", phase: "total", timeoutMs: 1000 });
    expect(block).toHaveBeenCalledTimes(1);
    expect(asked).toHaveLength(1);
  });
});

describe("the signal of a wait", () => {
  const reason = new Error("the user left");

  test("a signal that has fired before a wait sends nothing", async () => {
    const { asked, momtReports } = reportsAt([0]);
    const signal = AbortSignal.abort(reason);
    const error = await errorOf(momtReports.waitUntilFinished(3, { signal }));
    expect(error).toMatchObject({ name: "AbortError", outcome: "not_sent", attempts: 0 });
    expect(error.cause).toBe(reason);
    expect(asked).toEqual([]);
  });

  test("a signal that fires between two polls, or in the queue of the second, ends the wait", async () => {
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

  test("a signal that fires during a poll ends the request, even if fetch ignores it", async () => {
    let given: AbortSignal | null | undefined;
    const fetch = (_: unknown, init?: RequestInit) => {
      given = init?.signal;
      return new Promise<Response>(() => {});
    };
    const v2 = new V2Client({
      baseUrl: "https://app.example.com",
      email: "owner@example.com",
      apiKey: "key-1",
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

describe("callbacks of a wait that never settle", () => {
  type Callbacks = { readonly [name: string]: () => unknown };
  const hangs = () => new Promise<never>(() => {});
  const cases: [string, Callbacks][] = [
    ["onProgress", { onProgress: hangs }],
    ["isFinished", { isFinished: hangs }],
    ["isFinished after onProgress", { onProgress: async () => {}, isFinished: hangs }],
  ];

  test.each(cases)("%s, ended by totalTimeout or by the signal", async (_, callbacks) => {
    const { asked, momtReports } = reportsAt([0]);
    const late = errorOf(momtReports.waitUntilFinished(3, { totalTimeout: 2500, ...callbacks }));
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = errorOf(momtReports.waitUntilFinished(3, { signal, ...callbacks }));
    await vi.advanceTimersByTimeAsync(100);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    const reason = new Error("the user left");
    controller.abort(reason);
    const expected = { outcome: "unknown", attempts: 1, endpoint: ENDPOINT };
    expect(await aborted).toMatchObject({ ...expected, code: "abort", cause: reason });
    expect(getEventListeners(signal, "abort")).toEqual([]);
    await vi.advanceTimersByTimeAsync(2400);
    const timeout = { code: "timeout", phase: "total", timeoutMs: 2500 };
    expect(await late).toMatchObject({ ...expected, ...timeout });
    expect(asked).toEqual([0, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(["onProgress", "isFinished", "onEvent"])(
    "%s that rejects after the wait has ended causes no unhandled rejection",
    async (name) => {
      const { momtReports } = reportsAt([0]);
      const callback = async () => {
        await new Promise((resolve) => setTimeout(resolve, 5000));
        throw new Error("too late");
      };
      const options = { totalTimeout: 1000, [name]: callback };
      const failed = errorOf(momtReports.waitUntilFinished(3, options));
      // Vitest fails if a rejection is not handled.
      await vi.advanceTimersByTimeAsync(6000);
      expect(await failed).toMatchObject({ code: "timeout" });
    },
  );
});

describe("finished reports", () => {
  const completed = { import_completed_at: "2026-01-01T00:00:00Z" };
  const unfinished = {
    percent_complete: 10,
    s3_url: null,
    import_completed_at: null,
    counts_calculated: false,
    run_errors: null,
    cancelled: null,
  };
  const isFinished = async (fields: object): Promise<boolean> => {
    let polls = 0;
    const fetch = async () => {
      polls += 1;
      const momt_report =
        polls === 1 ? { ...unfinished, ...fields } : { ...unfinished, cancelled: true };
      return Response.json({ status: "OK", momt_report });
    };
    const { v2 } = clientsOf(
      { baseUrl: "https://app.example.com" },
      { fetch, responseValidation: "off" },
    );
    const waiting = settled(v2.momtReports.waitUntilFinished(3, { interval: 1 }));
    await vi.runAllTimersAsync();
    await waiting;
    return polls === 1;
  };

  test.each<[fields: object]>([
    [{ cancelled: true }],
    [{ cancelled: "2026-01-01" }],
    [{ cancelled: {} }],
    [{ run_errors: "no rows" }],
    [{ run_errors: ["no rows"] }],
    [{ run_errors: { rows: "none" } }],
    [{ s3_url: FILE, percent_complete: 100 }],
    [{ s3_url: FILE, percent_complete: 100.5 }],
    [{ s3_url: FILE, ...completed }],
  ])("a report with %j is finished", async (fields) => {
    expect(await isFinished(fields)).toBe(true);
  });

  test.each<[fields: object]>([
    [{}],
    [{ counts_calculated: true }],
    [{ percent_complete: 100 }],
    [completed],
    [{ ...completed, percent_complete: 100, counts_calculated: true }],
    [{ s3_url: FILE }],
    [{ s3_url: FILE, percent_complete: 99.9, counts_calculated: true }],
    [{ s3_url: "", percent_complete: 100 }],
    [{ cancelled: false, run_errors: [] }],
    [{ run_errors: {} }],
    [{ run_errors: "" }],
  ])("a report with %j is not finished", async (fields) => {
    expect(await isFinished(fields)).toBe(false);
  });
});
