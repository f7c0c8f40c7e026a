import { expect } from "vitest";

/** Returns processor time in milliseconds, which other work on the machine hardly affects. */
const timeOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
};

/** Expects that four times the input takes at most ten times as long. Quadratic work would take 16 times as long. */
export const expectLinear = <T>(
  work: (input: T) => unknown,
  inputOf: (size: number) => T,
  size: number,
): void => {
  const [small, large] = [inputOf(size / 4), inputOf(size)];
  const isLinear = () => {
    const smallMs = timeOf(() => work(small));
    return timeOf(() => work(large)) < 10 * smallMs + 100;
  };
  // Tried three times, because garbage may be collected during the longer work.
  expect(isLinear() || isLinear() || isLinear()).toBe(true);
};
