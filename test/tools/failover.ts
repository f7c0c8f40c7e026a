// `npm run bench failover`: the long form of test/reliability/failover/failover.full.test.ts. `--times 100` sets the number of
// failovers of each kind, and `--seed 7` chooses different moments. Writes the result to docs/proofs.md.
import { parseArgs } from "node:util";
import { type FailoverReport, failOverAtRandom } from "../support/failover/fail-over.ts";
import { randomFrom } from "../support/kills/kill-series.ts";
import { toTable, writeReport } from "./write-report.ts";

const { values } = parseArgs({
  options: { times: { type: "string", default: "25" }, seed: { type: "string", default: "1" } },
});
const times = Number(values.times);
const random = randomFrom(Number(values.seed));

const KINDS = [
  ["synchronous", "connected", false],
  ["synchronous", "cut off", true],
  ["asynchronous", "connected", false],
  ["asynchronous", "cut off", true],
] as const;

const rows: string[][] = [];
let violations = 0;
for (const [replication, standby, isBehind] of KINDS) {
  const reports: FailoverReport[] = [];
  while (reports.length < times) {
    const report = await failOverAtRandom(replication, isBehind, random);
    for (const violation of report.violations) console.error(`${replication}: ${violation}`);
    reports.push(report);
  }
  const sum = (field: "sent" | "lost" | "inDoubt" | "twice") =>
    reports.reduce((total, report) => total + report[field], 0);
  const found = reports.flatMap((report) => report.violations).length;
  violations += found;
  rows.push([
    ...[replication, standby, `${times}`],
    ...(["sent", "lost", "twice", "inDoubt"] as const).map((field) => `${sum(field)}`),
    `${found}`,
  ]);
  console.log(rows.at(-1)?.join(" | "));
}

const head = ["replication", "standby", "failovers", "sent before", "records lost"];
writeReport(
  "proofs.md",
  "failover",
  `${toTable([[...head, "sent twice", "in doubt", "violations"], ...rows])}

Measured on ${new Date().toISOString().slice(0, 10)} with Postgres 18; seed ${values.seed}.`,
);
process.exitCode = violations > 0 ? 1 : 0;
