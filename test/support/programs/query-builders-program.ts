// Runs the ledger checks on the ledger that a recipe exports: `node query-builders-program.ts RECIPE [COUNT]`, all of them or the last
// ones. Prints the checks that failed.
import { join } from "node:path";
import { ledgerChecks } from "messaging-service-client/testing";

const [, , recipe = "", count = "999"] = process.argv;
const load = (name: string) => import(name);
const { ledger } = await load(join(import.meta.dirname, recipe));
const { Pool } = await load("pg");
const pool = new Pool({ connectionString: process.env.DATABASE_URL });

/** Returns the ledger after emptying its table. */
const emptyLedger = async () => {
  const { rows } = await pool.query("SELECT to_regclass('messaging_sends') AS name");
  if (rows[0].name !== null) await pool.query("DELETE FROM messaging_sends");
  return ledger;
};

const checks = ledgerChecks(emptyLedger).slice(-Number(count));
const failures: Record<string, string> = {};
for (const { name, run } of checks) {
  await run().catch((error: unknown) => {
    failures[name] = String(error);
  });
}
const { rows } = await pool.query('SELECT count(*) > 0 AS "isUsed" FROM messaging_sends');
console.log(JSON.stringify({ checks: checks.length, failures, ...rows[0] }));
process.exit();
