// Measures the steps of a large ledger while a writer in a second process works on it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type Ledger, postgresLedger, sqliteLedger } from "messaging-service-client/bulk";
import { createPool } from "../../support/servers/postgres-server.ts";

/** Batch of the entries. */
export const BATCH = "reminders";
/** Time of the first entry in epoch milliseconds, later than every other entry, and the time between two entries. */
export const START_MS = Date.UTC(2100, 0, 1);
export const ENTRY_MS = 20;

/** Returns the SQL expression of a key, spread over the range of phone numbers. */
export const keyOf = (index: string): string =>
  `'+1' || (2062000000 + ${index} * 7919 % 6000000011)`;

const SAMPLES = 2_000;
/** Number of entries to forget: enough for a steady rate, and for many steps. */
const FORGOTTEN = 200_000;

/** Returns for how many milliseconds this thread has waited while the system ran other processes. */
const waitedForCpu = (): number => {
  try {
    return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
};

/** Returns a function that returns the time since now, without the time that the system gave to other processes. */
const startClock = (): (() => number) => {
  const start = performance.now() - waitedForCpu();
  return () => performance.now() - waitedForCpu() - start;
};

/** Opens the ledger in a file or behind a port. For Postgres, it collects the plan of each statement on its first use. */
const openLedger = (place: string) => {
  const plans: string[] = [];
  if (!/^\d+$/.test(place)) {
    const ledger = sqliteLedger(place);
    return { ledger, plans, close: () => ledger.close() };
  }
  const pool = createPool(Number(place), 2);
  const explained = new Set<string>();
  const ledger = postgresLedger({
    query: async (text, values) => {
      if (!explained.has(text) && /messaging_sends/.test(text) && !text.startsWith("DO")) {
        explained.add(text);
        const { rows } = await pool.query(`EXPLAIN ${text}`, values);
        plans.push([text, ...rows.map((row) => row["QUERY PLAN"])].join("\n"));
      }
      return pool.query(text, values);
    },
  });
  return { ledger, plans, close: () => pool.end() };
};

const claimOf = (key: string) => {
  const at = new Date().toISOString();
  return { id: key, batch: "others", key, digest: "d", ref: key, owner: "o", at };
};

/** Claims and settles keys until it is told to stop, and prints its longest step in milliseconds after each line of its input. */
const write = async (place: string): Promise<void> => {
  const { ledger, close } = openLedger(place);
  let longest = 0;
  let isOver = false;
  process.stdin.on("data", () => {
    console.log(longest);
    longest = 0;
  });
  process.stdin.on("end", () => {
    isOver = true;
  });
  const timed = async (step: () => Promise<unknown>) => {
    const elapsed = startClock();
    await step();
    longest = Math.max(longest, elapsed());
  };
  for (let index = 0; !isOver; index += 1) {
    const claim = claimOf(`${process.pid}-${index}`);
    await timed(() => ledger.claim(claim));
    await timed(() => ledger.settle(claim, { state: "accepted" }));
    await sleep(2);
  }
  await close();
};

/**
 * Runs a step. Returns its time, the longest time for which it blocked this process and a writer in a second process, and the
 * longest processor time that this process used without a pause.
 */
const measure = async (writer: ChildProcess, step: () => Promise<unknown>) => {
  const lines = writer.stdout as NodeJS.ReadableStream;
  const readLongest = async (): Promise<number> => {
    writer.stdin?.write("\n");
    const [line] = await once(lines, "data");
    return Number(line);
  };
  await readLongest();
  let isOver = false;
  let longest = 0;
  let mostWork = 0;
  const watch = async () => {
    while (!isOver) {
      const elapsed = startClock();
      const before = process.threadCpuUsage();
      await sleep(1);
      longest = Math.max(longest, elapsed());
      const { user, system } = process.threadCpuUsage(before);
      mostWork = Math.max(mostWork, (user + system) / 1_000);
    }
  };
  const watching = watch();
  const start = performance.now();
  const result = await step();
  const seconds = (performance.now() - start) / 1_000;
  isOver = true;
  await watching;
  return { result, seconds, blockMs: longest, workMs: mostWork, otherMs: await readLongest() };
};

const count = async (entries: AsyncIterable<unknown>): Promise<number> => {
  let number = 0;
  for await (const _ of entries) number += 1;
  return number;
};

/** Runs a step many times in sequence. Resolves to its median time as a string. */
const medianOf = async (step: (index: number) => Promise<unknown>): Promise<string> => {
  const times: number[] = [];
  for (let index = 0; index < SAMPLES; index += 1) {
    const start = performance.now();
    await step(index);
    times.push(performance.now() - start);
    // Without this turn of the event loop, all steps that do not wait would count as one block.
    await setImmediate();
  }
  const median = times.sort((a, b) => a - b)[SAMPLES / 2] ?? Number.NaN;
  return `${(median * 1_000).toFixed(0)} µs`;
};

const findSome = (ledger: Ledger, rows: number) =>
  medianOf(async (index) => {
    const entry = Math.floor((index / SAMPLES) * rows);
    const key = `+1${2_062_000_000 + ((entry * 7_919) % 6_000_000_011)}`;
    if (!(await ledger.find(BATCH, key))) throw new Error(`${key} is missing`);
  });

/** Measures every step of a ledger in a filled table. Each row has the step's name and time, and the longest blocks. */
export const measureLedger = async (name: string, place: string, rows: number) => {
  const { ledger, plans, close } = openLedger(place);
  const writer = spawn(process.execPath, [import.meta.filename, place], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const forgotten = Math.min(FORGOTTEN, rows);
  const before = new Date(START_MS + forgotten * ENTRY_MS);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["nothing", () => sleep(2_000)],
    ["`find`", () => findSome(ledger, rows)],
    ["`claim`", () => medianOf((index) => ledger.claim(claimOf(`${process.pid}-${index}`)))],
    ["`counts`", () => ledger.counts(BATCH)],
    [
      "`entries` in doubt",
      () => count(ledger.entries({ batch: BATCH, states: ["sending", "unknown"] })),
    ],
    ["`entries` of a batch", () => count(ledger.entries({ batch: BATCH }))],
    ["`entries`, rejected", () => count(ledger.entries({ states: ["rejected"] }))],
    [
      `\`forget\`, the oldest ${forgotten.toLocaleString("en")}`,
      () => ledger.forget({ batch: BATCH, before }),
    ],
  ];
  const lines: string[][] = [];
  for (const [title, step] of steps) {
    const { result, seconds, blockMs, workMs, otherMs } = await measure(writer, step);
    const time = typeof result === "string" ? result : `${seconds.toFixed(1)} s`;
    lines.push([title, time, blockMs.toFixed(0), otherMs.toFixed(0)]);
    console.log(
      ...[name, ...(lines.at(-1) ?? []), result],
      `(processor time of the longest block: ${workMs.toFixed(0)} ms)`,
    );
  }
  writer.stdin?.end();
  await once(writer, "exit");
  await close();
  return { lines, plans };
};

if (process.argv[1] === import.meta.filename) await write(process.argv[2] ?? "");
