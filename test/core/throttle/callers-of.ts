import { afterEach, beforeEach, vi } from "vitest";
import type { AcquireOptions } from "../../../src/core/throttle/slot.ts";
import type { Throttle } from "../../../src/index.ts";

/** Records when each call is admitted by a throttle, in milliseconds from now, or the error with which it is refused. */
export const callersOf = (throttle: Throttle) => {
  const begun = performance.now();
  const admitted: [name: string | number, atMs: number][] = [];
  const refused: [name: string | number, error: unknown][] = [];
  const join = (name: string | number, options?: AcquireOptions) =>
    throttle.acquire(options).then(
      () => void admitted.push([name, Math.round(performance.now() - begun)]),
      (error: unknown) => void refused.push([name, error]),
    );
  return { admitted, refused, join };
};

export const NOW = Date.parse("2026-01-01T00:00:00Z");
/** Milliseconds by which a short window exceeds the interval, because some clocks count whole milliseconds. */
export const MARGIN = 1;

/** Runs each test of a file in fake time, from {@link NOW}. */
export const useFakeTime = (): void => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }));
  afterEach(() => void vi.useRealTimers());
};
