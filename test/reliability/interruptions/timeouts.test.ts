// The options `timeout` and `totalTimeout`: when they end a call, and what they cover.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type RequestOptions, TimeoutError } from "../../../src/index.ts";
import { account, clientsOf, errorOf, sleep } from "../../support/calls.ts";
import { CARRIERS } from "../../support/carriers.ts";
import { flood, hang, startLoopback } from "../../support/servers/loopback.ts";
import { useTurningClock } from "../../support/turning-clock.ts";
import { inEveryKind, PHASES } from "./phases.ts";

// The timeout allows for real sockets on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  // Makes every pause as long as possible.
  vi.spyOn(Math, "random").mockReturnValue(0.99);
});

describe.each(CARRIERS)("totalTimeout of a call, carried by $carrier", (carrier) => {
  useTurningClock();

  // These tests mostly wait.
  test.concurrent.each(PHASES)("totalTimeout ends the call: $phase", async (phase) => {
    await inEveryKind(phase, carrier, async (kind, clients, server) => {
      const started = performance.now();
      const error = await errorOf<TimeoutError>(kind.call(clients, { totalTimeout: 1_200 }));
      const tookMs = performance.now() - started;
      expect(error, kind.kind).toBeInstanceOf(TimeoutError);
      const { outcome, attempts } = phase;
      expect(error, kind.kind).toMatchObject({ phase: "total", timeoutMs: 1_200 });
      expect(error, kind.kind).toMatchObject({ outcome, attempts, endpoint: kind.endpoint });
      expect(tookMs).toBeGreaterThan(1_198);
      expect(tookMs).toBeLessThan(30_000);
      expect(server.requests, kind.kind).toHaveLength(attempts);
    });
  });
});

describe.each(CARRIERS)("timeout of an attempt, carried by $carrier", ({ fetch }) => {
  useTurningClock();

  test("timeout ends an endless fast body of a success", async () => {
    // Small chunks and a short time keep the body below the maximum length.
    await using server = await startLoopback(flood(200, " ".repeat(50)));
    const { v2 } = clientsOf(server, { fetch, timeout: 200, retry: 0 });
    const error = await errorOf(v2.accounts.me());
    expect(error).toMatchObject({ code: "timeout", phase: "attempt", outcome: "unknown" });
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });

  test("retries start timeout again, and do not extend totalTimeout", async () => {
    await using server = await startLoopback(hang);
    const { v2 } = clientsOf(server, { fetch, timeout: 600 });
    const error = await errorOf(v2.accounts.me({ totalTimeout: 1_000, retry: { limit: 50 } }));
    expect(error).toMatchObject({ phase: "total", timeoutMs: 1_000, attempts: 2 });
  });
});

describe("what the timeouts cover", () => {
  const BASE = { baseUrl: "https://app.example.com" };
  const MINUTE = 60_000;
  const errorOrData = (call: PromiseLike<unknown>) =>
    Promise.resolve(call).catch((error: unknown) => error);
  /** Never responds and ignores its signal. */
  const silent = () => new Promise<Response>(() => {});

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Returns the result of a GET, or "still waiting" if it has none after an hour. */
  const resultOf = (client: object, options: RequestOptions = {}): Promise<unknown> =>
    Promise.race([
      errorOrData(clientsOf(BASE, client).v2.accounts.me(options)),
      vi.advanceTimersByTimeAsync(60 * MINUTE).then(() => "still waiting"),
    ]);

  test("timeout excludes time in the throttle's queue and the pause before a retry", async () => {
    const responses = [
      new Response("", { status: 503, headers: { "retry-after": "60" } }),
      Response.json(account),
    ];
    const fetch = async () => responses.shift();
    const throttle = { acquire: () => sleep(MINUTE) };
    const result = await resultOf({ fetch, throttle, timeout: 1_000 });
    expect(result).toEqual(account.account);
  });

  test("timeout is 30 seconds by default, and `false` turns it off", async () => {
    const result = await resultOf({ fetch: silent, retry: 0 });
    expect(result).toMatchObject({ phase: "attempt", timeoutMs: 30_000, outcome: "unknown" });
    expect(await resultOf({ fetch: silent }, { timeout: false })).toBe("still waiting");
  });

  test("totalTimeout is off by default, and `false` overrides the client's totalTimeout", async () => {
    const fetch = () => sleep(20_000).then(() => Response.json(account));
    const result = await resultOf({ fetch, totalTimeout: 10_000 });
    expect(result).toMatchObject({ phase: "total", timeoutMs: 10_000 });
    for (const [client, options] of [
      [{ fetch }, {}],
      [{ fetch, totalTimeout: 10_000 }, { totalTimeout: false }],
    ] as const) {
      expect(await resultOf(client, options)).toEqual(account.account);
    }
  });
});
