import { assertFunction, assertOptions, invalidOption } from "../options.ts";
import type { Ledger } from "./ledger.ts";
import {
  columnsOf,
  INDEXES,
  onFirstUse,
  type Row,
  type SqlDatabase,
  type SqlLedger,
  sqlLedger,
  whileBusy,
} from "./sql-ledger.ts";

/** Anything that runs a query on Postgres: a pool or a client of `pg`, PGlite, Neon. */
export interface Queryable {
  /** Runs one statement. `$1` is the first value. Resolves to the rows, or to an object with `rows`. */
  query(text: string, values: (string | null)[]): Promise<unknown>;
}

/** Options of {@link postgresLedger}. */
export interface PostgresLedgerOptions {
  /** Name of the table, with its schema if needed, as in `jobs.sends`. Case-sensitive. Default: `messaging_sends`. */
  readonly table?: string | undefined;
}

const IDENTIFIER = /^[A-Za-z_][\w$]{0,62}$/;

/** Returns the schema, if there is one, and the name of a table. */
const parseTable = (table: unknown): readonly [schema: string | undefined, name: string] => {
  const parts = typeof table === "string" ? table.split(".") : [];
  const name = parts.pop();
  if (
    name !== undefined &&
    parts.length <= 1 &&
    [...parts, name].every((part) => IDENTIFIER.test(part))
  ) {
    return [parts[0], name];
  }
  throw invalidOption(
    "table",
    "a table name of letters, digits, _ and $, with a schema before a dot or without",
  );
};

/**
 * Error codes of a statement that was rolled back: a serialization failure (at a stricter isolation than the default),
 * and a deadlock.
 */
const ROLLED_BACK: readonly unknown[] = ["40001", "40P01"];

/**
 * Type of the columns that are compared. They are collated by bytes: the order of a locale changes with the system, and its
 * index would then miss keys.
 */
const BYTES = `text COLLATE "C"`;

/** Opens a table and makes its ledger; it is internal, because the command has use for more than a `Ledger`. */
export const openPostgresLedger = (
  queryable: Queryable,
  options: PostgresLedgerOptions = {},
): SqlLedger => {
  // Neon's HTTP driver is a function.
  assertFunction("queryable.query", Object(queryable).query);
  const { table = "messaging_sends" } = assertOptions("options", options, { table: true });
  const [givenSchema, name] = parseTable(table);

  const query: SqlDatabase["query"] = async (sql, values) => {
    let count = 0;
    const text = sql.replaceAll("?", () => {
      count += 1;
      return `$${count}`;
    });
    const result = await whileBusy(
      () => queryable.query(text, [...values]),
      (error) => ROLLED_BACK.includes(Object(error).code),
    );
    // Neon's HTTP driver resolves to the rows themselves.
    return (Array.isArray(result) ? result : (result as { rows: Row[] }).rows) ?? [];
  };

  const tableExists = async (quoted: string): Promise<boolean> => {
    const [row] = await query("SELECT to_regclass(?)::text AS name", [quoted], "read");
    return row?.name !== null;
  };

  const open = onFirstUse(async (): Promise<SqlDatabase> => {
    const quoted = givenSchema === undefined ? `"${name}"` : `"${givenSchema}"."${name}"`;
    const opened = { table: quoted, query };
    // Even with `IF NOT EXISTS`, the statement needs the right to create tables.
    if (await tableExists(quoted)) return opened;
    try {
      const statements = [
        `CREATE TABLE ${quoted} ${columnsOf(BYTES)};`,
        ...Object.values(INDEXES).map((columns) => `CREATE INDEX ON ${quoted} ${columns};`),
      ];
      // All of it or nothing, in one statement: a table without its indexes would stay without them.
      const block = `BEGIN ${statements.join(" ")} END`.replaceAll("'", "''");
      await query(`DO '${block}'`, [], "write");
    } catch (error) {
      // The statement fails if another process creates the table at the same moment.
      if (!(await tableExists(quoted))) throw error;
    }
    return opened;
  });

  return sqlLedger(open, async () => {});
};

/**
 * Creates a ledger in a table of a Postgres database, for any number of processes and machines.
 *
 * Each statement is a separate transaction, so a pool, a connection pooler or an HTTP driver will do, and no transaction
 * stays open. The table is created on first use if it is missing. A role that may not create tables needs it to exist
 * already.
 *
 * @param queryable - A pool or a client, which you close yourself. Pass a client only while no transaction is open in it: a
 * claim must be committed before the message is sent.
 * @throws TypeError when an argument is malformed.
 * @example
 * const ledger = postgresLedger(new pg.Pool());
 */
export function postgresLedger(queryable: Queryable, options: PostgresLedgerOptions = {}): Ledger {
  return openPostgresLedger(queryable, options);
}
