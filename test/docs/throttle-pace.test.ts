// The rates in the table of docs/guides/throttle-and-retries.md match the throttle.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createThrottle } from "../../src/index.ts";

const HOUR = 3_600_000;
const WINDOWS = 4;
const GUIDE = new URL("../../docs/guides/throttle-and-retries.md", import.meta.url);
const ROW = /^\| `\{ limit: ([\d_]+), interval: ([\d_]+) \}`[^|]*\|([\d |]+)\|$/gm;
const LATENCIES_MS = [0, 40, 250, 750, 2_000];

const numberOf = (text = "") => Number(text.replaceAll("_", ""));
const rows = [...readFileSync(GUIDE, "utf8").matchAll(ROW)].map(([, limit, interval, cells]) => ({
  limit: numberOf(limit),
  interval: numberOf(interval),
  stated: (cells ?? "").split("|").map(numberOf),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns the calls per hour if calls never pause and each call takes `latencyMs` milliseconds. */
const callsAnHour = async (limit: number, interval: number, latencyMs: number): Promise<number> => {
  const throttle = createThrottle({ limit, interval });
  const starts: number[] = [];
  const call = async () => {
    const slot = await throttle.reserve();
    slot.start();
    starts.push(performance.now());
    setTimeout(() => slot.responded?.(), latencyMs);
  };
  const calls = Array.from({ length: WINDOWS * limit + 1 }, call);
  await vi.runAllTimersAsync();
  await Promise.all(calls);
  const [first = 0] = starts;
  const last = starts.at(-1) ?? 0;
  return (WINDOWS * limit * HOUR) / (last - first);
};

test("the guide states the rate of the default, of an even pace, and of a window of a minute", () => {
  expect(rows.map(({ limit }) => limit)).toEqual([1200, 20, 1]);
});

test.each(rows)(
  "a throttle of $limit in $interval ms allows as many calls an hour as the guide states",
  async ({ limit, interval, stated }) => {
    const measured: number[] = [];
    for (const latencyMs of LATENCIES_MS) {
      measured.push(Math.floor(await callsAnHour(limit, interval, latencyMs)));
    }
    expect(measured).toEqual(stated);
  },
);
