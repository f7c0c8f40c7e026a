// Measures contenders next to each other.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Contender } from "./contenders.ts";

/** Number of processes, because the same code runs up to 20 % slower in one process than in another. */
export const PROCESSES = 3;
/** Number of measured rounds in each process, after the warm-up rounds. */
export const ROUNDS = 7;
const WARM_UP = 2;

type Client = ReturnType<Contender["make"]>;

/** Calls that every contender makes. */
export interface Case {
  readonly name: string;
  readonly run: (client: Client) => Promise<unknown>;
}

/** Makes calls one after the other. */
export const times = async (count: number, call: () => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index += 1) await call();
};

/** Makes calls 32 at a time. */
export const inFlight = (call: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: 32 }, () => times(60, call)));

/** Starts the server in its own process. Returns its URL and a function that stops it. */
export const startServer = async () => {
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)));
  const [port] = await once(server, "message");
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => server.disconnect() };
};

setFlagsFromString("--expose-gc");
const collectGarbage: (options?: { readonly type: "minor" }) => void = runInNewContext("gc");

/** Returns the CPU time of this thread so far, in milliseconds. Linux may update it only when the thread sleeps. */
const readCpu = async (): Promise<number> => {
  await sleep(2);
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Returns the CPU time of this thread, or the wall time, of one run in milliseconds, including garbage collection. */
const measure = async (clock: "cpu" | "wall", run: () => Promise<unknown>): Promise<number> => {
  const read = clock === "cpu" ? readCpu : async () => performance.now();
  collectGarbage();
  const start = await read();
  await run();
  collectGarbage({ type: "minor" });
  return (await read()) - start;
};

const shuffled = <T>(items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Returns the time of each contender as a ratio to the first in the same round, as the median of all rounds. Contenders take
 * turns in random order, so noise affects all of them.
 */
export const compare = async (
  clock: "cpu" | "wall",
  runs: readonly (() => Promise<unknown>)[],
): Promise<number[]> => {
  const measured = runs.map((): number[] => []);
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    for (const [index, run] of shuffled([...runs.entries()])) {
      const value = await measure(clock, run);
      if (round >= WARM_UP) measured[index]?.push(value);
    }
  }
  const [first = []] = measured;
  return measured.map((values) =>
    median(values.map((value, round) => value / (first[round] ?? Number.NaN))),
  );
};

/**
 * Compares the CPU time of contenders in several processes, and returns a table of the medians. Each process runs the same
 * program as the first, with the same arguments, and exits in this function.
 */
export const compareClients = async (
  contenders: readonly Contender[],
  cases: readonly Case[],
): Promise<string[][]> => {
  if (process.send) {
    const { baseUrl, stop } = await startServer();
    const clients = contenders.map(({ make, prepare }) => ({ client: make(baseUrl), prepare }));
    for (const { run } of cases) {
      const runs = clients.map(({ client, prepare }) => async () => {
        using _ = prepare?.();
        await run(client);
      });
      const ratios = await compare("cpu", runs);
      // The message would be lost if the process exited before it is written.
      await new Promise((resolve) => process.send?.(ratios, resolve));
    }
    stop();
    // Agents keep their connections for a while.
    process.exit();
  }
  const measured = cases.map((): number[][] => []);
  for (let number = 0; number < PROCESSES; number += 1) {
    const child = fork(process.argv[1] ?? "", process.argv.slice(2));
    for (const [index, { name }] of cases.entries()) {
      const [ratios] = (await once(child, "message")) as [number[]];
      measured[index]?.push(ratios);
      console.log(name, ...ratios.map((ratio) => ratio.toFixed(2)));
    }
    await once(child, "exit");
  }
  const rows = cases.map(({ name }, index) => [
    name,
    ...contenders.map((_, column) =>
      median((measured[index] ?? []).map((ratios) => ratios[column] ?? Number.NaN)).toFixed(2),
    ),
  ]);
  return [["", ...contenders.map(({ name }) => name)], ...rows];
};
