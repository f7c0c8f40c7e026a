// `npm run bench [NAME] [options]`: measures, and writes the result into the docs.
// Without a name, it measures clients, bulk, throttle and sizes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Paths of the programs by name, relative to test/tools. */
const PROGRAMS: Readonly<Record<string, string>> = {
  clients: "bench/clients.ts",
  bulk: "bench/bulk.ts",
  scale: "bench/scale.ts",
  throttle: "bench/throttle.ts",
  sizes: "sizes.ts",
  "cold-start": "bench/cold-start.ts",
  bundlers: "bundlers/run.ts",
  kills: "kills.ts",
  failover: "failover.ts",
  orders: "orders.ts",
};
const DEFAULT = ["clients", "bulk", "throttle", "sizes"];

const [name, ...options] = process.argv.slice(2);
if (name !== undefined && !(name in PROGRAMS)) {
  console.error(`unknown benchmark "${name}": choose one of ${Object.keys(PROGRAMS).join(", ")}`);
  process.exit(2);
}
for (const each of name === undefined ? DEFAULT : [name]) {
  const program = join(import.meta.dirname, "..", PROGRAMS[each] ?? "");
  const { status } = spawnSync(process.execPath, [program, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
