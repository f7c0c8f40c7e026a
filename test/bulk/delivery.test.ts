// Steps of a ledger that are late, and claims that are granted after their call has ended, on a fake clock.
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LedgerClaim, LedgerEntry } from "../../src/bulk/ledgers/ledger.ts";
import { memoryLedger } from "../../src/bulk/ledgers/memory-ledger.ts";
import type { Task } from "../../src/bulk/message.ts";
import { TimedLedger, toSkippedOutcome } from "../../src/bulk/timed-ledger.ts";
import { waitFor } from "../../src/wait-for.ts";

const never = new Promise<never>(() => {});
const later = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(resolve, ms, value));

/** Returns the time in milliseconds that a promise takes to settle, and its error. */
const timeOf = async (promise: PromiseLike<unknown>) => {
  const start = Date.now();
  const settled = Promise.resolve(promise).then(
    () => ({ ms: Date.now() - start, error: undefined }),
    (error: unknown) => ({ ms: Date.now() - start, error }),
  );
  await vi.runAllTimersAsync();
  return await settled;
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a wait for work that may never settle", () => {
  test("late work ends the wait after the limit, and a stop ends it at once", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const { signal } = controller;
    const waits = [
      ...[waitFor(never, 5_000), waitFor(never, 5_000, signal), waitFor(never, 40, signal)],
      waitFor(never, 5_000, AbortSignal.abort()),
    ];
    const times = waits.map(async (wait) => [await wait, Date.now()]);
    const start = Date.now();
    await vi.runAllTimersAsync();
    const ends = (await Promise.all(times)).map(([end, at]) => [end, Number(at) - start]);
    expect(ends).toEqual([
      ["late", 5_000],
      ["stopped", 50],
      ["late", 40],
      ["stopped", 0],
    ]);
  });

  test.each([
    ["succeeds", () => Promise.resolve()],
    ["fails", () => Promise.reject(new Error("no"))],
    ["is late", () => never],
  ])("work that %s leaves no timer and no callback", async (_, start) => {
    const { signal } = new AbortController();
    await timeOf(waitFor(start(), 100, signal));
    expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([0, []]);
  });

  test("work that has ended leaves no timer that would keep the process alive", async () => {
    expect(await waitFor(Promise.resolve(1), 5_000)).toEqual({ value: 1 });
    await waitFor(Promise.reject(new Error("no")), 5_000).catch(() => {});
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a record that is late", () => {
  const settle = (ledgerTimeoutMs: number, signal?: AbortSignal) => {
    const ledger = { ...memoryLedger(), settle: () => never };
    const batch = new TimedLedger({ batch: "b", ledger, ledgerTimeoutMs, callMs: 0 }, signal);
    return batch.settle({} as LedgerClaim, { state: "open" }, {});
  };

  test("a late record ends with an error that states the limit", async () => {
    const { ms, error } = await timeOf(settle(5_000));
    expect(ms).toBe(5_000);
    expect(error).toMatchObject({
      reason: "unavailable",
      cause: { message: "no response within 5000 ms", code: "TIMEOUT" },
    });
  });

  test.each([
    ["has fired already", 0, 250],
    ["fires during the wait", 1_000, 1_250],
  ])("a late record ends soon after a signal that %s", async (_, firesAt, endsAt) => {
    const controller = new AbortController();
    if (firesAt === 0) controller.abort();
    else setTimeout(() => controller.abort(), firesAt);
    const { ms, error } = await timeOf(settle(5_000, controller.signal));
    expect(ms).toBe(endsAt);
    expect(error).toMatchObject({ cause: { code: "TIMEOUT" } });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("a signal never prolongs the wait", async () => {
    expect(await timeOf(settle(100, AbortSignal.abort()))).toMatchObject({ ms: 100 });
  });
});

describe("a claim whose call has ended", () => {
  const task = { key: "k", digest: "d", ref: "r" } as Task;
  const entry: LedgerEntry = {
    ...{ id: "i", batch: "b", key: "k", digest: "d", ref: "r", owner: "o" },
    at: "2026-01-01T00:00:00.000Z",
    ageMs: 9e9,
    state: "accepted",
  };

  /** Claims a key in a ledger that grants or refuses the claim after 2 s; the limit is 1 s. */
  const claimLate = async (found: LedgerEntry | undefined, previousOutcome?: "unknown") => {
    const settle = vi.fn(async () => later(100, true));
    const ledger = { ...memoryLedger(), claim: () => later(2_000, found), settle };
    const batch = new TimedLedger(
      { batch: "b", ledger, ledgerTimeoutMs: 1_000, callMs: 0 },
      undefined,
    );
    const onGranted = vi.fn();
    const { signal } = new AbortController();
    const claiming = batch.claim(task, signal, { previousOutcome }, onGranted);
    const refused = expect(claiming).rejects.toMatchObject({ reason: "unavailable" });
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    return { batch, settle, onGranted };
  };

  test.each([
    ["open", undefined],
    ["unknown", "unknown"],
  ] as const)("a claim that is granted too late is released as %s", async (state, before) => {
    const { settle, onGranted } = await claimLate(undefined, before);
    await vi.runAllTimersAsync();
    expect(settle.mock.calls).toEqual([[expect.objectContaining({ key: "k" }), { state }]]);
    expect(onGranted).not.toHaveBeenCalled();
  });

  test("a claim that is refused too late is not released", async () => {
    const { settle } = await claimLate(entry);
    await vi.runAllTimersAsync();
    expect(settle).not.toHaveBeenCalled();
  });

  test("a ledger is idle when the late claim is released, or after 250 ms", async () => {
    const { batch } = await claimLate(undefined);
    expect(await timeOf(batch.idle())).toMatchObject({ ms: 250 });
    const other = await claimLate(undefined);
    await vi.advanceTimersByTimeAsync(950);
    // The claim is granted after another 50 ms, and released after 100 ms more.
    const idle = other.batch.idle().then(() => Date.now());
    const start = Date.now();
    await vi.runAllTimersAsync();
    expect((await idle) - start).toBe(150);
    expect(await timeOf(other.batch.idle())).toMatchObject({ ms: 0 });
  });

  test("a claim that is granted after its signal has fired is released", async () => {
    const settle = vi.fn(async () => true);
    const ledger = { ...memoryLedger(), settle };
    const batch = new TimedLedger(
      { batch: "b", ledger, ledgerTimeoutMs: 1_000, callMs: 0 },
      undefined,
    );
    const onGranted = vi.fn();
    expect(await batch.claim(task, AbortSignal.abort(), {}, onGranted)).toBeUndefined();
    expect(settle.mock.calls).toEqual([[expect.anything(), { state: "open" }]]);
    expect(onGranted).not.toHaveBeenCalled();
  });
});

describe("the end of an item that is skipped", () => {
  const entry: LedgerEntry = {
    ...{ id: "i", batch: "b", key: "k", digest: "d", ref: "r", owner: "o" },
    at: "2026-01-01T00:00:00.000Z",
    ageMs: 9e9,
    state: "accepted",
    transactionId: "0a1b2c3d",
  };

  test.each([
    ["accepted_before", { transactionId: "0a1b2c3d" }],
    ["changed", { transactionId: "0a1b2c3d" }],
    ["duplicate", {}],
    ["in_doubt", { at: "2026-01-01T00:00:00.000Z" }],
  ] as const)("an item that is skipped as %s states %j", (reason, stated) => {
    expect(toSkippedOutcome({ reason, entry })).toEqual({ state: "skipped", reason, ...stated });
  });
});
