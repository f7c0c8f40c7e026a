import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { WaitingQueue } from "../../src/throttle/waiting-queue.ts";

/** A queue, and how each call that joined it ended. */
const createQueue = () => {
  const onAbort = vi.fn();
  const queue = new WaitingQueue<string>(onAbort);
  const ended: unknown[] = [];
  const join = (name: string, options = {}) =>
    queue.join(options).then(
      (slot) => void ended.push([name, slot]),
      (error: unknown) => void ended.push([name, error]),
    );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { queue, onAbort, ended, join, settle };
};

describe("a waiting queue", () => {
  test("a waiting queue admits one call at a time, in order, with a slot, and returns whether a call was there", async () => {
    const { queue, ended, join, settle } = createQueue();
    for (const name of ["a", "b"]) join(name);
    expect(queue.length).toBe(2);
    expect(queue.admitFirst("slot 1")).toBe(true);
    await settle();
    expect(ended).toEqual([["a", "slot 1"]]);
    expect([queue.admitFirst("slot 2"), queue.admitFirst("slot 3")]).toEqual([true, false]);
    await settle();
    expect(ended).toEqual([
      ["a", "slot 1"],
      ["b", "slot 2"],
    ]);
  });

  test("a waiting queue refuses the first call, and none if it is empty", async () => {
    const { queue, ended, join, settle } = createQueue();
    queue.refuseFirst("nobody");
    for (const name of ["a", "b"]) join(name);
    queue.refuseFirst("no");
    await settle();
    expect(ended).toEqual([["a", "no"]]);
    expect(queue.length).toBe(1);
  });

  test.each([
    ["the first", "a", ["b", "c"]],
    ["one in the middle", "b", ["a", "c"]],
    ["the last", "c", ["a", "b"]],
  ])(
    "a waiting queue keeps the order of its calls, later ones included, if %s leaves",
    async (_, leaver, others) => {
      const { queue, onAbort, ended, join, settle } = createQueue();
      const controller = new AbortController();
      for (const name of ["a", "b", "c"]) {
        join(name, name === leaver ? { signal: controller.signal } : {});
      }
      controller.abort("left");
      expect(onAbort).toHaveBeenCalledTimes(1);
      join("d");
      expect(queue.length).toBe(3);
      while (queue.admitFirst("slot"));
      await settle();
      expect(ended).toEqual([
        [leaver, "left"],
        ...others.map((name) => [name, "slot"]),
        ["d", "slot"],
      ]);
      expect(queue.length).toBe(0);
    },
  );

  test("a waiting queue can be joined again after it was emptied", async () => {
    const { queue, ended, join, settle } = createQueue();
    join("a");
    queue.refuseFirst("no");
    join("b");
    queue.admitFirst("slot");
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
    const { queue, join } = createQueue();
    const { signal } = new AbortController();
    const calls = ["a", "b"].map((name) => join(name, { signal }));
    expect(getEventListeners(signal, "abort")).toHaveLength(2);
    queue.admitFirst("slot");
    queue.refuseFirst("no");
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
