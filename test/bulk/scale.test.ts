import { expect, test } from "vitest";
import { growthOf, runScale } from "../support/programs/scale-process.ts";

const ITEMS = 40_000;
const CONCURRENCY = 8;
const TIMEOUT_MS = 180_000;

/** Limit of the growth; the results of 40,000 items would take several times as much. */
const BOUND = 3 * 1024 * 1024;

test(
  "sendMany runs through 40,000 items in constant memory, and reads at most one item more than are under way",
  async () => {
    const report = await runScale({ items: ITEMS, concurrency: CONCURRENCY });
    expect(report.accepted).toBe(ITEMS);
    expect(growthOf(report)).toBeLessThan(BOUND);
    expect(report.mostAhead).toBeLessThanOrEqual(CONCURRENCY + 1);
  },
  TIMEOUT_MS,
);

test(
  "the measurement of memory detects results that are kept",
  async () => {
    const report = await runScale({ items: ITEMS, concurrency: CONCURRENCY, keeps: true });
    expect(growthOf(report)).toBeGreaterThan(BOUND);
  },
  TIMEOUT_MS,
);
