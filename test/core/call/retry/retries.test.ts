// How often a call is retried, and after which pauses. The table of faults lists the failures that are retried.
import { describe, expect, test, vi } from "vitest";
import type { ClientEvent } from "../../../../src/index.ts";
import { clientsOf, errorOf, KINDS } from "../../../support/calls.ts";
import {
  hang,
  REFUSED_URL,
  resetBeforeReading,
  respond,
  startLoopback,
  truncate,
} from "../../../support/servers/loopback.ts";
import { useTurningClock } from "../../../support/turning-clock.ts";

describe("attempts of a call", () => {
  useTurningClock();

  test.each(
    KINDS.filter(({ again }) => !again).flatMap((kind) => [
      { kind, name: "503", fault: respond(503) },
      { kind, name: "a reset", fault: resetBeforeReading },
      { kind, name: "half of a body", fault: truncate(kind.success) },
      { kind, name: "no response in time", fault: hang },
    ]),
  )("a $kind.kind that meets $name once succeeds on its retry", async ({ kind, fault }) => {
    await using server = await startLoopback(fault, respond(200, kind.success));
    const { body } = await kind.call(clientsOf(server), { timeout: 1_000 }).withResponse();
    expect(body).toEqual(kind.success);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    [0, 1],
    [1, 2],
    [{ limit: 3 }, 4],
    [{ limit: undefined }, 3],
    [{}, 3],
  ])("retry: %j makes %d attempts", async (retry, attempts) => {
    const baseUrl = REFUSED_URL;
    for (const kind of KINDS) {
      const call = kind.call(clientsOf({ baseUrl }), { retry });
      await expect(call).rejects.toMatchObject({ outcome: "not_sent", attempts });
    }
  });

  test("an option of `retry` of a call overrides only that option of the client", async () => {
    await using server = await startLoopback(respond(429, "", { "retry-after": "1" }));
    const { v2 } = clientsOf(server, { retry: { limit: 5, maxRetryAfter: 10 } });
    // The client's maxRetryAfter still applies if the call sets only its limit.
    const call = v2.accounts.me({ retry: 1 });
    await expect(call).rejects.toMatchObject({ attempts: 1, retryAfterMs: 1000 });
    // Likewise, the client's limit applies if the call sets only a different option.
    const never = clientsOf({ baseUrl: REFUSED_URL }, { retry: 0 });
    const retry = { maxRetryAfter: 10 };
    await expect(never.v2.accounts.me({ retry })).rejects.toMatchObject({ attempts: 1 });
  });

  test.each([
    ["GET", 503, 3],
    ["HEAD", 503, 3],
    ["PUT", 503, 3],
    ["DELETE", 503, 3],
    ["POST", 503, 1],
    ["PATCH", 503, 1],
    ["POST", 429, 3],
    ["PATCH", 429, 3],
  ] as const)("a custom %s that meets %d makes %d attempts", async (method, status, attempts) => {
    await using server = await startLoopback(respond(status));
    const call = clientsOf(server).rcs.request({ method, path: "/any" });
    await expect(call).rejects.toMatchObject({ status, attempts });
    expect(server.requests).toHaveLength(attempts);
  });
});

/** Returns the pauses that the events of a call with five attempts report. */
const pausesOf = async (backoff: { initial?: number; max?: number }): Promise<number[]> => {
  const events: ClientEvent[] = [];
  const fetch = async () => new Response("", { status: 503 });
  const onEvent = (event: ClientEvent) => events.push(event);
  const { v2 } = clientsOf(
    { baseUrl: "https://app.example.com" },
    { fetch, onEvent, retry: { limit: 4, backoff } },
  );
  const failed = errorOf(v2.accounts.me());
  await vi.runAllTimersAsync();
  await failed;
  return events.flatMap((event) => (event.type === "retry" ? [event.delayMs] : []));
};

describe("pause before a retry", () => {
  test.each([
    [{}, 0.5, [250, 500, 1000, 2000]],
    [{}, 0.999_999, [499.9995, 999.999, 1999.998, 3999.996]],
    [{ initial: 100 }, 0.1, [10, 20, 40, 80]],
    [{ initial: 4000 }, 0.5, [2000, 4000, 4000, 4000]],
    [{ initial: 100, max: 250 }, 0.5, [50, 100, 125, 125]],
    [{ initial: 100, max: 0 }, 0.5, [0, 0, 0, 0]],
    [{ initial: 0 }, 0.5, [0, 0, 0, 0]],
  ])("pauses with %j and a random value of %d are %j", async (backoff, random, expected) => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(random);
    try {
      const pauses = await pausesOf(backoff);
      expect(pauses).toHaveLength(expected.length);
      for (const [index, ms] of expected.entries()) expect(pauses[index]).toBeCloseTo(ms, 6);
    } finally {
      vi.useRealTimers();
    }
  });

  test("every pause has its own random value", async () => {
    vi.useFakeTimers();
    try {
      const pauses = await pausesOf({ initial: 1000, max: 1000 });
      expect(new Set(pauses).size).toBe(pauses.length);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a pause longer than the maximum of a timer lasts its full time", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    await using server = await startLoopback(respond(503));
    const month = 30 * 24 * 3_600_000;
    const { v2 } = clientsOf(server, {
      retry: { backoff: { initial: 2 * month, max: 2 * month } },
    });
    const controller = new AbortController();
    const onEvent = ({ type }: { readonly type: string }) => {
      // If the pause overflowed its timer, the retry would precede this abort.
      if (type === "retry") setTimeout(() => controller.abort(), 50);
    };
    const call = errorOf(v2.accounts.me({ signal: controller.signal, onEvent }));
    expect(await call).toMatchObject({ code: "abort", attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });
});
