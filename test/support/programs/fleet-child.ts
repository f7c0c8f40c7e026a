// One of several processes that send the same batch. It prints its summary, and exits with the code that the guide documents.
import { once } from "node:events";
import { createRequire } from "node:module";
import { type RunSummary, sendMany } from "../../../src/bulk/index.ts";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { TransactionalClient } from "../../../src/clients/transactional-client.ts";
import type { Store } from "../kills/kill-task.ts";
import { messageTo } from "../servers/scripted-service.ts";

/** Task of one process. */
export interface FleetTask {
  readonly store: Store;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly batch: string;
  readonly phones: readonly string[];
  /** Options of the calls, in milliseconds. Default: those of the package. */
  readonly limits: { readonly timeout?: number; readonly ledgerTimeout?: number };
}

/** End of one process that was not killed. */
export type FleetSummary = Omit<RunSummary, "error">;

const task: FleetTask = JSON.parse(process.argv[2] ?? "");

const openPool = ({ postgres: { port, pgPath } }: Extract<Store, { postgres: object }>) => {
  const { Pool } = createRequire(import.meta.url)(pgPath);
  return new Pool({ host: "127.0.0.1", port, user: "postgres", database: "postgres" });
};
const pool = "postgres" in task.store ? openPool(task.store) : undefined;
const ledger = "sqlite" in task.store ? sqliteLedger(task.store.sqlite) : postgresLedger(pool);
const rcs = new TransactionalClient({ baseUrl: task.baseUrl, apiKey: task.apiKey });

// Loads the HTTP client and opens the ledger, so that all processes begin together.
await fetch("data:,");
await ledger.counts(task.batch);
console.log("ready");
await once(process.stdin, "data");

const { error: _, ...summary } = await sendMany(rcs, task.phones, {
  batch: task.batch,
  ledger,
  toMessage: (phone, { ref }) => messageTo(phone, ref),
  ...task.limits,
});
const { stopped, invalid, rejected, notSent, inDoubt, skippedBy } = summary;
const unsent = invalid + rejected + skippedBy.rejectedBefore + notSent + inDoubt;
process.exitCode = stopped || unsent > 0 ? 1 : 0;
console.log(JSON.stringify(summary satisfies FleetSummary));
await ledger.close();
await pool?.end();
process.stdin.destroy();
