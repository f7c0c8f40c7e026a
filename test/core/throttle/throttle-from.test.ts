import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { type Throttle, throttleFrom } from "../../../src/index.ts";
import { API_KEY, clientsOf, E164, errorOf, message, TEXT } from "../../support/calls.ts";
import { callersOf, NOW, useFakeTime } from "./callers-of.ts";

const key = "account-1";
const noPoint = (msBeforeNext: number) => ({ msBeforeNext, remainingPoints: 0 });

useFakeTime();

/** A limiter with scripted replies. It grants every point after the end of the script. */
const limiterOf = (...replies: (() => unknown)[]) => ({
  consume: vi.fn(async (_key: string, _points?: number) => replies.shift()?.()),
  reward: vi.fn(async (_key: string, _points?: number): Promise<unknown> => undefined),
});
const rejecting = (reason: unknown) => () => {
  throw reason;
};
const unreadable = {
  get msBeforeNext() {
    throw unreadable;
  },
};

describe("arguments of throttleFrom", () => {
  test.each<[unknown, unknown, named: string]>([
    [undefined, { key }, "limiter"],
    ["limiter", { key }, "limiter"],
    [() => {}, {}, "limiter"],
    [() => Promise.resolve(), {}, "limiter"],
    [() => () => {}, null, "options"],
    [() => () => {}, { maxWait: -1 }, "maxWait"],
    [{}, { key }, "limiter.consume"],
    [limiterOf(), undefined, "options"],
    [limiterOf(), {}, "key"],
    [limiterOf(), { key: "" }, "key"],
    [limiterOf(), { key: 7 }, "key"],
    [limiterOf(), { key, maxWait: -1 }, "maxWait"],
    [() => () => {}, { key }, "key"],
  ])("throttleFrom(%o, %o) throws a TypeError that names `%s`", (limiter, options, named) => {
    const make = () => throttleFrom(limiter as never, options as never);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`\`${named}\``);
  });

  test.each<[unknown, unknown, message: string]>([
    [
      7,
      { key },
      "option `limiter` must be a rate-limiter-flexible limiter or a p-throttle function",
    ],
    [limiterOf(), { key: "" }, "option `key` must be a string that is not empty"],
    [
      limiterOf(),
      { key, maxWaits: 5 },
      "option `maxWaits` does not exist: did you mean `maxWait`?",
    ],
  ])("throttleFrom(%o, %o) says what would be right", (limiter, options, message) => {
    const make = () => throttleFrom(limiter as never, options as never);
    expect(make).toThrow(new TypeError(message));
  });
});

test.each<[string, () => unknown]>([
  ["throws", rejecting(new Error("no pace"))],
  ["rejects", async () => Promise.reject(new Error("no pace"))],
])("a pace function whose turn %s fails its call and no other", async (_, turn) => {
  const { refused, join } = callersOf(throttleFrom(() => turn));
  join(0);
  join(1);
  await vi.advanceTimersByTimeAsync(0);
  const expected = { reason: "unavailable", outcome: "not_sent", cause: { message: "no pace" } };
  expect(refused).toMatchObject([
    [0, expected],
    [1, expected],
  ]);
});

