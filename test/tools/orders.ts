// `npm run bench orders`: the long form of test/reliability/orders/orders.test.ts. Goes through every order of two runs, and writes
// the result to docs/reliability.md. `--replay sendOnce+sendOnce/0.1.4` tells the story of one order; with `--mutant NAME`, of
// ledgers with a fault.
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { newMemoryFolder } from "../support/memory-folder.ts";
import { MUTANTS, type MutantName } from "../support/orders/mutants.ts";
import type { CallName } from "../support/orders/runs.ts";
import { replay, searchAll } from "../support/orders/search.ts";
import { EVENTS_OF_MUTANTS, LONG, toStory } from "../support/orders/series.ts";
import { memoryStore, sqliteStore } from "../support/orders/stores.ts";
import { toTable, writeReport } from "./write-report.ts";

const { values } = parseArgs({
  options: { replay: { type: "string" }, mutant: { type: "string" } },
});

/** Prints the story of one order. */
const tell = async (order: string, name: string | undefined): Promise<void> => {
  const [names = "", numbers = ""] = order.split("/");
  const calls = names.split("+") as CallName[];
  const path = numbers.split(".").filter(Boolean).map(Number);
  const mutant = MUTANTS[name as MutantName];
  using world = await replay({ calls, store: memoryStore, mutant }, path);
  const broken = world.broken() ?? "nothing";
  console.log(toStory({ path, broken, story: world.story }, calls, name));
};

const searchEverything = async (): Promise<void> => {
  const folder = newMemoryFolder("orders-");
  const stores = { memory: memoryStore, SQLite: sqliteStore(folder) };
  const rows = [["runs", "ledger", "events", "orders", "states", "seconds", "violations"]];
  for (const { ledger, calls, maxEvents } of LONG) {
    const start = process.hrtime.bigint();
    const { orders, states, failure } = await searchAll({
      ...{ calls, maxEvents, store: stores[ledger] },
    });
    if (failure) {
      console.error(toStory(failure, calls));
      process.exitCode = 1;
    }
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const counts = [orders, states, Math.round(seconds)].map((count) => count.toLocaleString("en"));
    rows.push([calls.join(", "), ledger, `${maxEvents}`, ...counts, failure ? "1" : "0"]);
    console.log(rows.at(-1)?.join(" | "));
  }
  rmSync(folder, { recursive: true });

  const faults = [["fault", "events", "broken promise", "steps"]];
  for (const [name, maxEvents] of Object.entries(EVENTS_OF_MUTANTS)) {
    const mutant = MUTANTS[name as MutantName];
    const setting = { calls: ["sendOnce", "sendOnce"] as const, store: memoryStore, mutant };
    const { failure } = await searchAll({ ...setting, maxEvents });
    if (!failure) process.exitCode = 1;
    const { broken = "none", story = [] } = failure ?? {};
    faults.push([name, `${maxEvents}`, broken, `${story.length}`]);
    if (failure) console.log(`${name}:\n${toStory(failure, setting.calls, name)}\n`);
  }

  writeReport(
    "reliability.md",
    "orders",
    `${toTable(rows)}

The search finds each of these faults in a ledger, with no fewer events:

${toTable(faults)}

Measured on ${new Date().toISOString().slice(0, 10)}.`,
  );
};

if (values.replay) await tell(values.replay, values.mutant);
else await searchEverything();
