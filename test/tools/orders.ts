// `npm run bench orders`: the long form of test/reliability/orders. Searches every order of two runs, and writes
// the result to docs/proofs.md. `--seed 7` draws different random histories. `--replay sendOnce+sendOnce/0.1.4` prints the story
// of one order, and with `--mutant NAME`, the story with faulty ledgers.
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { randomFrom } from "../support/kills/kill-series.ts";
import { newMemoryFolder } from "../support/memory-folder.ts";
import { MUTANTS, type MutantName } from "../support/orders/mutants.ts";
import { CALLS, type CallName } from "../support/orders/runs.ts";
import { type Failure, replay, searchAll, searchAtRandom } from "../support/orders/search.ts";
import {
  LONG,
  RANDOM,
  RANDOM_EVENTS,
  type Series,
  SHOWN_BY,
  toStory,
} from "../support/orders/series.ts";
import { memoryStore, postgresStore, type Store, sqliteStore } from "../support/orders/stores.ts";
import { isRace } from "../support/orders/world.ts";
import { createPool, startPostgres } from "../support/servers/postgres-server.ts";
import { toTable, writeReport } from "./write-report.ts";

const { values } = parseArgs({
  options: {
    replay: { type: "string" },
    mutant: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});

/** Number of random histories of each kind. */
const HISTORIES = 2_000;

const assertKnown = (name: string, known: object): void => {
  if (name in known) return;
  throw new Error(`unknown: "${name}"; choose one of ${Object.keys(known).join(", ")}`);
};

/** Prints the story of one order. */
const tell = async (order: string, name: string | undefined): Promise<void> => {
  const [names = "", numbers = ""] = order.split("/");
  const calls = names.split("+") as CallName[];
  for (const call of calls) assertKnown(call, CALLS);
  if (name !== undefined) assertKnown(name, MUTANTS);
  const path = numbers.split(".").filter(Boolean).map(Number);
  const mutant = MUTANTS[name as MutantName];
  using world = await replay({ calls, store: memoryStore, mutant }, path);
  const broken = world.broken() ?? "nothing";
  console.log(toStory({ path, broken, story: world.story }, calls, name));
};

/** Reports a failure. Returns the number of failures. */
const report = (failure: Failure | undefined, calls: readonly CallName[]): string => {
  if (failure) {
    process.exitCode = 1;
    console.error(toStory(failure, calls));
  }
  return failure ? "1" : "0";
};

/** Describes the runs of a series, such as "2 × `sendMany`". */
const describe = (calls: readonly CallName[]): string => {
  const names = [...new Set(calls)].map((call) => {
    const times = calls.filter((other) => other === call).length;
    const [name, ...rest] = call.split(" ");
    return [...(times > 1 ? [`${times} ×`] : []), `\`${name}\``, ...rest].join(" ");
  });
  return [...names, ...(isRace(calls) ? ["after a removal in doubt"] : [])].join(", ");
};

/** Searches every order of each series. */
const searchSeries = async (stores: Readonly<Record<Series["ledger"], Store>>) => {
  const rows = [["runs", "ledger", "events", "orders", "states", "violations"]];
  for (const { ledger, calls, maxEvents } of LONG) {
    const setting = { calls, maxEvents, store: stores[ledger] };
    const { orders, states, failure } = await searchAll(setting);
    const counts = [orders, states].map((count) => count.toLocaleString("en"));
    rows.push([describe(calls), ledger, `${maxEvents}`, ...counts, report(failure, calls)]);
    console.log(rows.at(-1)?.join(" | "));
  }
  return rows;
};

/** Draws histories of three runs at random. */
const drawHistories = async (stores: Readonly<Record<string, Store>>) => {
  const rows = [["runs", "histories in each ledger", ...Object.keys(stores)]];
  for (const calls of RANDOM) {
    const row = [describe(calls), HISTORIES.toLocaleString("en")];
    for (const store of Object.values(stores)) {
      const setting = { calls, store, maxEvents: RANDOM_EVENTS };
      const failure = await searchAtRandom(setting, HISTORIES, randomFrom(Number(values.seed)));
      row.push(report(failure, calls));
    }
    rows.push(row);
    console.log(row.join(" | "));
  }
  return rows;
};

/** Searches for each fault, with as many events as the fault needs. Returns the faults. */
const findFaults = async (): Promise<readonly string[]> => {
  for (const [name, { calls, maxEvents }] of Object.entries(SHOWN_BY)) {
    const mutant = MUTANTS[name as MutantName];
    const { failure } = await searchAll({ calls, store: memoryStore, mutant, maxEvents });
    if (!failure) throw new Error(`the search does not find ${name}`);
    console.log(`${name}:\n${toStory(failure, calls, name)}\n`);
  }
  return Object.keys(SHOWN_BY);
};

const searchEverything = async (): Promise<void> => {
  const folder = newMemoryFolder("orders-");
  await using server = await startPostgres();
  const pool = createPool(server.port);
  const stores = { memory: memoryStore, SQLite: sqliteStore(folder) };
  const series = await searchSeries(stores);
  const drawn = await drawHistories({ ...stores, Postgres: await postgresStore(pool, 3) });
  const faults = await findFaults();
  await pool.end();
  rmSync(folder, { recursive: true });
  writeReport(
    "proofs.md",
    "orders",
    `${toTable(series)}

Violations in random histories of three runs, with up to ${RANDOM_EVENTS} events:

${toTable(drawn)}

The search finds each of these deliberate faults: ${faults.join("; ")}.

Measured on ${new Date().toISOString().slice(0, 10)}; seed ${values.seed}.`,
  );
};

if (values.replay) await tell(values.replay, values.mutant);
else await searchEverything();
