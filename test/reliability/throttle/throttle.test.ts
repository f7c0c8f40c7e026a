// Guarantees of the throttle for random callers. In fake time, many years pass in a second.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  createThrottle,
  ThrottleError,
  V2Client,
  type WindowThrottle,
} from "../../../src/index.ts";
import { sleep } from "../../support/calls.ts";
import { useSlot } from "../../support/slots.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A caller: when it arrives, when it gives up, and how it takes its slot. */
const callerArb = fc.record({
  comesAt: fc.nat(400),
  leavesAfter: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined, freq: 2 }),
  /** Whether the caller reserves its slot and starts immediately, as a client does. */
  reserves: fc.boolean(),
});
const limitsArb = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  interval: fc.integer({ min: 1, max: 120 }),
});
const callersArb = fc.array(callerArb, { minLength: 1, maxLength: 40 });
type Caller = typeof callerArb extends fc.Arbitrary<infer T> ? T : never;

interface Visit {
  readonly comesAt: number;
  /** Time at which the caller was admitted, gave up or was refused. */
  endedAt?: number;
  ended?: "admitted" | "left" | "refused";
  error?: unknown;
}

/** Runs all callers to the end, in order of arrival. */
const visit = async (throttle: WindowThrottle, callers: readonly Caller[]): Promise<Visit[]> => {
  const begun = performance.now();
  const inOrder = [...callers].sort((a, b) => a.comesAt - b.comesAt);
  const visits: Visit[] = inOrder.map(({ comesAt }) => ({ comesAt }));
  const start = async ({ leavesAfter, reserves }: Caller, visited: Visit) => {
    const end = (ended: Visit["ended"], error?: unknown) =>
      Object.assign(visited, { ended, endedAt: performance.now() - begun, error });
    const controller = new AbortController();
    const timer =
      leavesAfter !== undefined && setTimeout(() => controller.abort("left"), leavesAfter);
    try {
      const { signal } = controller;
      if (reserves) useSlot(await throttle.reserve({ signal }));
      else await throttle.acquire({ signal });
      end("admitted");
    } catch (error) {
      end(error === "left" ? "left" : "refused", error);
    }
    if (timer) clearTimeout(timer);
  };
  inOrder.forEach((caller, index) => {
    setTimeout(() => start(caller, visits[index] as Visit), caller.comesAt);
  });
  await vi.runAllTimersAsync();
  return visits;
};

const startsOf = (visits: readonly Visit[]) =>
  visits.flatMap(({ ended, endedAt }) => (ended === "admitted" ? [endedAt as number] : []));

/** Expects that no window exceeds the limit. Each start must be at least one interval after the start `limit` places earlier. */
const expectWithin = (starts: readonly number[], limit: number, interval: number) => {
  const sorted = [...starts].sort((a, b) => a - b);
  sorted.forEach((start, index) => {
    const before = sorted[index - limit];
    if (before !== undefined) expect(start - before).toBeGreaterThanOrEqual(interval);
  });
};

/** Computes the expected end of each caller. This is the guarantee of the throttle in a few lines of arithmetic. */
const reckon = (callers: readonly Caller[], limit: number, window: number) => {
  const starts: number[] = [];
  return [...callers]
    .sort((a, b) => a.comesAt - b.comesAt)
    .map(({ comesAt, leavesAfter = Number.POSITIVE_INFINITY }) => {
      const before = starts[starts.length - limit];
      const first = Math.max(comesAt, starts.at(-1) ?? 0);
      const turn = before === undefined ? first : Math.max(first, before + window);
      // A caller whose time runs out exactly at its turn may leave or be admitted.
      if (turn - comesAt === leavesAfter) return fc.pre(false) as never;
      if (turn - comesAt > leavesAfter) return { ended: "left", endedAt: comesAt + leavesAfter };
      starts.push(turn);
      return { ended: "admitted", endedAt: turn };
    });
};