describe("a throttle over a limiter", () => {
  test("a throttle over a limiter takes one point of its key for each call", async () => {
    const limiter = limiterOf();
    const throttle = throttleFrom(limiter, { key });
    await Promise.all([throttle.acquire(), throttle.acquire({})]);
    expect(limiter.consume.mock.calls).toEqual([
      [key, 1],
      [key, 1],
    ]);
    expect(limiter.reward).not.toHaveBeenCalled();
  });

  test("a throttle over a limiter waits as long as the limiter asks, in order, without further requests", async () => {
    const limiter = limiterOf(
      () => {},
      rejecting(noPoint(400)),
      () => {},
      rejecting(noPoint(50)),
    );
    const { admitted, join } = callersOf(throttleFrom(limiter, { key }));
    for (const name of [0, 1, 2]) join(name);
    await vi.advanceTimersByTimeAsync(399);
    expect(limiter.consume).toHaveBeenCalledTimes(2);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([
      [0, 0],
      [1, 400],
      [2, 450],
    ]);
    expect(limiter.consume).toHaveBeenCalledTimes(5);
  });

  test.each([0, -1, Number.NaN])(
    "a throttle over a limiter requests a point ten times a second if the limiter states %s ms",
    async (ms) => {
      const limiter = limiterOf(...Array(10).fill(rejecting(noPoint(ms))));
      const { admitted, join } = callersOf(throttleFrom(limiter, { key }));
      join(0);
      await vi.runAllTimersAsync();
      expect(admitted).toEqual([[0, 1000]]);
    },
  );

  test.each<[string, unknown]>([
    ["an error of the store", new Error("connection lost")],
    ["an error that states a pause", Object.assign(new Error("connection lost"), noPoint(5))],
    ["a string", "connection lost"],
    ["a string that is very long", "x".repeat(500_000)],
    ["an array that is very long", Array(500_000).fill(1)],
    ["undefined", undefined],
    ["null", null],
    ["a pause that cannot be read", unreadable],
    ["an empty object", {}],
    ["a pause that is not a number", { msBeforeNext: "5" }],
    ["the failure of one limiter of a union", { a: noPoint(5), b: new Error("connection lost") }],
  ])("a throttle over a limiter fails only the call whose request met %s", async (_, reason) => {
    const limiter = limiterOf(rejecting(reason));
    const { admitted, refused, join } = callersOf(throttleFrom(limiter, { key }));
    for (const name of [0, 1]) join(name);
    await vi.runAllTimersAsync();
    expect(refused).toMatchObject([[0, { code: "throttle", reason: "unavailable" }]]);
    expect((refused[0]?.[1] as Error | undefined)?.cause).toBe(reason);
    expect(admitted).toEqual([[1, 0]]);
  });

  test("a throttle over a limiter fails a client's call with the limiter's error as its cause, and sends nothing", async () => {
    const cause = new Error("connection lost");
    const fetch = vi.fn();
    const throttle = throttleFrom(limiterOf(rejecting(cause)), { key });
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { throttle, fetch });
    const error = await errorOf(v2.accounts.me());
    expect(error).toMatchObject({ reason: "unavailable", outcome: "not_sent", attempts: 0, cause });
    expect(error).toMatchObject({ endpoint: "GET /api/v2/accounts/me" });
    expect(fetch).not.toHaveBeenCalled();
  });

  const named = (code: string, message = "") => Object.assign(new Error(message), { code });
  const SAID: [unknown, said: string][] = [
    [new Error("Table is not created yet"), ": Table is not created yet"],
    [named("ECONNREFUSED"), ": ECONNREFUSED"],
    [named("42P01", 'relation "limits" does not exist'), ': relation "limits" does not exist'],
    ["connection lost", ": connection lost"],
    [new Error("lost at\n 10:00\u202E"), ": lost at 10:00"],
    [new Error("no limit for +1 206 555 0123"), ": no limit for [number]"],
    [new Error("connect redis://:pass word@db:6379"), ": connect redis://:pass [redacted]@db:6379"],
    [new Error(`connect redis://me:${"p4ss".repeat(300)}@db:6379`), ": connect [redacted]@db:6379"],
    [
      new Error("connect redis://me:p4ss@db:6379 (of me@example.com)"),
      ": connect [redacted]@db:6379 (of [redacted]@example.com)",
    ],
    [new Error("x".repeat(5_000)), `: ${"x".repeat(300)}…`],
    [new Error("x".repeat(1_000_000)), `: ${"x".repeat(300)}…`],
    [Array(500_000).fill(1), ""],
    [new Error(""), ""],
    [undefined, ""],
    [{ message: { toString: () => "an object" } }, ""],
    [unreadable, ""],
    [Object.defineProperty(new Error(""), "message", { get: rejecting(new Error("no")) }), ""],
  ];
  test.each(SAID)(
    "the message of a ThrottleError quotes why the limiter failed: %#",
    async (thrown, said) => {
      const { refused, join } = callersOf(throttleFrom(limiterOf(rejecting(thrown)), { key }));
      join(0);
      await vi.runAllTimersAsync();
      const message = `the throttle's limiter failed${said}`;
      expect(refused).toMatchObject([[0, { reason: "unavailable", message }]]);
    },
  );

  test.each<[string, (cause: unknown) => Throttle]>([
    ["a limiter", (cause) => throttleFrom(limiterOf(rejecting(cause)), { key })],
    ["the caller's own acquire", (cause) => ({ acquire: async () => rejecting(cause)() as never })],
    ["an acquire that throws", (cause) => ({ acquire: rejecting(cause) })],
  ])(
    "the error of a call shows why %s failed, without the secrets of the call",
    async (_, toThrottle) => {
      const cause = new Error(`no table for ${API_KEY} ${E164} ${TEXT}`);
      const clients = clientsOf(
        { baseUrl: "https://app.example.com" },
        { throttle: toThrottle(cause), fetch: vi.fn() },
      );
      const error = await errorOf(clients.rcs.sendRcsText(message));
      expect(error.message).toBe(
        "POST /transactional_messages/send_rcs_text: the throttle's limiter failed: no table for [redacted] [redacted] [redacted]",
      );
      expect(inspect(error)).toContain("the throttle's limiter failed: no table for");
    },
  );

  test("a throttle over a limiter treats a limiter that throws synchronously like one whose store fails", async () => {
    const { acquire } = throttleFrom({ consume: rejecting(new Error("not connected")) }, { key });
    await expect(acquire()).rejects.toMatchObject({ reason: "unavailable" });
  });
});

