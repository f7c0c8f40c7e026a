import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Clock } from "../../src/throttle/clock.ts";
import { type Turn, type Waiter, WaitingQueue } from "../../src/throttle/waiting-queue.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue whose calls wait until a test admits them, and how each call that joined it ended. */
const createQueue = (turn: Turn<string> = () => Number.POSITIVE_INFINITY) => {
  const looked = vi.fn(turn);
  const queue = new WaitingQueue<string>(new Clock(), looked);
  const ended: unknown[] = [];
  const join = (name: string, options = {}) =>
    queue.join(options).then(
      (slot) => void ended.push([name, slot]),
      (error: unknown) => void ended.push([name, error]),
    );
  const first = (): Waiter<string> | undefined => queue.first;
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { queue, looked, ended, join, first, settle };
};

describe("a waiting queue", () => {
  test("a waiting queue admits one call at a time, in order, with a slot", async () => {
    const { queue, ended, join, first, settle } = createQueue();
    for (const name of ["a", "b"]) join(name);
    expect(queue.length).toBe(2);
    first()?.resolve("slot 1");
    await settle();
    expect(ended).toEqual([["a", "slot 1"]]);
    first()?.resolve("slot 2");
    expect(first()).toBeUndefined();
    await settle();
    expect(ended).toEqual([
      ["a", "slot 1"],
      ["b", "slot 2"],
    ]);
  });

  test("a waiting queue refuses the first call, and no other", async () => {
    const { queue, ended, join, first, settle } = createQueue();
    for (const name of ["a", "b"]) join(name);
    first()?.reject("no");
    await settle();
    expect(ended).toEqual([["a", "no"]]);
    expect(queue.length).toBe(1);
  });

  test("a waiting queue gives a turn to each call whose time has come, and sets one timer for the next", async () => {
    const opensAt = performance.now() + 100;
    const { ended, join, looked, settle } = createQueue((waiter) => {
      if (performance.now() >= opensAt && ended.length < 2) waiter.resolve("slot");
      return opensAt;
    });
    for (const name of ["a", "b"]) join(name);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await settle();
    expect(ended).toEqual([
      ["a", "slot"],
      ["b", "slot"],
    ]);
    expect(looked.mock.calls.map(([, ahead, isDue]) => [ahead, isDue])).toEqual([
      [0, false],
      [0, true],
      [0, false],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ["the first", "a", ["b", "c"]],
    ["one in the middle", "b", ["a", "c"]],
    ["the last", "c", ["a", "b"]],
  ])(
    "a waiting queue keeps the order of its calls, later ones included, if %s leaves",
    async (_, leaver, others) => {
      const { queue, ended, join, first, settle } = createQueue();
      const controller = new AbortController();
      for (const name of ["a", "b", "c"]) {
        join(name, name === leaver ? { signal: controller.signal } : {});
      }
      controller.abort("left");
      join("d");
      expect(queue.length).toBe(3);
      while (first()) first()?.resolve("slot");
      await settle();
      expect(ended).toEqual([
        [leaver, "left"],
        ...others.map((name) => [name, "slot"]),
        ["d", "slot"],
      ]);
      expect(queue.length).toBe(0);
    },
  );

  test("a waiting queue gives the next call its turn when the first leaves", () => {
    const { join, looked, first } = createQueue();
    const controller = new AbortController();
    join("a", controller);
    join("b");
    expect(looked).toHaveBeenCalledTimes(1);
    controller.abort();
    expect(looked).toHaveBeenCalledTimes(2);
    expect(looked.mock.lastCall?.[0]).toBe(first());
  });

  test("a waiting queue can be joined again after it was emptied", async () => {
    const { ended, join, first, settle } = createQueue();
    join("a");
    first()?.reject("no");
    join("b");
    first()?.resolve("slot");
    await settle();
    expect(ended).toEqual([
      ["a", "no"],
      ["b", "slot"],
    ]);
  });

  test("a waiting queue does not count refused calls as being ahead of others", async () => {
    const { queue, ended, join, settle } = createQueue();
    for (const name of ["a", "b", "c", "d"]) join(name);
    const asked: number[] = [];
    const turns = [0, 9000, 9000, 0];
    queue.refuseLate(5000, (ahead) => {
      asked.push(ahead);
      return performance.now() + (turns.shift() ?? 0);
    });
    await settle();
    expect(asked).toEqual([0, 1, 1, 1]);
    expect(ended).toMatchObject([
      ["b", { reason: "max_wait" }],
      ["c", { reason: "max_wait" }],
    ]);
    expect(queue.length).toBe(2);
  });

  test("a waiting queue is not held at first", () => {
    expect(createQueue().queue.heldUntil).toBeLessThan(performance.now());
  });

  test("a waiting queue leaves no listener on the signal of an admitted or refused call", async () => {
    const { join, first } = createQueue();
    const { signal } = new AbortController();
    const calls = ["a", "b"].map((name) => join(name, { signal }));
    expect(getEventListeners(signal, "abort")).toHaveLength(2);
    first()?.resolve("slot");
    first()?.reject("no");
    await Promise.all(calls);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a waiting queue returns the length of a hold in whole milliseconds", async () => {
    const { queue, ended, join, settle } = createQueue();
    queue.hold(Date.now() + 1000.5);
    join("a", { maxHold: 10 });
    await settle();
    const [[, error]] = ended as [[string, { retryAfterMs: number }]];
    expect(Number.isInteger(error.retryAfterMs)).toBe(true);
    expect(error).toMatchObject({ code: "throttle", reason: "held" });
  });
});
