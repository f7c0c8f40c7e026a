import { assertFunction, assertObject, invalidOption } from "../options.ts";
import type { Ledger } from "./ledger.ts";
import { onFirstUse } from "./ledgers/on-first-use.ts";
import { whileBusy } from "./ledgers/while-busy.ts";
import { createTable, type Row, sqlLedger } from "./sql-ledger.ts";

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

const quote = (table: unknown): string => {
  const parts = typeof table === "string" ? table.split(".") : [];
  if (parts.length >= 1 && parts.length <= 2 && parts.every((part) => IDENTIFIER.test(part))) {
    return parts.map((part) => `"${part}"`).join(".");
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
 * Type of the key columns. They are collated by bytes: the order of a locale changes with the system, and its index
 * would then miss keys.
 */
const KEY_TYPE = `text COLLATE "C"`;

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
  // Neon's HTTP driver is a function.
  assertFunction("queryable.query", Object(queryable).query);
  const table = quote(assertObject("options", options).table ?? "messaging_sends");

  const run = async (sql: string, values: readonly (string | null)[]): Promise<readonly Row[]> => {
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

  const isThere = async (): Promise<boolean> => {
    const [row] = await run("SELECT to_regclass(?)::text AS name", [table]);
    return row?.name !== null;
  };

  const prepare = onFirstUse(async () => {
    // Even with `IF NOT EXISTS`, the statement needs the right to create tables.
    if (await isThere()) return;
    try {
      await run(createTable(table, KEY_TYPE), []);
    } catch (error) {
      // The statement fails if another process creates the table at the same moment.
      if (!(await isThere())) throw error;
    }
  });

  const query = async (sql: string, values: readonly (string | null)[]) => {
    await prepare();
    return run(sql, values);
  };

  return sqlLedger({ query, execute: query, close: async () => {} }, table);
}
