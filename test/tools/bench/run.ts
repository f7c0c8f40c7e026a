// `npm run bench [NAME] [options]`: measures, writes the result into the docs, and prints what got worse since the last release.
// Without a name, it measures clients, dispatchers, bulk, throttle and sizes. `--since REVISION` compares with a
// different release or commit.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lastRelease, lossesBetween, pageOf } from "./losses.ts";

/** Paths of the programs by name, relative to test/tools. */
const PROGRAMS: Readonly<Record<string, string>> = {
  clients: "bench/clients.ts",
  dispatchers: "bench/dispatchers.ts",
  bulk: "bench/bulk.ts",
  scale: "bench/scale.ts",
  throttle: "bench/throttle.ts",
  sizes: "sizes.ts",
  "cold-start": "bench/cold-start.ts",
  bundlers: "bundlers/run.ts",
  kills: "kills.ts",
  failover: "failover.ts",
  orders: "orders.ts",
  mutation: "mutation/run.ts",
};
const DEFAULT = ["clients", "dispatchers", "bulk", "throttle", "sizes"];

const args = process.argv.slice(2);
const since = args.indexOf("--since");
const [, revision = lastRelease()] = since < 0 ? [] : args.splice(since, 2);
const [name, ...options] = args;
if (name !== undefined && !(name in PROGRAMS)) {
  console.error(`unknown benchmark "${name}": choose one of ${Object.keys(PROGRAMS).join(", ")}`);
  process.exit(2);
}
for (const each of name === undefined ? DEFAULT : [name]) {
  const program = join(import.meta.dirname, "..", PROGRAMS[each] ?? "");
  const { status } = spawnSync(process.execPath, [program, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

const page = readFileSync(new URL("../../../docs/performance.md", import.meta.url), "utf8");
const losses = lossesBetween(pageOf(revision), page);
console.log(losses.length === 0 ? `Nothing got worse since ${revision}` : `Since ${revision}:`);
for (const { text } of losses) console.log(`- ${text}`);
