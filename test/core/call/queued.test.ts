// Events of calls that wait for a throttle, in fake time.
import fc from "fast-check";
import pThrottle from "p-throttle";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { describe, expect, test, vi } from "vitest";
import type { AcquireOptions } from "../../../src/core/throttle/slot.ts";
import {
  type ClientEvent,
  createThrottle,
  type Throttle,
  throttleFrom,
  V2Client,
} from "../../../src/index.ts";
import { account } from "../../support/calls.ts";
import { NOW, useFakeTime } from "../throttle/callers-of.ts";

useFakeTime();

const HOUR = 3_600_000;
const key = "account-1";
const ok = async () => Response.json(account);

/** Creates a client with a throttle. Each call returns its events with their times. */
const clientOf = (throttle: Throttle, fetch = ok) => {
  const settings = { baseUrl: "https://app.example.com", email: "o@example.com", apiKey: "key-1" };
  const v2 = new V2Client({ ...settings, throttle, fetch, retry: 1 });
  return (signal?: AbortSignal) => {
    const events: (readonly [type: string, atMs: number, waitMs?: number])[] = [];
    const onEvent = (event: ClientEvent) => {
      const at = Math.round(Date.now() - NOW);
      if (event.type === "queued") {
        const { expectedWaitMs } = event;
        const isKnown = "expectedWaitMs" in event;
        events.push(isKnown ? ["queued", at, Number(expectedWaitMs)] : ["queued", at]);
      } else if (event.type === "throttled") events.push(["throttled", at, event.waitMs]);
      else events.push([event.type, at]);
    };
    const ended = v2.accounts.me({ signal, onEvent }).then(
      () => {},
      () => {},
    );
    return { events, ended };
  };
};

/** Makes calls at the same time. Returns the events of the last call after `turnMs`, and all of its waits. */
const lastOf = async (throttle: Throttle, calls: number, turnMs = 0) => {
  const call = clientOf(throttle);
  const { events } = Array.from({ length: calls }, () => call()).at(-1) ?? call();
  await vi.advanceTimersByTimeAsync(turnMs);
  const early = events.slice();
  await vi.runAllTimersAsync();
  return { early, waits: events.filter(([type]) => type === "queued" || type === "throttled") };
};

const held = () => {
  const throttle = createThrottle({ limit: 5, interval: 100 });
  throttle.holdUntil(NOW + 5_000);
  return throttle;
};
const heldLimiter = () => {
  const throttle = throttleFrom({ consume: async () => ({}) }, { key });
  throttle.holdUntil?.(NOW + 5_000);
  return throttle;
};
const memory = (points: number) => new RateLimiterMemory({ points, duration: 3_600 });
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const slot = { start() {}, cancel() {} };

/** Creates a custom throttle that reports the same wait twice. */
const ownWith = (ms: number) => (): Throttle => ({
  acquire: ({ onQueued }: AcquireOptions = {}) => {
    onQueued?.(ms);
    onQueued?.(ms);
    return pause(30);
  },
});

describe("a call that has to wait emits queued at once, and throttled when it has waited", () => {
  const perHour = () => createThrottle({ limit: 1200, interval: HOUR });
  const two = () => createThrottle({ limit: 2, interval: 100 });
  const wrapped = () => ({ ...held() });
  const onlyAcquire = () => ({ acquire: held().acquire });

  test.each<[string, () => Throttle, calls: number, expectedMs: number, waitMs: number]>([
    ["call 1201 of an hour", perHour, 1201, 3_603_600, 3_603_600],
    ["call 5 of a limit of two", two, 5, 202, 202],
    ["a call during a hold", held, 1, 5_000, 5_000],
    ["a call behind a hold and a full window", held, 6, 5_101, 5_101],
    ["a call through a throttle that wraps one", wrapped, 1, 5_000, 5_000],
    ["a call through the `acquire` of one", onlyAcquire, 1, 5_000, 5_000],
    ["a call over a limiter during a hold", heldLimiter, 1, 5_000, 5_000],
    ["a call whose own throttle states the wait", ownWith(400), 1, 400, 30],
    ["a call whose own throttle states a part of a millisecond", ownWith(0.2), 1, 1, 30],
    ["a call whose own throttle states a wait that is over", ownWith(-5), 1, 0, 30],
  ])("%s", async (_, toThrottle, calls, expectedMs, waitMs) => {
    const { early, waits } = await lastOf(toThrottle(), calls);
    expect(early[0]).toEqual(["queued", 0, expectedMs]);
    expect(waits).toEqual([
      ["queued", 0, expectedMs],
      ["throttled", waitMs, waitMs],
    ]);
  });
});

test("a call over a limiter reports its wait as soon as the limiter has replied", async () => {
  const call = clientOf(throttleFrom(memory(1), { key }));
  call();
  await vi.advanceTimersByTimeAsync(1_000);
  const { events } = call();
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual([["queued", 1_000, HOUR - 1_000]]);
  await vi.runAllTimersAsync();
  expect(events[1]).toEqual(["throttled", HOUR, HOUR - 1_000]);
});

