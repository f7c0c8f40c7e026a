import { expect, test } from "vitest";
import { growthOf, runScale } from "../support/programs/scale-process.ts";

const ITEMS = 10_000;
const CONCURRENCY = 8;
const TIMEOUT_MS = 180_000;

/** Maximum growth of the heap in bytes. Keeping the results of 10,000 items would take more than twice as much. */
const BOUND = 0.5 * 1024 * 1024;

test(
  "sendMany sends 10,000 items in constant memory, and reads at most one item ahead",
  async () => {
    const report = await runScale({ items: ITEMS, concurrency: CONCURRENCY });
    expect(report.accepted).toBe(ITEMS);
    expect(growthOf(report)).toBeLessThan(BOUND);
    expect(report.mostAhead).toBeLessThanOrEqual(CONCURRENCY + 1);
  },
  TIMEOUT_MS,
);

test(
  "the measurement of memory detects a run whose results are kept",
  async () => {
    const report = await runScale({ items: ITEMS, concurrency: CONCURRENCY, keeps: true });
    expect(growthOf(report)).toBeGreaterThan(BOUND);
  },
  TIMEOUT_MS,
);