describe("a limiter that does not reply", () => {
  const silence = () => new Promise(() => {});

  test("a limiter that never replies fails every queued call after ten seconds, and does not block a later call", async () => {
    const { admitted, refused, join } = callersOf(throttleFrom(limiterOf(silence), { key }));
    for (const name of [0, 1, 2]) join(name);
    await vi.advanceTimersByTimeAsync(10_000);
    const cause = { message: "the limiter did not reply within 10000 ms" };
    const error = { reason: "unavailable", cause };
    expect(refused).toMatchObject([
      [0, error],
      [1, error],
      [2, error],
    ]);
    expect(new Set(refused.map(([, thrown]) => thrown)).size).toBe(3);
    join(3);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([[3, 10_000]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a limiter that never replies does not delay a call whose signal fires", async () => {
    const { refused, join } = callersOf(throttleFrom(limiterOf(silence), { key }));
    const controller = new AbortController();
    join(0, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(10);
    controller.abort("gone");
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toEqual([[0, "gone"]]);
  });

  test("a limiter that grants a point too late gets it back", async () => {
    const late = () => new Promise((resolve) => setTimeout(resolve, 15_000));
    const limiter = limiterOf(late);
    const { admitted, refused, join } = callersOf(throttleFrom(limiter, { key }));
    join(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(refused).toMatchObject([[0, { reason: "unavailable" }]]);
    join(1);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([[1, 10_000]]);
    expect(limiter.reward.mock.calls).toEqual([[key, 1]]);
  });

  test.each<[string, () => unknown]>([
    ["rejects", rejecting(new Error("the store is gone"))],
    ["has no point", rejecting(noPoint(50))],
    ["grants a point that cannot be given back", () => ({})],
  ])("a limiter that replies too late leaves no unhandled rejection if it %s", async (_, reply) => {
    const limiter = {
      consume: () => new Promise((resolve) => setTimeout(resolve, 20_000)).then(reply),
      reward: rejecting(new Error("the store is gone")),
    };
    const { refused, join } = callersOf(throttleFrom(limiter as never, { key }));
    join(0);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(refused).toMatchObject([[0, { reason: "unavailable" }]]);
    vi.useRealTimers();
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test("a limiter that never replies fails the queued calls together, even if they have waited longer than maxWait", async () => {
    const limiter = limiterOf(silence);
    const { refused, join } = callersOf(throttleFrom(limiter, { key, maxWait: 1000 }));
    for (const name of [0, 1]) join(name);
    await vi.runAllTimersAsync();
    expect(refused).toMatchObject([
      [0, { reason: "unavailable" }],
      [1, { reason: "unavailable" }],
    ]);
    expect(limiter.consume).toHaveBeenCalledTimes(1);
  });
});

describe("slots of a limiter", () => {
  const oneWindow = (msBeforeNext: number) => () => noPoint(msBeforeNext);

  test("a canceled slot returns its point to the limiter once", async () => {
    const limiter = limiterOf();
    const slot = await throttleFrom(limiter, { key }).reserve?.();
    slot?.cancel();
    slot?.cancel();
    slot?.start();
    expect(limiter.reward.mock.calls).toEqual([[key, 1]]);
  });

  /** Cancels a slot after some milliseconds, while one call waits for the next. */
  const cancelAfter = async (ms: number, limiter: ReturnType<typeof limiterOf>) => {
    const throttle = throttleFrom(limiter, { key });
    const slot = await throttle.reserve?.();
    const { admitted, join } = callersOf(throttle);
    join(1);
    await vi.advanceTimersByTimeAsync(ms);
    slot?.cancel();
    await vi.advanceTimersByTimeAsync(0);
    return admitted;
  };

  test("a canceled slot passes its point to the next call in the queue", async () => {
    const limiter = limiterOf(oneWindow(60_000), rejecting(noPoint(60_000)));
    const admitted = await cancelAfter(500, limiter);
    expect(admitted).toEqual([[1, 500]]);
    expect(limiter.reward).not.toHaveBeenCalled();
  });

  test("a canceled slot drops its point if the point's window is over, because the next window would exceed its budget", async () => {
    const limiter = limiterOf(oneWindow(1000), rejecting(noPoint(5000)));
    const admitted = await cancelAfter(1000, limiter);
    expect(admitted).toEqual([]);
    expect(limiter.reward).not.toHaveBeenCalled();
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([[1, 5000]]);
  });

  test.each<[string, replyMs: number, cancelMs: number, givenBack: number]>([
    ["within the window of the point", 400, 500, 1],
    ["at the end of the window, although the limiter has just replied", 900, 1000, 0],
    ["after the window, which began long before the reply", 900, 1100, 0],
    ["after the window, before the limiter replies", 1200, 1200, 0],
    ["long after the window, when the limiter was given up", 15_000, 500, 0],
  ])(
    "a point of a window of 1000 ms is given back only within it: %s",
    async (_, replyMs, cancelMs, givenBack) => {
      const reply = async () => {
        await new Promise((resolve) => setTimeout(resolve, replyMs));
        return noPoint(1000);
      };
      const limiter = limiterOf(reply);
      const throttle = throttleFrom(limiter, { key });
      Promise.resolve(throttle.reserve?.()).then(
        async (slot) => {
          await new Promise((resolve) => setTimeout(resolve, cancelMs - replyMs));
          slot?.cancel();
        },
        () => {},
      );
      await vi.runAllTimersAsync();
      expect(limiter.reward).toHaveBeenCalledTimes(givenBack);
    },
  );

  test("a slot that was started keeps its point", async () => {
    const limiter = limiterOf();
    const slot = await throttleFrom(limiter, { key }).reserve?.();
    slot?.start();
    slot?.cancel();
    expect(limiter.reward).not.toHaveBeenCalled();
  });
});

describe("maxWait of a throttle over a limiter", () => {
  test("maxWait refuses calls that would wait longer, as soon as the limiter states the wait", async () => {
    const limiter = limiterOf(rejecting(noPoint(500)));
    const throttle = throttleFrom(limiter, { key, maxWait: 450 });
    const { admitted, refused, join } = callersOf(throttle);
    join(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toMatchObject([[0, { reason: "max_wait", retryAfterMs: 500 }]]);
    expect(vi.getTimerCount()).toBe(0);
    join(1);
    await vi.advanceTimersByTimeAsync(60);
    join(2);
    await vi.runAllTimersAsync();
    expect(refused.map(([name]) => name)).toEqual([0, 1]);
    expect(admitted).toEqual([[2, 500]]);
  });
});

describe("holds of a throttle over a limiter", () => {
  test("a hold keeps this process from requesting points", async () => {
    const limiter = limiterOf();
    const throttle = throttleFrom(limiter, { key });
    const { admitted, refused, join } = callersOf(throttle);
    throttle.holdUntil?.(NOW + 1000);
    join(0);
    join(1, { maxHold: 999 });
    await vi.advanceTimersByTimeAsync(999);
    expect(limiter.consume).not.toHaveBeenCalled();
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([[0, 1000]]);
    expect(refused).toMatchObject([[1, { reason: "held", retryAfterMs: 1000 }]]);
  });

  test("a hold that begins during a request to the limiter returns the point", async () => {
    const limiter = limiterOf(() => vi.advanceTimersByTimeAsync(20));
    const throttle = throttleFrom(limiter, { key });
    const { admitted, join } = callersOf(throttle);
    join(0);
    throttle.holdUntil?.(NOW + 1000);
    await vi.runAllTimersAsync();
    expect(limiter.reward.mock.calls).toEqual([[key, 1]]);
    expect(admitted).toEqual([[0, 1000]]);
  });
});

test("a point that a limiter grants after its window, to a call that has left, is not given back", async () => {
  const limiter = limiterOf(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    return noPoint(1_000);
  });
  const controller = new AbortController();
  const { join } = callersOf(throttleFrom(limiter, { key }));
  join(0, { signal: controller.signal });
  await vi.advanceTimersByTimeAsync(500);
  controller.abort("gone");
  await vi.runAllTimersAsync();
  expect(limiter.reward).not.toHaveBeenCalled();
});

describe("aborts of calls over a limiter", () => {
  test("an abort of a waiting call settles it at once and takes no point", async () => {
    const limiter = limiterOf(rejecting(noPoint(100)));
    const { admitted, refused, join } = callersOf(throttleFrom(limiter, { key }));
    const controller = new AbortController();
    join(0, { signal: controller.signal });
    join(1);
    await vi.advanceTimersByTimeAsync(10);
    controller.abort("gone");
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toEqual([[0, "gone"]]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([[1, 100]]);
    expect(limiter.consume).toHaveBeenCalledTimes(2);
  });

  test("an abort during a request to the limiter passes the point to the next call", async () => {
    const limiter = limiterOf();
    const { admitted, join } = callersOf(throttleFrom(limiter, { key }));
    const controller = new AbortController();
    join(0, { signal: controller.signal });
    join(1);
    controller.abort();
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([[1, 0]]);
    expect(limiter.consume).toHaveBeenCalledTimes(1);
  });

  test.each<[string, () => unknown]>([
    ["", async () => {}],
    [", which fails", () => Promise.reject(new Error("connection lost"))],
    [
      ", which throws",
      () => {
        throw new Error("not connected");
      },
    ],
    [", which returns no promise", () => undefined],
    [", which never settles", () => new Promise(() => {})],
  ])("an abort of the only call returns its point to the limiter%s", async (_, reward) => {
    const limiter = { ...limiterOf(), reward: vi.fn(reward) };
    const { admitted, join } = callersOf(throttleFrom(limiter as never, { key }));
    const controller = new AbortController();
    join(0, { signal: controller.signal });
    controller.abort();
    await vi.runAllTimersAsync();
    expect(limiter.reward.mock.calls).toEqual([[key, 1]]);
    join(1);
    await vi.runAllTimersAsync();
    expect(admitted).toEqual([[1, 0]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
