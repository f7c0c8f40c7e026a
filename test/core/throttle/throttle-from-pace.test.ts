// A throttle over the real p-throttle, in fake time.
import { getEventListeners } from "node:events";
import pThrottle from "p-throttle";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Throttle, throttleFrom } from "../../../src/index.ts";
import { importFrom, installFixture } from "../../support/fixture.ts";
import { NOW, useFakeTime } from "./callers-of.ts";

type PThrottle = typeof pThrottle;

/** The newest p-throttle is the project's own. The others are both ends of the range in `peerDependencies`. */
const VERSIONS = [
  { version: "the project's p-throttle", load: async () => pThrottle },
  { version: "the lowest p-throttle", load: () => loadPeer("p-throttle-lowest") },
  { version: "the newest p-throttle", load: () => loadPeer("p-throttle-newest") },
];

const loadPeer = async (name: string): Promise<PThrottle> => {
  const folder = installFixture("first-ring");
  return (await importFrom<{ default: PThrottle }>(folder, name)).default;
};

useFakeTime();

/** Records when each call of a throttle ends, and its error if it fails. */
const callersOf = (throttle: Throttle) => {
  const ended: [name: string | number, atMs: number, error?: unknown][] = [];
  const now = () => Date.now() - NOW;
  const join = (name: string | number, options?: { signal?: AbortSignal; maxHold?: number }) =>
    throttle.acquire(options).then(
      () => void ended.push([name, now()]),
      (error: unknown) => void ended.push([name, now(), error]),
    );
  return { ended, join };
};

describe.each(VERSIONS)("a throttle over $version", ({ load }) => {
  let original: PThrottle;
  beforeAll(async () => {
    original = await load();
  });

  /** Creates callers of a throttle over p-throttle in strict mode. */
  const pacedCallers = (
    limit: number,
    interval: number,
    options?: { readonly maxWait: number },
  ) => {
    const throttle = throttleFrom(original({ limit, interval, strict: true }), options);
    return { throttle, ...callersOf(throttle) };
  };

  test("a throttle over p-throttle admits calls in order, at the pace of p-throttle", async () => {
    const { ended, join } = pacedCallers(2, 100);
    for (const name of [0, 1, 2, 3, 4]) join(name);
    await vi.runAllTimersAsync();
    expect(ended.map(([name]) => name)).toEqual([0, 1, 2, 3, 4]);
    const times = ended.map(([, atMs]) => atMs);
    expect(times.slice(0, 2)).toEqual([0, 0]);
    for (const [index, atMs] of times.slice(2).entries()) {
      expect(atMs - (times[index] as number)).toBeGreaterThanOrEqual(100);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  // docs/decisions.md gives both as reasons why the clients have their own window.
  test.each([
    { event: "its signal fires", forget: (controller: AbortController) => controller.abort() },
    { event: "the clock steps forward", forget: () => void vi.setSystemTime(NOW + 1_001) },
  ])("p-throttle by itself forgets its window when $event", ({ forget }) => {
    const controller = new AbortController();
    const start = vi.fn();
    const options = { limit: 5, interval: 1_000, strict: true, signal: controller.signal };
    const paced = original(options)(start);
    for (let call = 0; call < 5; call += 1) void paced();
    forget(controller);
    for (let call = 0; call < 5; call += 1) void paced();
    expect(start).toHaveBeenCalledTimes(10);
  });

  test("a throttle over p-throttle shares its pace with other functions of the application", async () => {
    const pace = original({ limit: 1, interval: 100, strict: true });
    const other = vi.fn(() => Date.now() - NOW);
    const { ended, join } = callersOf(throttleFrom(pace));
    const ownCall = pace(other)();
    join(0);
    await vi.runAllTimersAsync();
    expect(await ownCall).toBe(0);
    expect(ended).toEqual([[0, 100]]);
  });

  test("a throttle over p-throttle passes the turn of a canceled call to the next call", async () => {
    const { ended, join } = pacedCallers(1, 100);
    const controller = new AbortController();
    join(0);
    join(1, { signal: controller.signal });
    join(2);
    await vi.advanceTimersByTimeAsync(40);
    controller.abort("gone");
    await vi.runAllTimersAsync();
    expect(ended).toEqual([
      [0, 0],
      [1, 40, "gone"],
      [2, 100],
    ]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("a throttle over p-throttle drops a turn that comes while no call waits, because it would break the pace later", async () => {
    const { ended, join } = pacedCallers(1, 100);
    const controller = new AbortController();
    join(0);
    join(1, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(40);
    controller.abort("gone");
    await vi.advanceTimersByTimeAsync(110);
    join(2);
    await vi.runAllTimersAsync();
    expect(ended).toEqual([
      [0, 0],
      [1, 40, "gone"],
      [2, 200],
    ]);
  });

  test("a throttle over p-throttle refuses a call that has waited for maxWait, and each later call in time", async () => {
    const { ended, join } = pacedCallers(1, 100, { maxWait: 150 });
    for (const name of [0, 1, 2]) join(name);
    await vi.advanceTimersByTimeAsync(20);
    join(3);
    await vi.runAllTimersAsync();
    expect(ended).toMatchObject([
      [0, 0],
      [1, 100],
      [2, 150, { reason: "max_wait", outcome: "not_sent" }],
      [3, 170, { reason: "max_wait" }],
    ]);
    expect(ended[2]?.[2]).not.toHaveProperty("retryAfterMs");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a throttle over p-throttle with a maxWait of 0 allows a free slot and no wait", async () => {
    const { ended, join } = pacedCallers(1, 100, { maxWait: 0 });
    join(0);
    join(1);
    await vi.advanceTimersByTimeAsync(50);
    expect(ended).toMatchObject([
      [0, 0],
      [1, expect.any(Number), { reason: "max_wait" }],
    ]);
    expect(ended[1]?.[1]).toBeLessThanOrEqual(2);
  });

  test("a throttle over p-throttle fails calls after the application has aborted p-throttle, with the reason", async () => {
    const controller = new AbortController();
    const pace = original({ limit: 1, interval: 100, strict: true, signal: controller.signal });
    const { ended, join } = callersOf(throttleFrom(pace));
    join(0);
    join(1);
    await vi.advanceTimersByTimeAsync(10);
    const reason = new Error("shutting down");
    controller.abort(reason);
    await vi.runAllTimersAsync();
    expect(ended).toMatchObject([
      [0, 0],
      [1, 10, { reason: "unavailable", outcome: "not_sent", cause: reason }],
    ]);
  });

  test("a throttle over p-throttle does not reuse a canceled slot", async () => {
    const { throttle, ended, join } = pacedCallers(1, 100);
    const slot = await throttle.reserve?.();
    join(1);
    slot?.cancel();
    await vi.runAllTimersAsync();
    expect(ended).toEqual([[1, 100]]);
  });
});
