import type { SlotSource } from "./source-throttle.ts";

/** A p-throttle function, as `pThrottle({ limit, interval, strict: true })` returns it. */
export type PaceFunction = (task: () => void) => () => unknown;

/** The slots of a throttle as turns of p-throttle. A turn cannot be given back, and kept for later it would break the pace. */
export const paceSource = (turn: () => unknown): SlotSource => ({
  isSlow: true,
  async ask() {
    await turn();
    return { reusableUntil: Number.NEGATIVE_INFINITY, giveBack() {} };
  },
});
