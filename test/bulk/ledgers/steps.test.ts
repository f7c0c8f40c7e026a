// Steps over many rows, on a fake clock.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { inSteps, type Scan, type SqlDatabase } from "../../../src/bulk/ledgers/sql-database.ts";

/** Returns a key. Keys sort in the order of their numbers. */
const keyAt = (index: number): string => `k${String(index).padStart(6, "0")}`;

/** Returns a database that takes `latencyMs` to find the end of each step in a table of `count` keys. */
const databaseOf = (count: number, latencyMs = 0): SqlDatabase => ({
  name: "sends",
  now: "now",
  size: "0",
  query: async (_, values, kind) => {
    expect(kind).toBe("read");
    vi.advanceTimersByTime(latencyMs);
    const from = values[1] === "" ? 0 : Number(String(values[1]).slice(1));
    const at = from + Number(values.at(-1));
    return at < count ? [{ key: keyAt(at) }] : [];
  },
});

/** Scans `count` keys at `msPerRow` per row. Returns the number of rows of each step and whether it was the last. */
const scan = async (
  count: number,
  { msPerRow = 0, latencyMs = 0, ...options }: Partial<Scan> & Record<string, unknown>,
) => {
  let from = 0;
  const run = async (_: string, values: readonly (string | null)[], isLast: boolean) => {
    const end = isLast ? count : Number(String(values.at(-1)).slice(1));
    const rows = end - from;
    from = end;
    vi.advanceTimersByTime(rows * Number(msPerRow) + Number(latencyMs));
    return { rows, isLast };
  };
  const steps: { rows: number; isLast: boolean }[] = [];
  const part = { order: "key", where: "batch = ?", values: ["b"], ...options };
  for await (const step of inSteps(databaseOf(count, Number(latencyMs)), part, run)) {
    steps.push(step);
  }
  return steps;
};

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

describe("the steps of a scan", () => {
  test.each([
    ["reads", {}, 500],
    ["writes", { writes: true }, 50],
    ["has fewer rows for each step", { maxRows: 30 }, 30],
  ])("the first step of a scan that %s is short", async (_, options, rows) => {
    const [first] = await scan(100_000, options);
    expect(first).toEqual({ rows, isLast: false });
  });

  test("steps that take no time double in size, up to a limit", async () => {
    const steps = await scan(40_000, {});
    const rows = steps.map((step) => step.rows);
    expect(rows).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 4_500]);
  });

  test("no step has more rows than the scan allows", async () => {
    const steps = await scan(5_000, { maxRows: 700 });
    expect(steps.slice(0, 3).map(({ rows }) => rows)).toEqual([500, 700, 700]);
    expect(Math.max(...steps.map(({ rows }) => rows))).toBe(700);
  });

  test("a step has as many rows as take 10 ms, and at least 20", async () => {
    const slow = await scan(1_000, { msPerRow: 0.1 });
    expect(slow.map(({ rows }) => rows)).toEqual([500, 100, 100, 100, 100, 100]);
    const slower = await scan(600, { msPerRow: 5 });
    expect(slower.map(({ rows }) => rows)).toEqual([500, 20, 20, 20, 20, 20]);
  });

  test("the latency of the database does not make the steps shorter", async () => {
    const steps = await scan(4_000, { msPerRow: 0.01, latencyMs: 40 });
    expect(steps.map(({ rows }) => rows)).toEqual([500, 1_000, 1_000, 1_000, 500]);
  });

  test("only the last step is called the last, and a table without rows has one step", async () => {
    const steps = await scan(1_600, {});
    expect(steps.map(({ isLast }) => isLast)).toEqual([false, false, true]);
    expect(await scan(0, {})).toEqual([{ rows: 0, isLast: true }]);
  });
});
