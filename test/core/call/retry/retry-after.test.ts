import { describe, expect, test, vi } from "vitest";
import {
  createThrottle,
  RateLimitError as RateLimit,
  type RateLimitError,
  ServerError,
} from "../../../../src/index.ts";
import { account, clientsOf, errorOf, sleep } from "../../../support/calls.ts";
import { respond, startLoopback } from "../../../support/servers/loopback.ts";

/** Returns the milliseconds between the first two requests. */
const gapOf = ({ requests }: { requests: readonly { at: number }[] }) =>
  (requests[1]?.at ?? Number.NaN) - (requests[0]?.at ?? Number.NaN);

/** Returns a signal, and a listener that aborts it 50 ms after a `retry` event. */
const abortedDuringPause = () => {
  const controller = new AbortController();
  const onEvent = ({ type }: { readonly type: string }) => {
    // If the pause overflowed its timer, the retry would precede this abort.
    if (type === "retry") setTimeout(() => controller.abort(), 50);
  };
  return { signal: controller.signal, onEvent };
};

/** Tolerance in milliseconds, because a timer may fire within its last millisecond. */
const TIMER_STEP = 1;

describe("Retry-After within maxRetryAfter", () => {
  test.each([429, 503, 408, 500])(
    "a retry after a %d waits at least the 0.12 seconds of Retry-After",
    async (status) => {
      vi.spyOn(Math, "random").mockReturnValue(0);
      await using server = await startLoopback(
        respond(status, "", { "retry-after": "0.12" }),
        respond(200, account),
      );
      await clientsOf(server).v2.accounts.me();
      expect(gapOf(server)).toBeGreaterThanOrEqual(120 - TIMER_STEP);
      // 0.12 minutes would be 7.2 seconds.
      expect(gapOf(server)).toBeLessThan(7_000);
    },
  );

  test("a Retry-After shorter than the backoff does not shorten the pause", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    await using server = await startLoopback(
      respond(503, "", { "retry-after": "0.01" }),
      respond(200, account),
    );
    await clientsOf(server, { retry: { backoff: { initial: 160 } } }).v2.accounts.me();
    expect(gapOf(server)).toBeGreaterThanOrEqual(80 - TIMER_STEP);
  });
});

describe("Retry-After beyond the limits", () => {
  /** Returns the error of a call whose Retry-After has this value. */
  const failureOf = async (headers: Record<string, string>, options = {}, status = 429) => {
    await using server = await startLoopback(respond(status, "", headers), respond(200, account));
    const error = await errorOf<RateLimitError>(clientsOf(server).v2.accounts.me(options));
    // If the call had waited, its second request would have succeeded.
    server.onlyRequest();
    return error;
  };

  test.each([
    ["60.001", 60_001],
    ["31536000", 31_536_000_000],
  ])(
    "a call with a Retry-After of %j, longer than maxRetryAfter, fails at once",
    async (value, retryAfterMs) => {
      const error = await failureOf({ "retry-after": value });
      expect(error).toBeInstanceOf(RateLimit);
      expect(error).toMatchObject({ retryAfterMs, attempts: 1, outcome: "rejected" });
    },
  );

  test("maxRetryAfter of a call overrides the client's maxRetryAfter", async () => {
    const retry = { maxRetryAfter: 100 };
    const error = await failureOf({ "retry-after": "0.101" }, { retry });
    expect(error).toMatchObject({ code: "rate_limit", retryAfterMs: 101 });
  });

  test("a call whose Retry-After exceeds the rest of totalTimeout fails with the error of the status", async () => {
    const error = await failureOf({ "retry-after": "50" }, { totalTimeout: 40_000 }, 503);
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ status: 503, retryAfterMs: 50_000, outcome: "unknown" });
  });

  test("a Retry-After longer than the maximum of a timer lasts its full time", async () => {
    await using server = await startLoopback(respond(503, "", { "retry-after": "2592000" }));
    const retry = { maxRetryAfter: Number.MAX_SAFE_INTEGER };
    const { signal, onEvent } = abortedDuringPause();
    const error = await errorOf(clientsOf(server).v2.accounts.me({ retry, signal, onEvent }));
    server.onlyRequest();
    expect(error).toMatchObject({ code: "abort", outcome: "unknown" });
  });
});

describe("Retry-After of a 429 and the throttle", () => {
  test.each(["999999999999", "9999999999999", "99999999999999999999", "31536001"])(
    "a Retry-After of %j is neither a wait nor a time within a week, and does not hold the throttle",
    async (value) => {
      await using server = await startLoopback(
        respond(429, "", { "retry-after": value }),
        respond(200, account),
      );
      const throttle = createThrottle({ limit: 2, interval: 60_000 });
      const retry = { backoff: { initial: 1 } };
      await clientsOf(server, { throttle, retry }).v2.accounts.me();
      expect(server.requests).toHaveLength(2);
    },
  );

  test("a 429 with Retry-After holds the throttle until that time", async () => {
    const held: number[] = [];
    const throttle = { acquire: async () => {}, holdUntil: (at: number) => void held.push(at) };
    await using server = await startLoopback(respond(429, "", { "retry-after": "90" }));
    const before = Date.now();
    await expect(clientsOf(server, { throttle }).v2.accounts.me()).rejects.toThrow("429");
    expect(held).toHaveLength(1);
    expect(held[0]).toBeGreaterThanOrEqual(before + 90_000);
    expect(held[0]).toBeLessThanOrEqual(Date.now() + 90_000);
  });

  test("a status other than 429, or a 429 without Retry-After, does not hold the throttle", async () => {
    const holdUntil = vi.fn();
    const throttle = { acquire: async () => {}, holdUntil };
    await using server = await startLoopback(
      respond(503, "", { "retry-after": "90" }),
      respond(429),
      respond(404, "", { "retry-after": "1" }),
    );
    const { v2 } = clientsOf(server, { throttle, retry: 0 });
    for (const message of ["503", "429", "404"]) {
      await expect(v2.accounts.me()).rejects.toThrow(message);
    }
    expect(holdUntil).not.toHaveBeenCalled();
  });

  test("a call during a hold longer than maxRetryAfter fails at once", async () => {
    await using server = await startLoopback(respond(429, "", { "retry-after": "90" }));
    const { v2 } = clientsOf(server);
    const first = await errorOf(v2.accounts.me());
    expect(first).toMatchObject({ code: "rate_limit" });
    await sleep(5);
    const error = await errorOf(v2.accounts.me());
    expect(error).toMatchObject({ code: "throttle", reason: "held", outcome: "not_sent" });
    // A restarted job gets these errors. They must name the option to raise.
    for (const { message, stack } of [first, error]) {
      for (const text of [message, stack]) {
        expect(text).toContain("longer than `retry.maxRetryAfter` (`maxPause` in a run) allows");
      }
    }
    server.onlyRequest();
  });
});
