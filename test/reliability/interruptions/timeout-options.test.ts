import { describe, expect, test, vi } from "vitest";
import { TimeoutError } from "../../../src/index.ts";
import {
  account,
  clientsOf,
  errorOf,
  KINDS,
  message,
  sleep,
  transaction,
} from "../../support/calls.ts";
import { drip, hang, respond, stall, startLoopback } from "../../support/servers/loopback.ts";

/** A throttle that makes every attempt wait. */
const slow = (ms: number) => ({ acquire: () => sleep(ms) });
const never = { acquire: () => new Promise<void>(() => {}) };

/** Returns the error of a call that must time out near `limitMs`. The bounds suit a busy machine. */
const timedOut = async (call: PromiseLike<unknown>, limitMs: number): Promise<TimeoutError> => {
  const started = performance.now();
  const error = await errorOf<TimeoutError>(call);
  const ms = performance.now() - started;
  expect(error).toBeInstanceOf(TimeoutError);
  expect(ms).toBeGreaterThanOrEqual(limitMs / 2);
  expect(ms).toBeLessThan(limitMs + 30_000);
  return error;
};

describe("the option timeout", () => {
  // Most of these tests wait most of the time.
  test.concurrent.each([
    ["a missing response", hang],
    ["a body that stalls", stall(account)],
    ["a body that drips", drip(" ", 10)],
    ["the body of an error that drips", drip("x", 10, 404)],
  ])("timeout limits %s", async (_, fault) => {
    await using server = await startLoopback(fault);
    const call = clientsOf(server, { retry: 0 }).v2.accounts.me({ timeout: 800 });
    const error = await timedOut(call, 800);
    expect(error).toMatchObject({ phase: "attempt", timeoutMs: 800, attempts: 1 });
    expect(error).toMatchObject({ outcome: "unknown" });
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });

  test("timeout starts again with each attempt", async () => {
    await using server = await startLoopback(hang);
    const call = clientsOf(server, { timeout: 50 }).v2.accounts.me();
    expect(await timedOut(call, 150)).toMatchObject({ attempts: 3, timeoutMs: 50 });
  });

  test("timeout excludes time in the throttle's queue", async () => {
    await using server = await startLoopback(respond(200, account));
    const { v2 } = clientsOf(server, { throttle: slow(1_200), timeout: 1_000 });
    expect(await v2.accounts.me()).toEqual(account.account);
  });

  test("timeout excludes the pause before a retry", async () => {
    const busy = respond(503, "", { "retry-after": "1.2" });
    await using server = await startLoopback(busy, respond(200, account));
    const { v2 } = clientsOf(server, { timeout: 1_000 });
    expect(await v2.accounts.me()).toEqual(account.account);
  });

  test("timeout is 30 seconds by default, and `false` turns it off", async () => {
    vi.useFakeTimers();
    try {
      const fetch = () => new Promise<Response>(() => {});
      const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch });
      const settled = vi.fn();
      const failed = errorOf(rcs.sendRcsText(message)).finally(settled);
      rcs.sendRcsText(message, { timeout: false }).catch(settled);
      await vi.advanceTimersByTimeAsync(29_999);
      expect(settled).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(await failed).toMatchObject({ phase: "attempt", timeoutMs: 30_000 });
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(settled).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a call times out even if its fetch ignores the signal", async () => {
    const fetch = () => sleep(120).then(() => Response.json(transaction));
    const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch, timeout: 40 });
    expect(await timedOut(rcs.sendRcsText(message), 40)).toMatchObject({ outcome: "unknown" });
  });
});

describe("the option totalTimeout", () => {
  test("a totalTimeout that ends in the throttle's queue sends nothing", async () => {
    await using server = await startLoopback(respond(200, account));
    const { v2 } = clientsOf(server, { throttle: never, totalTimeout: 60 });
    const error = await timedOut(v2.accounts.me(), 60);
    expect(error).toMatchObject({
      phase: "total",
      timeoutMs: 60,
      outcome: "not_sent",
      attempts: 0,
    });
    expect(server.requests).toEqual([]);
  });

  test.concurrent.each(KINDS)(
    "a $kind that exceeds totalTimeout before its response has an unknown outcome",
    async (kind) => {
      await using server = await startLoopback(hang);
      const error = await timedOut(kind.call(clientsOf(server), { totalTimeout: 800 }), 800);
      expect(error).toMatchObject({ phase: "total", outcome: "unknown", attempts: 1 });
      await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
    },
  );

  test("a call that exceeds totalTimeout while its body arrives has an unknown outcome", async () => {
    await using server = await startLoopback(stall(account));
    const error = await timedOut(clientsOf(server).v2.accounts.me({ totalTimeout: 800 }), 800);
    expect(error).toMatchObject({ phase: "total", outcome: "unknown", attempts: 1 });
  });

  test("a totalTimeout that ends in a pause keeps the outcome of the earlier attempts", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.9);
    const retry = { backoff: { initial: 8000 } };
    for (const [status, outcome] of [
      [503, "unknown"],
      [429, "rejected"],
    ] as const) {
      await using server = await startLoopback(respond(status));
      const call = clientsOf(server, { retry }).v2.accounts.me({ totalTimeout: 800 });
      expect(await timedOut(call, 800)).toMatchObject({ phase: "total", outcome, attempts: 1 });
      server.onlyRequest();
    }
  });

  test("a totalTimeout that ends in the queue of a retry keeps the outcome of the first attempt", async () => {
    let slots = 1;
    const throttle = { acquire: () => (slots-- > 0 ? Promise.resolve() : never.acquire()) };
    await using server = await startLoopback(respond(503));
    const { v2 } = clientsOf(server, { throttle, totalTimeout: 800 });
    const error = await timedOut(v2.accounts.me(), 800);
    expect(error).toMatchObject({ phase: "total", outcome: "unknown", attempts: 1 });
  });

  test("retries do not extend totalTimeout", async () => {
    await using server = await startLoopback(hang);
    const options = { timeout: 600, totalTimeout: 1_000, retry: { limit: 50 } };
    const error = await timedOut(clientsOf(server).v2.accounts.me(options), 1_000);
    expect(error).toMatchObject({ phase: "total", timeoutMs: 1_000, attempts: 2 });
  });

  test("totalTimeout is off by default, and `false` overrides the client's totalTimeout", async () => {
    await using server = await startLoopback(drip(JSON.stringify(account), 60, 200, 1));
    const { v2 } = clientsOf(server, { totalTimeout: 20, retry: 0 });
    await expect(v2.accounts.me()).rejects.toMatchObject({ phase: "total" });
    expect(await v2.accounts.me({ totalTimeout: false })).toEqual(account.account);
  });
});
