// Measures contenders next to each other.

/** Number of rounds that count, after the rounds that only warm up. */
export const ROUNDS = 25;
const WARM_UP = 15;

/** Makes calls one after the other. */
export const times = async (count: number, call: () => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index += 1) await call();
};

/** Returns the CPU time of this thread, or the wall time, of one run, in milliseconds. */
const measure = async (clock: "cpu" | "wall", run: () => Promise<unknown>): Promise<number> => {
  const cpu = process.threadCpuUsage();
  const start = performance.now();
  await run();
  if (clock === "wall") return performance.now() - start;
  const { user, system } = process.threadCpuUsage(cpu);
  return (user + system) / 1000;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Returns the time of each contender as a ratio to the first in the same round, as the median of all rounds. Contenders take
 * turns, so noise affects all of them. Each round begins with a different contender, because every run leaves its garbage to
 * the next one.
 */
export const compare = async (
  clock: "cpu" | "wall",
  runs: readonly (() => Promise<unknown>)[],
): Promise<number[]> => {
  const measured = runs.map((): number[] => []);
  const turns = [...runs.entries()];
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    for (const [index, run] of turns) {
      const value = await measure(clock, run);
      if (round >= WARM_UP) measured[index]?.push(value);
    }
    turns.push(...turns.splice(0, 1));
  }
  const [first = []] = measured;
  return measured.map((values) =>
    median(values.map((value, round) => value / (first[round] ?? Number.NaN))),
  );
};
