import type { AcquireOptions, Throttle } from "../../src/index.ts";

/** Calls that wait for a throttle, and when each was admitted, in milliseconds from now, or why it was refused. */
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
