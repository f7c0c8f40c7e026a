import type { SlotSource } from "./source-throttle.ts";

/** A p-throttle function, as `pThrottle({ limit, interval, strict: true })` returns it. */
export type PaceFunction = (task: () => void) => () => unknown;

/**
 * Creates a source whose slots are turns of p-throttle. A turn cannot be given back, and would break the pace if kept
 * for later.
 */
export const paceSource = (turn: () => unknown): SlotSource => ({
  isSlow: true,
  async ask() {
    await turn();
    return { reusableUntil: Number.NEGATIVE_INFINITY, giveBack() {} };
  },
});
