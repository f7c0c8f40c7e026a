import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import {
  AbortError,
  type ClientEvent,
  createThrottle,
  type RequestOptions,
} from "../../../src/index.ts";
import { account, clientsOf, errorOf, KINDS } from "../../support/calls.ts";
import {
  hang,
  type Responder,
  resetAfterReading,
  respond,
  stall,
  startLoopback,
} from "../../support/servers/loopback.ts";

const REASON = new Error("the user left");
const HOUR = 3_600_000;

/** Aborts a call as soon as it has reached a phase, and returns its error, which must follow at once. */
const abortedOnce = async (
  isReached: (events: readonly string[]) => boolean,
  call: (options: RequestOptions) => PromiseLike<unknown>,
): Promise<AbortError> => {
  const controller = new AbortController();
  const events: string[] = [];
  const onEvent = ({ type }: ClientEvent) => void events.push(type);
  const failed = errorOf<AbortError>(call({ signal: controller.signal, onEvent }));
  await expect.poll(() => isReached(events)).toBe(true);
  const aborted = performance.now();
  controller.abort(REASON);
  const error = await failed;
  expect(performance.now() - aborted).toBeLessThan(10_000);
  expect(error).toBeInstanceOf(AbortError);
  expect(error.name).toBe("AbortError");
  expect(error.code).toBe("abort");
  expect(error.cause).toBe(REASON);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  return error;
};

describe("the signal of a call", () => {
  test("a call that is aborted in the throttle's queue sends nothing and leaves its slot to the next call", async () => {
    await using server = await startLoopback(respond(200, account));
    const throttle = createThrottle({ limit: 1, interval: 1000 });
    const { v2 } = clientsOf(server, { throttle });
    await throttle.acquire();
    const error = await abortedOnce(
      () => throttle.snapshot().queued === 1,
      (options) => v2.accounts.me(options),
    );
    expect(error).toMatchObject({ outcome: "not_sent", attempts: 0 });
    expect(throttle.snapshot().queued).toBe(0);
    await v2.accounts.me();
    expect(server.requests).toHaveLength(1);
  });

  test.each(KINDS)(
    "a $kind that is aborted while it waits for its response has an unknown outcome",
    async (kind) => {
      await using server = await startLoopback(hang);
      const clients = clientsOf(server);
      const error = await abortedOnce(
        () => server.requests.length === 1,
        (options) => kind.call(clients, options),
      );
      expect(error).toMatchObject({ outcome: "unknown", attempts: 1, endpoint: kind.endpoint });
      await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
    },
  );

  test("a call that is aborted while its body arrives has an unknown outcome", async () => {
    await using server = await startLoopback(stall(account));
    const { v2 } = clientsOf(server);
    const error = await abortedOnce(
      () => server.requests.length === 1,
      (options) => v2.accounts.me(options),
    );
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });

  test.each([
    [429, "rejected"],
    [503, "unknown"],
  ])(
    "a call that is aborted in the pause after a %d has the outcome %s",
    async (status, outcome) => {
      await using server = await startLoopback(respond(status, "", { "retry-after": "30" }));
      const { v2 } = clientsOf(server);
      const error = await abortedOnce(
        (events) => events.includes("retry"),
        (options) => v2.accounts.me(options),
      );
      expect(error).toMatchObject({ outcome, attempts: 1 });
      server.onlyRequest();
    },
  );

  test("the cause of the AbortError is the reason of AbortSignal.timeout", async () => {
    await using server = await startLoopback(hang);
    const error = await errorOf(
      clientsOf(server).v2.accounts.me({ signal: AbortSignal.timeout(30) }),
    );
    expect(error).toMatchObject({ name: "AbortError", cause: { name: "TimeoutError" } });
  });

  test("a call that is aborted rejects even if its fetch ignores the signal", async () => {
    const fetch = () => new Promise<Response>(() => {});
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { fetch });
    await abortedOnce(
      (events) => events.includes("request"),
      (options) => v2.accounts.me(options),
    );
  });
});

describe("a signal that has already fired", () => {
  test.each(KINDS)(
    "a $kind with a signal that has already fired sends nothing and takes no slot",
    async (kind) => {
      await using server = await startLoopback(respond(200, kind.success));
      const throttle = createThrottle({ limit: 5, interval: HOUR });
      const clients = clientsOf(server, { throttle });
      const signal = AbortSignal.abort(REASON);
      const error = await errorOf(kind.call(clients, { signal }));
      expect(error).toBeInstanceOf(AbortError);
      expect(error).toMatchObject({ outcome: "not_sent", attempts: 0, cause: REASON });
      expect(throttle.snapshot()).toMatchObject({ used: 0, queued: 0 });
      expect(server.requests).toEqual([]);
    },
  );

  test("a call with a signal that has already fired requests no slot of a custom throttle", async () => {
    const throttle = { acquire: vi.fn(async () => {}) };
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { throttle });
    await expect(v2.accounts.me({ signal: AbortSignal.abort() })).rejects.toThrow(AbortError);
    expect(throttle.acquire).not.toHaveBeenCalled();
  });
});

describe("a signal shared by many calls", () => {
  const RESPONDERS: readonly Responder[] = [
    respond(200, account),
    respond(503),
    respond(200, account),
    respond(404),
    resetAfterReading,
    hang,
    respond(200, "<html>"),
  ];

  test("a shared signal has no listener left after its calls", async () => {
    await using server = await startLoopback(...Array(4).fill(RESPONDERS).flat());
    const { signal } = new AbortController();
    const throttle = createThrottle({ limit: 3, interval: 20 });
    const { v2 } = clientsOf(server, {
      throttle,
      timeout: 100,
      retry: { limit: 1, backoff: { max: 1 } },
    });
    const calls = Array.from({ length: 16 }, () => v2.accounts.me({ signal }));
    const results = await Promise.allSettled(calls);
    expect(new Set(results.map(({ status }) => status))).toEqual(
      new Set(["fulfilled", "rejected"]),
    );
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a shared signal has at most one listener for each call in progress", async () => {
    await using server = await startLoopback(hang);
    const controller = new AbortController();
    const { v2 } = clientsOf(server);
    const failures = Array.from({ length: 3 }, () =>
      errorOf(v2.accounts.me({ signal: controller.signal })),
    );
    await expect.poll(() => server.requests.length).toBe(3);
    expect(getEventListeners(controller.signal, "abort").length).toBeLessThanOrEqual(3);
    controller.abort();
    await Promise.all(failures);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});
