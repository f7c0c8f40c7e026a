import { expect } from "vitest";

/** Returns processor time in milliseconds. Other work on the machine hardly prolongs it. */
const timeOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
};

/** Expects that four times the input takes ten times as long at most. Work that grows with the square of its input takes 16 times as long. */
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
  // A collection of garbage may fall into the longer of the two.
  expect(isLinear() || isLinear() || isLinear()).toBe(true);
};
