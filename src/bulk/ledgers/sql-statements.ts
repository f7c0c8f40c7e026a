// The SQL that SQLite and Postgres share: the columns of a ledger's table, and the statements about single keys.
import type { LedgerClaim, LedgerEntry, LedgerState } from "./ledger.ts";
import type { Row, SqlDatabase, Values } from "./sql-database.ts";

export const IDENTIFIER = /^[A-Za-z_][\w$]{0,62}$/;

export const IS_IN_DOUBT = "state IN ('sending', 'unknown')";

/** Columns of every entry. */
const CLAIM_COLUMNS = ["batch", "key", "state", "id", "digest", "ref", "owner", "at"];

export const COLUMNS: readonly string[] = [...CLAIM_COLUMNS, "transaction_id", "code"];

/** @throws Error that names the missing columns. Without this check, the ledger could add indexes to an unrelated table. */
export const assertColumns = (table: string, columns: readonly unknown[]): void => {
  const missing = COLUMNS.filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  throw new Error(`the table ${table} is not a ledger: it lacks the columns ${missing.join(", ")}`);
};

/** Returns the columns of the table and its key; `text` is the type of the columns that are compared and sorted by bytes. */
export const columnsOf = (text: string): string => `(
  batch ${text} NOT NULL,
  key ${text} NOT NULL,
  state text NOT NULL,
  id text NOT NULL,
  digest text NOT NULL,
  ref ${text} NOT NULL,
  owner text NOT NULL,
  at ${text} NOT NULL,
  transaction_id text,
  code text,
  PRIMARY KEY (batch, key)
)`;

/** These indexes are not unique, because simultaneous claims must collide at the primary key, where `ON CONFLICT` decides. */
export const furtherIndexes = () => {
  return {
    ref: "(ref)",
    by_time: "(batch, at, key)",
    in_doubt: `(at, batch, key) WHERE ${IS_IN_DOUBT}`,
  };
};

/** Column of a statement that returns a row for each entry that it changed, without data of the entry. */
export const ONE = ["one"];

/** Columns of an entry in results. All are single words, which drivers that convert snake case to camel case do not rename. */
export const ENTRY_COLUMNS: readonly string[] = [...CLAIM_COLUMNS, "now", "transaction", "code"];

/** Returns the columns of an entry as a statement selects them, with the time of the database. */
export const entryWith = (now: string): string =>
  `${CLAIM_COLUMNS}, ${now} AS now, transaction_id AS "transaction", code`;

/** Returns the statements about single keys. Each decides and writes in one step, so no transaction is needed. */
export const statementsFor = ({ name: table, now, size }: Omit<SqlDatabase, "query">) => {
  const entry = entryWith(now);
  const claimed = COLUMNS.slice(2).map((column) => `${column} = excluded.${column}`);
  const upsert = `
    INSERT INTO ${table} AS entry (${COLUMNS.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?, ${now}, ?, ?)
    ON CONFLICT (batch, key) DO UPDATE SET`;
  return {
    find: `SELECT ${entry} FROM ${table} WHERE batch = ? AND key = ?`,
    // Returns no row if the entry of the key prevents the claim.
    claim: `${upsert} ${claimed.join(", ")}
      WHERE entry.state = 'open'
        OR (entry.state = 'rejected' AND entry.digest <> excluded.digest)
        OR (entry.state = 'sending' AND entry.ref = excluded.ref)
      RETURNING 1 AS one`,
    // If the database lost the claim, the entry is written again.
    settleAccepted: `${upsert} state = excluded.state, code = excluded.code,
        transaction_id = COALESCE(entry.transaction_id, excluded.transaction_id)
      RETURNING 1 AS one`,
    // An entry that is already `unknown` contains the result of an earlier try, and keeps its details.
    settleUnknown: `${upsert} state = excluded.state,
        transaction_id = CASE entry.state WHEN 'sending' THEN excluded.transaction_id ELSE entry.transaction_id END,
        code = CASE entry.state WHEN 'sending' THEN excluded.code ELSE entry.code END
      WHERE entry.id = excluded.id AND entry.state IN ('sending', 'unknown')
      RETURNING 1 AS one`,
    settle: `
      UPDATE ${table} SET
        transaction_id = CASE state WHEN 'sending' THEN ? ELSE transaction_id END,
        code = CASE state WHEN 'sending' THEN ? ELSE code END,
        state = ?
      WHERE batch = ? AND key = ? AND id = ? AND state IN ('sending', ?)
      RETURNING 1 AS one`,
    resolve: `
      UPDATE ${table} SET state = ?, code = NULL
      WHERE batch = ? AND key = ? AND state IN ('sending', 'unknown', ?) AND id = COALESCE(?, id)
      RETURNING 1 AS one`,
    findRef: `SELECT ${entry} FROM ${table} WHERE ref = ?`,
    confirm: `
      UPDATE ${table}
      SET state = 'accepted', transaction_id = COALESCE(transaction_id, ?), code = NULL
      WHERE ref = ? AND state NOT IN ('accepted', 'rejected') RETURNING ${entry}`,
    now: `SELECT ${now} AS now`,
    size: `SELECT ${size} AS size`,
    nextBatch: `SELECT batch FROM ${table} WHERE batch > ? ORDER BY batch LIMIT 1`,
  };
};

export const toValues = (
  { id, batch, key, digest, ref, owner }: LedgerClaim,
  state: LedgerState,
  transactionId: string | null = null,
  code: string | null = null,
): Values => [batch, key, state, id, digest, ref, owner, transactionId, code];

export const toEntry = ({ transaction: transactionId, now, ...row }: Row): LedgerEntry => {
  const ageMs = Math.max(0, Date.parse(String(now)) - Date.parse(String(row.at)));
  // The other columns have the names of an entry's fields.
  return Object.fromEntries(
    Object.entries({ ...row, ageMs, transactionId }).filter(([, value]) => value != null),
  ) as unknown as LedgerEntry;
};

export type Statements = ReturnType<typeof statementsFor>;
