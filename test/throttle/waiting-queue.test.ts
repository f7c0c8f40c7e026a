import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { WaitingLine } from "../../src/throttle/waiting-queue.ts";

/** A line, and what became of those who joined it. */
const createLine = () => {
  const onChange = vi.fn();
  const line = new WaitingLine(onChange);
  const came: (string | unknown)[] = [];
  const join = (name: string, options = {}) =>
    line.join(options).then(
      () => void came.push(name),
      (error: unknown) => void came.push([name, error]),
    );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { line, onChange, came, join, settle };
};

describe("a waiting line", () => {
  test("admits one at a time, in order, and says whether there was one", async () => {
    const { line, came, join, settle } = createLine();
    for (const name of ["a", "b"]) join(name);
    expect(line.length).toBe(2);
    expect(line.admitFirst()).toBe(true);
    await settle();
    expect(came).toEqual(["a"]);
    expect([line.admitFirst(), line.admitFirst()]).toEqual([true, false]);
    await settle();
    expect(came).toEqual(["a", "b"]);
  });

  test("turns away the first, or nobody where there is none", async () => {
    const { line, came, join, settle } = createLine();
    line.refuseFirst("nobody");
    for (const name of ["a", "b"]) join(name);
    line.refuseFirst("no");
    await settle();
    expect(came).toEqual([["a", "no"]]);
    expect(line.length).toBe(1);
  });

  test("tells each change: who joins, who leaves, a hold", () => {
    const { line, onChange, join } = createLine();
    const controller = new AbortController();
    join("a", { signal: controller.signal });
    expect(onChange).toHaveBeenCalledTimes(1);
    controller.abort();
    expect(onChange).toHaveBeenCalledTimes(2);
    line.hold(Date.now() + 1000);
    expect(onChange).toHaveBeenCalledTimes(3);
  });

  test("counts those ahead without those who are turned away", async () => {
    const { line, came, join, settle } = createLine();
    for (const name of ["a", "b", "c", "d"]) join(name);
    const asked: number[] = [];
    const turns = [0, 9000, 9000, 0];
    line.refuseLate(5000, (ahead) => {
      asked.push(ahead);
      return performance.now() + (turns.shift() ?? 0);
    });
    await settle();
    expect(asked).toEqual([0, 1, 1, 1]);
    expect(came).toMatchObject([
      ["b", { reason: "max_wait" }],
      ["c", { reason: "max_wait" }],
    ]);
    expect(line.length).toBe(2);
  });

  test("is not held at first", () => {
    expect(createLine().line.heldUntil).toBeLessThan(performance.now());
  });

  test("leaves no listener on the signal of who was admitted or turned away", async () => {
    const { line, join } = createLine();
    const { signal } = new AbortController();
    const calls = ["a", "b"].map((name) => join(name, { signal }));
    expect(getEventListeners(signal, "abort")).toHaveLength(2);
    line.admitFirst();
    line.refuseFirst("no");
    await Promise.all(calls);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("says in whole milliseconds how long a hold lasts", async () => {
    const { line, came, join, settle } = createLine();
    line.hold(Date.now() + 1000.5);
    join("a", { maxHold: 10 });
    await settle();
    const [[, error]] = came as [[string, { retryAfterMs: number }]];
    expect(Number.isInteger(error.retryAfterMs)).toBe(true);
    expect(error).toMatchObject({ code: "throttle", reason: "held" });
  });
});
