// `npm run bench kills`: the long form of test/reliability/bulk/kills.full.test.ts. `--kills 500` sets the number of kills of each
// series, and `--seed 7` chooses different moments. Writes the result to docs/proofs.md.
import { parseArgs } from "node:util";
import { type KillSeries, runKillSeries } from "../support/kills/kill-series.ts";
import { CONDITIONS } from "../support/kills/kill-task.ts";
import { startPostgres } from "../support/servers/postgres-server.ts";
import { writeReport } from "./write-report.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
const messages = 500;

interface LongSeries extends Pick<KillSeries, "processes" | "condition"> {
  readonly name: string;
  readonly isPostgres?: boolean;
}

const series: readonly LongSeries[] = [
  { name: "one process, SQLite", processes: 1 },
  { name: "three processes, one SQLite file", processes: 3 },
  ...CONDITIONS.map((condition) => ({
    ...{ name: `two processes, one SQLite file, ${condition}`, processes: 2, condition },
  })),
  {
    name: "two processes, one Postgres whose statements arrive late",
    ...{ processes: 2, isPostgres: true, condition: "late ledger" },
  },
  { name: "three processes, one Postgres that crashes in between", processes: 3, isPostgres: true },
];

const rows: string[] = [];
let violations = 0;
for (const { name, isPostgres = false, ...where } of series) {
  // Each series has its own server, because all series use the same table names.
  await using postgres = isPostgres ? await startPostgres() : undefined;
  const report = await runKillSeries({ seed, kills, messages, postgres, ...where });
  violations += report.violations.length;
  for (const violation of report.violations) console.error(`${name}: ${violation}`);
  const { batches, crashes, sent, sending, unknown, mostPerProcess } = report;
  const cells = [name, report.kills, crashes, batches, report.messages, sent];
  rows.push(
    `| ${[...cells, unknown, sending, mostPerProcess, report.violations.length].join(" | ")} |`,
  );
  console.log(rows.at(-1));
}

writeReport(
  "proofs.md",
  "kills",
  `| | kills | crashes of the ledger | batches | keys | in the outbox | unknown | sending | most by one process | violations |
|---|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}

Seed ${seed}; each process sends four items at a time.`,
);
process.exitCode = violations > 0 ? 1 : 0;
