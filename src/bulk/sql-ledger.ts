// The statements that SQLite and Postgres share. Each one decides and writes at once, so that no transaction is needed.
import {
  LEDGER_STATES,
  type Ledger,
  type LedgerEntry,
  type LedgerState,
  toClaimResult,
} from "./ledger.ts";

/** Row of a result; a column without a value is `null`. */
export type Row = Readonly<Record<string, string | number | bigint | null>>;

/** The part of a database that a ledger uses. Each `?` of a statement is a parameter, in order. */
export interface SqlDatabase {
  /** Runs one statement and returns its rows. */
  query(sql: string, values: readonly (string | null)[]): Promise<readonly Row[]>;
  /** Runs one statement that returns no rows. */
  execute(sql: string, values: readonly (string | null)[]): Promise<unknown>;
  /** Closes what the ledger itself opened. */
  close(): Promise<void>;
}

/** Number of entries that are read at once. */
const PAGE_SIZE = 500;

/** Number of tries of a claim. If none succeeds, the connection reads from a replica that lags behind, or drops rows. */
const MAX_CLAIM_TRIES = 100;

const COLUMNS = "batch, key, state, digest, ref, owner, at, transaction_id, code".split(", ");
const ENTRY = COLUMNS.join(", ").replace("transaction_id", `transaction_id AS "transactionId"`);

/** Returns the statement that creates the table if it is missing; `text` is the column type of a key. */
export const createTable = (table: string, text: string): string => `
  CREATE TABLE IF NOT EXISTS ${table} (
    batch ${text} NOT NULL,
    key ${text} NOT NULL,
    state text NOT NULL,
    digest text NOT NULL,
    ref text NOT NULL UNIQUE,
    owner text NOT NULL,
    at text NOT NULL,
    transaction_id text,
    code text,
    PRIMARY KEY (batch, key)
  )`;

const statementsFor = (table: string) => {
  const claimed = COLUMNS.slice(2).map((column) => `${column} = excluded.${column}`);
  const settle = (condition: string) => `
    UPDATE ${table} SET state = ?, transaction_id = COALESCE(transaction_id, ?), code = ?
    WHERE batch = ? AND key = ? ${condition}`;
  const page = (condition: string) => `
    SELECT ${ENTRY} FROM ${table} WHERE batch = ? AND key > ? ${condition}
    ORDER BY key LIMIT ${PAGE_SIZE}`;
  return {
    find: `SELECT ${ENTRY} FROM ${table} WHERE batch = ? AND key = ?`,
    // Returns nothing if the entry of the key stands in the way.
    claim: `
      INSERT INTO ${table} AS entry (batch, key, state, digest, ref, owner, at)
      VALUES (?, ?, 'sending', ?, ?, ?, ?)
      ON CONFLICT (batch, key) DO UPDATE SET ${claimed.join(", ")}
      WHERE entry.state = 'open'
        OR (entry.state = 'rejected' AND entry.digest <> excluded.digest)
        OR (entry.state = 'sending' AND entry.ref = excluded.ref)
      RETURNING ref`,
    settle: settle("AND state = 'sending' AND owner = ? AND ref = COALESCE(?, ref)"),
    settleAccepted: settle(""),
    resolve: `
      UPDATE ${table} SET state = ?, code = NULL
      WHERE batch = ? AND key = ? AND state IN ('sending', 'unknown') RETURNING key`,
    confirm: `
      UPDATE ${table} SET
        state = CASE state WHEN 'rejected' THEN state ELSE 'accepted' END,
        transaction_id = CASE state WHEN 'rejected' THEN transaction_id ELSE COALESCE(transaction_id, ?) END,
        code = CASE state WHEN 'rejected' THEN code END
      WHERE ref = ? RETURNING ${ENTRY}`,
    entries: page(""),
    entriesInState: page("AND state = ?"),
    counts: `SELECT state, count(*) AS count FROM ${table} WHERE batch = ? GROUP BY state`,
    forget: `DELETE FROM ${table} WHERE batch = ?`,
  };
};

/** Converts a row into an entry, without the columns that are `null`. */
const toEntry = (row: Row): LedgerEntry =>
  // The columns of `ENTRY` have the names of an entry's fields.
  Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as unknown as LedgerEntry;

/** Creates a ledger over an existing table of a database. */
export function sqlLedger(database: SqlDatabase, table: string): Ledger {
  const sql = statementsFor(table);

  const entryFrom = async (statement: string, values: readonly (string | null)[]) => {
    const [row] = await database.query(statement, values);
    return row && toEntry(row);
  };

  return {
    find: (batch, key) => entryFrom(sql.find, [batch, key]),

    async claim(claim) {
      const { batch, key, digest, ref, owner, at } = claim;
      for (let tries = 1; tries <= MAX_CLAIM_TRIES; tries += 1) {
        const taken = await database.query(sql.claim, [batch, key, digest, ref, owner, at]);
        if (taken.length > 0) return undefined;
        const entry = await entryFrom(sql.find, [batch, key]);
        // An entry that was in the way, and no longer is, was decided or deleted between the two statements.
        if (toClaimResult(entry, claim) !== "claimed") return entry;
      }
      throw new Error(
        "the database neither takes a claim nor has an entry in its way: pass a connection that reads from the primary",
      );
    },

    async settle({ batch, key, owner, ref = null, state, transactionId = null, code = null }) {
      const values = [state, transactionId, code, batch, key];
      if (state === "accepted") await database.execute(sql.settleAccepted, values);
      else await database.execute(sql.settle, [...values, owner, ref]);
    },

    async resolve(batch, key, as) {
      return (await database.query(sql.resolve, [as, batch, key])).length > 0;
    },

    async confirm(ref, { transactionId = null } = {}) {
      // It comes from a URL, which can hold NUL; Postgres cannot.
      if (ref.includes("\0")) return undefined;
      return entryFrom(sql.confirm, [transactionId, ref]);
    },

    async *entries(batch, { state } = {}) {
      let last = "";
      for (;;) {
        const values = [batch, last, ...(state ? [state] : [])];
        const rows = await database.query(state ? sql.entriesInState : sql.entries, values);
        for (const entry of rows.map(toEntry)) {
          yield entry;
          last = entry.key;
        }
        if (rows.length < PAGE_SIZE) return;
      }
    },

    async counts(batch) {
      const rows = await database.query(sql.counts, [batch]);
      // Postgres counts in 64 bits, which drivers return as strings.
      const counts = new Map(rows.map(({ state, count }) => [state, Number(count)]));
      return Object.fromEntries(
        LEDGER_STATES.map((state) => [state, counts.get(state) ?? 0]),
      ) as Record<LedgerState, number>;
    },

    async forget(batch) {
      await database.execute(sql.forget, [batch]);
    },

    close: () => database.close(),
  };
}
