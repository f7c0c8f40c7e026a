// Changes the times at which a ledger's keys were claimed, which are otherwise set only by the ledger's own clock.
import { DatabaseSync } from "node:sqlite";
import type { Queryable } from "../../src/bulk/ledgers/postgres-ledger.ts";

/** Sets the time of the claim of a key. */
export type SetClaimTime = (batch: string, key: string, at: Date) => unknown;

/** Returns the function for a ledger in a SQLite file. */
export const claimTimesIn =
  (path: string): SetClaimTime =>
  (batch, key, at) => {
    const database = new DatabaseSync(path, { timeout: 5_000 });
    database.exec("PRAGMA synchronous = OFF");
    database
      .prepare("UPDATE messaging_sends SET at = ? WHERE batch = ? AND key = ?")
      .run(at.toISOString(), batch, key);
    database.close();
  };

/** Returns the function for a ledger in a Postgres table. */
export const claimTimesOf =
  (pool: Queryable, table = "messaging_sends"): SetClaimTime =>
  (batch, key, at) =>
    pool.query(`UPDATE ${table} SET at = $1 WHERE batch = $2 AND key = $3`, [
      at.toISOString(),
      batch,
      key,
    ]);