describe("a call whose wait is of unknown length emits queued without a time", () => {
  const late = { consume: () => pause(250).then(() => ({})) };
  const paced = () => pThrottle({ limit: 1, interval: 500, strict: true });
  const busyPace = () => {
    const pace = paced();
    pace(() => {})();
    return pace;
  };
  const slots = { acquire: () => pause(250), reserve: () => pause(250).then(() => slot) };

  test.each<[string, () => Throttle, calls: number, atMs: number]>([
    ["over the caller's own acquire", () => ({ acquire: () => pause(30) }), 1, 0],
    ["over the caller's own slots", () => slots, 1, 100],
    ["behind another call over a limiter", () => throttleFrom(memory(1), { key }), 3, 0],
    ["over a limiter that has not replied", () => throttleFrom(late, { key }), 1, 100],
    ["behind another call over p-throttle", () => throttleFrom(paced()), 2, 0],
    ["first in line over p-throttle", () => throttleFrom(busyPace()), 1, 100],
    ["over a throttle that states no number", ownWith("soon" as never), 1, 0],
  ])("%s", async (_, toThrottle, calls, atMs) => {
    const { early, waits } = await lastOf(toThrottle(), calls, atMs);
    expect(early).toEqual([["queued", atMs]]);
    expect(waits.map(([type]) => type)).toEqual(["queued", "throttled"]);
  });
});

test.each<[string, () => Throttle]>([
  ["a free slot", () => createThrottle({ limit: 1, interval: 100 })],
  ["an acquire that resolves at once", () => ({ acquire: async () => {} })],
  ["a limiter that has a point", () => throttleFrom(memory(1), { key })],
])("a call that does not wait emits neither queued nor throttled: %s", async (_, toThrottle) => {
  const { early, waits } = await lastOf(toThrottle(), 1);
  expect(early.map(([type]) => type)).toEqual(["request", "response", "succeeded"]);
  expect(waits).toEqual([]);
});

test("each wait of a call has its own queued", async () => {
  let attempts = 0;
  const call = clientOf(createThrottle({ limit: 1, interval: 10_000 }), async () => {
    attempts += 1;
    return attempts === 2 ? new Response("", { status: 503 }) : ok();
  });
  call();
  const { events } = call();
  await vi.runAllTimersAsync();
  expect(events.map(([type]) => type)).toEqual([
    ...["queued", "throttled", "request", "response"],
    ...["retry", "queued", "throttled", "request", "response", "succeeded"],
  ]);
});

test("a call that leaves the queue emits no throttled, whatever its throttle does", async () => {
  let report: AcquireOptions["onQueued"];
  const throttles: Throttle[] = [
    held(),
    {
      acquire: async (options: AcquireOptions = {}) => {
        report = options.onQueued;
        await pause(5_000);
      },
    },
  ];
  for (const throttle of throttles) {
    const controller = new AbortController();
    const { events, ended } = clientOf(throttle)(controller.signal);
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    await ended;
    report?.(7);
    await vi.runAllTimersAsync();
    expect(events.map(([type]) => type)).toEqual(["queued", "failed"]);
  }
});

test("a wait that a throttle reports after it has admitted the call emits nothing", async () => {
  let report: AcquireOptions["onQueued"];
  const acquire = async (options: AcquireOptions = {}) => {
    report = options.onQueued;
  };
  const { events, ended } = clientOf({ acquire })();
  await ended;
  report?.(7);
  expect(events.map(([type]) => type)).toEqual(["request", "response", "succeeded"]);
});

test("a call that has its slot leaves no timer", async () => {
  const { events, ended } = clientOf({ acquire: async () => {}, reserve: async () => slot })();
  await ended;
  expect(events.map(([type]) => type)).toEqual(["request", "response", "succeeded"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a signal that a throttle reads after its call has left is aborted", async () => {
  let options: AcquireOptions = {};
  const acquire = (given: AcquireOptions = {}) => {
    options = given;
    return new Promise<void>(() => {});
  };
  const controller = new AbortController();
  const { ended } = clientOf({ acquire })(controller.signal);
  controller.abort();
  await ended;
  expect(options.signal?.aborted).toBe(true);
});

test("random calls emit throttled only after queued, and once for each wait that ends with a slot", async () => {
  const limitsArb = fc.record({
    limit: fc.integer({ min: 1, max: 3 }),
    interval: fc.integer({ min: 1, max: 50 }),
  });
  const callArb = fc.record({
    at: fc.nat(100),
    leavesAfter: fc.option(fc.integer({ max: 60, min: 1 })),
  });
  await fc.assert(
    fc.asyncProperty(limitsArb, fc.array(callArb, { maxLength: 20 }), async (limits, calls) => {
      const call = clientOf(createThrottle(limits));
      const all: ReturnType<typeof call>[] = [];
      for (const { at, leavesAfter } of calls) {
        setTimeout(() => {
          const controller = new AbortController();
          if (leavesAfter) setTimeout(() => controller.abort(), leavesAfter);
          all.push(call(controller.signal));
        }, at);
      }
      await vi.runAllTimersAsync();
      expect(all).toHaveLength(calls.length);
      for (const { events } of all) {
        const types = events.map(([type]) => type).join(" ");
        expect(types).toMatch(
          /^(queued throttled )?request (response succeeded|failed)$|^(queued )?failed$/,
        );
      }
    }),
    { numRuns: 100 },
  );
});