describe("a throttle with random callers", () => {
  test("a throttle with random callers keeps the limit in every window, keeps the order, and loses no slot of a caller that leaves", async () => {
    await fc.assert(
      fc.asyncProperty(limitsArb, callersArb, async ({ limit, interval }, callers) => {
        const expected = reckon(callers, limit, interval + 1);
        const throttle = createThrottle({ limit, interval });
        const visits = await visit(throttle, callers);
        expectWithin(startsOf(visits), limit, interval);
        const starts = startsOf(visits);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
        // Exact to the millisecond, because an earlier start exceeds the limit and a later start wastes a slot.
        expect(visits).toMatchObject(expected);
        expect(throttle.snapshot().queued).toBe(0);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  test("a throttle with random callers refuses at once exactly the callers that would wait longer than maxWait", async () => {
    await fc.assert(
      fc.asyncProperty(limitsArb, callersArb, fc.nat(200), async (limits, callers, maxWait) => {
        const { limit, interval } = limits;
        const stay = callers.map((caller) => ({ ...caller, leavesAfter: undefined }));
        const visits = await visit(createThrottle({ ...limits, maxWait }), stay);
        const starts: number[] = [];
        for (const { comesAt, ended, endedAt = 0, error } of visits) {
          const before = starts[starts.length - limit];
          const latest = Math.max(comesAt, starts.at(-1) ?? 0);
          const turn = before === undefined ? latest : Math.max(latest, before + interval + 1);
          if (turn - comesAt > maxWait) {
            expect({ ended, endedAt }).toEqual({ ended: "refused", endedAt: comesAt });
            expect(error).toBeInstanceOf(ThrottleError);
            expect(error).toMatchObject({ reason: "max_wait", retryAfterMs: turn - comesAt });
          } else {
            expect({ ended, endedAt }).toEqual({ ended: "admitted", endedAt: turn });
            starts.push(turn);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a throttle with random callers starts no attempt during a hold, and keeps the limit when the hold ends", async () => {
    const holdArb = fc.record({ at: fc.nat(400), ms: fc.nat(300) });
    await fc.assert(
      fc.asyncProperty(limitsArb, callersArb, fc.array(holdArb), async (limits, callers, holds) => {
        const throttle = createThrottle(limits);
        const begun = Date.now();
        for (const { at, ms } of holds) {
          // Runs before the callers that arrive at exactly this time.
          setTimeout(() => throttle.holdUntil(begun + at + ms), at);
        }
        const starts = startsOf(await visit(throttle, callers));
        expectWithin(starts, limits.limit, limits.interval);
        for (const { at, ms } of holds) {
          // An attempt that started exactly when the hold began may have preceded it.
          expect(starts.filter((start) => start > at && start < at + ms)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("snapshot() of a throttle with random callers reports its true state", async () => {
    const looksArb = fc.array(fc.nat(900), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(limitsArb, callersArb, looksArb, async (limits, callers, looks) => {
        const { limit, interval } = limits;
        const throttle = createThrottle(limits);
        const epoch = Date.now();
        const seen: { at: number; snapshot: ReturnType<WindowThrottle["snapshot"]> }[] = [];
        for (const at of looks) {
          setTimeout(() => seen.push({ at, snapshot: throttle.snapshot() }), at);
        }
        const visits = await visit(throttle, callers);
        const starts = startsOf(visits);
        for (const { at, snapshot } of seen) {
          const { used, remaining, queued, nextSlotAt } = snapshot;
          const busyAt = visits.some(({ comesAt, endedAt }) => comesAt === at || endedAt === at);
          expect(used + remaining).toBe(limit);
          expect(nextSlotAt === null).toBe(remaining > 0);
          if (busyAt) continue;
          const window = interval + 1;
          const recent = starts.filter((start) => start < at && start + window > at);
          expect(used).toBe(recent.length);
          const waiting = visits.filter(({ comesAt, endedAt = 0 }) => comesAt < at && endedAt > at);
          expect(queued).toBe(waiting.length);
          if (nextSlotAt !== null) expect(nextSlotAt - epoch).toBe((recent[0] ?? 0) + window);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a service that counts requests as they arrive", () => {
  /** A request: its time and the duration of each of its steps. */
  const requestArb = fc.record({
    madeAt: fc.nat(400),
    /** Time between the slot and the start, for example for a claim in a ledger. */
    startsAfter: fc.nat(20),
    cancels: fc.boolean(),
    /** Time until the response, as a fraction of the maximum that the throttle allows for. */
    respondsAfter: fc.double({ min: 0, max: 1, noNaN: true }),
    /** Time at which the service counts the request, as a fraction of the time until the response. */
    arrivesAt: fc.double({ min: 0, max: 1, noNaN: true }),
  });

  test("a service that counts requests as they arrive sees no window above the limit, whatever happens between a start and its response", async () => {
    const requestsArb = fc.array(requestArb, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(limitsArb, requestsArb, async (limits, requests) => {
        const throttle = createThrottle(limits);
        const arrivals: number[] = [];
        const make = async (request: (typeof requests)[number]) => {
          const { madeAt, startsAfter, cancels, respondsAfter, arrivesAt } = request;
          await sleep(madeAt);
          const slot = await throttle.reserve();
          await sleep(startsAfter);
          if (cancels) return slot.cancel();
          slot.start();
          const tookMs = Math.floor((respondsAfter * limits.interval) / 4);
          arrivals.push(performance.now() + arrivesAt * tookMs);
          await sleep(tookMs);
          slot.responded?.();
        };
        const all = requests.map(make);
        await vi.runAllTimersAsync();
        await Promise.all(all);
        expectWithin(arrivals, limits.limit, limits.interval);
        expect(throttle.snapshot()).toMatchObject({ queued: 0 });
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe("two clients on one throttle", () => {
  const responsesArb = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant({ status: 200, retryAfter: undefined }) },
      { weight: 1, arbitrary: fc.constant({ status: 503, retryAfter: undefined }) },
      {
        weight: 1,
        arbitrary: fc.record({
          status: fc.constant(429),
          retryAfter: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
        }),
      },
    ),
    { minLength: 1, maxLength: 30 },
  );

  test("two clients on one throttle keep the limit together, retries and aborts included, and a 429 holds both", async () => {
    await fc.assert(
      fc.asyncProperty(limitsArb, callersArb, responsesArb, async (limits, callers, responses) => {
        const throttle = createThrottle(limits);
        const begun = performance.now();
        const sent: number[] = [];
        const holds: { from: number; until: number }[] = [];
        const fetch = async (_: unknown, init?: RequestInit) => {
          const at = performance.now() - begun;
          const { status, retryAfter } = responses[sent.length % responses.length] ?? {
            status: 200,
          };
          sent.push(at);
          const headers = retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` };
          await new Promise((resolve) => setTimeout(resolve, 5));
          // A caller that has left does not receive the response.
          const heard = !init?.signal?.aborted;
          if (retryAfter && heard) holds.push({ from: at + 5, until: at + 5 + retryAfter * 1000 });
          return new Response('{"account":{}}', { status, headers: headers as HeadersInit });
        };
        const clients = [0, 1].map(
          () =>
            new V2Client({
              ...{
                baseUrl: "https://app.example.com",
                email: "owner@example.com",
                apiKey: "key-1",
              },
              ...{ fetch, throttle, responseValidation: "off", retry: { backoff: { max: 50 } } },
            }),
        );
        const calls = callers.map(async ({ comesAt, leavesAfter }, index) => {
          await new Promise((resolve) => setTimeout(resolve, comesAt));
          const controller = new AbortController();
          const timer = leavesAfter && setTimeout(() => controller.abort(), leavesAfter);
          await clients[index % 2]?.accounts.me({ signal: controller.signal }).catch(() => {});
          if (timer) clearTimeout(timer);
        });
        await vi.runAllTimersAsync();
        await Promise.all(calls);
        expectWithin(sent, limits.limit, limits.interval);
        for (const { from, until } of holds) {
          expect(sent.filter((at) => at > from && at < until)).toEqual([]);
        }
        expect(throttle.snapshot().queued).toBe(0);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});
