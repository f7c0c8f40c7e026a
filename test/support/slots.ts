// Slots of a throttle, as a client uses them.
import type { Slot, WindowThrottle } from "../../src/index.ts";

/** Reserves a slot that must be free. */
export const freeSlot = (throttle: WindowThrottle): Slot => {
  const slot = throttle.reserve();
  if (slot instanceof Promise) throw new Error("no slot is free");
  return slot;
};

/** Starts an attempt whose response arrives at once. */
export const useSlot = (slot: Slot | undefined): void => {
  slot?.start();
  slot?.responded?.();
};
