// Runs the last ledger checks on the ledgers that recipes export: `node query-builders-program.ts RECIPE COUNT [RECIPE COUNT …]`.
// Prints the checks that failed, for each recipe.
import { join } from "node:path";
import { ledgerChecks } from "messaging-service-client/testing";

const load = (name: string) => import(name);
const { Pool } = await load("pg");
const pool = new Pool({ connectionString: process.env.DATABASE_URL });

const reports: object[] = [];
for (let args = process.argv.slice(2); args.length > 0; args = args.slice(2)) {
  const [recipe = "", count] = args;
  const { ledger } = await load(join(import.meta.dirname, recipe));
  /** Returns the ledger after emptying its table. */
  const emptyLedger = async () => {
    const { rows } = await pool.query("SELECT to_regclass('messaging_sends') AS name");
    if (rows[0].name !== null) await pool.query("DELETE FROM messaging_sends");
    return ledger;
  };
  const failures: Record<string, string> = {};
  const checks = ledgerChecks(emptyLedger).slice(-Number(count));
  for (const { name, run } of checks) {
    await run().catch((error: unknown) => {
      failures[name] = String(error);
    });
  }
  const { rows } = await pool.query('SELECT count(*) > 0 AS "isUsed" FROM messaging_sends');
  reports.push({ checks: checks.length, failures, ...rows[0] });
}
console.log(JSON.stringify(reports));
process.exit();
