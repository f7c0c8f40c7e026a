// A batch in a network namespace, whose ledger is in a different one. Runs when its input says so, and prints what happens.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { startBatch, until } from "./batch.ts";
import type { NetworkTask, Said } from "./network-worker.ts";

const {
  pgPath,
  pool: options,
  messages,
  ledgerTimeout,
}: NetworkTask = JSON.parse(process.argv[2] ?? "");
const { Pool } = createRequire(import.meta.url)(pgPath);
const pool = new Pool({ user: "postgres", database: "postgres", max: 4, ...options });
pool.on("error", () => {});
const ledger = postgresLedger(pool);
const batch = await startBatch({ ledger, messages, ledgerTimeout });

const say = (said: Said) => console.log(JSON.stringify(said));
let printed = 0;
setInterval(() => {
  if (batch.results.length > printed) {
    printed = batch.results.length;
    say({ results: printed });
  }
}, 5);
say({ results: 0 });
batch.holdAfter(100);
const run = async () => {
  const { stopped, accepted, inDoubt } = await batch.run();
  say({ stopped: stopped ?? null, accepted, inDoubt });
};
for await (const command of createInterface({ input: process.stdin })) {
  if (command === "run") run();
  if (command === "release") batch.release();
  if (command === "end") {
    await batch.runToTheEnd();
    // Claims that nobody waits for any more are released as soon as the network delivers them.
    await until(() => pool.idleCount === pool.totalCount && pool.waitingCount === 0);
    const last = await batch.runToTheEnd();
    const onWire = [...batch.acceptances().values()].filter((times) => times > 0).length;
    say({ inDoubt: last.inDoubt, accepted: onWire, violations: await batch.violations(last) });
    // The pool may still wait for statements that no server will respond to.
    process.exit();
  }
}
