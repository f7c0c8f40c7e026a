import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openPostgresLedger, type Queryable } from "../../bulk/ledgers/postgres-ledger.ts";
import type { SqlLedger } from "../../bulk/ledgers/sql-ledger.ts";
import { toFilePath } from "../../bulk/ledgers/sqlite-files.ts";
import { openSqliteLedger } from "../../bulk/ledgers/sqlite-ledger.ts";
import { UsageError } from "../terminal/arguments.ts";
import { maskPassword, quoteWord } from "../terminal/print.ts";
import type { CommandName, FlagsOf } from "./flags.ts";

/** Open ledger that existed before. */
export interface OpenLedger {
  readonly ledger: SqlLedger;
  /** Resolves to the size in bytes of the SQLite file, or of the Postgres table with its indexes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** Checks the words and flags of a command, and returns the work on the open ledger, which resolves to whether all of it was done. */
export type Work<Name extends CommandName> = (
  words: readonly string[],
  flags: FlagsOf<Name>,
) => (opened: OpenLedger) => Promise<boolean>;

interface Pool extends Queryable {
  query(text: string, values?: (string | null)[]): Promise<{ rows: Record<string, unknown>[] }>;
  on(event: "error", listener: () => void): void;
  end(): Promise<void>;
}

/** Schemes of a URL of Postgres. */
const POSTGRES = /^postgres(ql)?:\/\//i;

/** Parameters of a URL that `pg` reads. */
const PARAMETERS = [
  ...["host", "port", "user", "password", "database", "dbname", "encoding", "client_encoding"],
  ...["ssl", "sslmode", "sslcert", "sslkey", "sslrootcert", "sslnegotiation", "uselibpqcompat"],
  ...["application_name", "fallback_application_name", "options", "replication", "keepalives"],
  ...["statement_timeout", "query_timeout", "lock_timeout", "connect_timeout"],
  ...["idle_in_transaction_session_timeout"],
];

/** @throws UsageError for a URL that `pg` would read differently than it is meant, or not at all. It never quotes a password. */
const assertPlace = (place: string): void => {
  if (!POSTGRES.test(place)) {
    const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(place)?.[1];
    if (scheme === undefined || scheme === "file") return;
    throw new UsageError(
      `The scheme "${scheme}" is not known: name the path of a SQLite file, or a postgres:// URL.`,
    );
  }
  const query = new URLSearchParams(/\?(.*)$/s.exec(place)?.[1]);
  for (const name of query.keys()) {
    if (PARAMETERS.includes(name)) continue;
    const instead = name === "schema" ? " The schema stands in --table, as in jobs.sends." : "";
    throw new UsageError(
      `pg would ignore the parameter ${quoteWord(name)} of the URL: leave it out.${instead}`,
    );
  }
};

const missing = (table: string, place: string): Error =>
  new Error(`There is no ledger in ${place}: it has no table ${table} (see --table).`);

/** Loads the driver of the project in which the command runs. */
const loadDriver = (): { readonly Pool: new (options: object) => Pool } => {
  try {
    return createRequire(join(process.cwd(), "package.json"))("pg");
  } catch (cause) {
    const message = "A ledger in Postgres needs the package pg in this project: npm install pg";
    throw new Error(message, { cause });
  }
};

const openPostgres = async (url: string, table: string): Promise<OpenLedger> => {
  const { Pool } = loadDriver();
  const pool = new Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 10_000 });
  // The pool replaces a connection that breaks while it is idle.
  pool.on("error", () => {});
  const name = table.replaceAll(/[^.]+/g, '"$&"');
  const close = () => pool.end();
  try {
    const { rows } = await pool.query("SELECT to_regclass($1)::text AS name", [name]);
    // The command must not create a ledger.
    if (rows[0]?.name == null) throw missing(table, "this database");
    return {
      ledger: openPostgresLedger(pool, { table }),
      async size() {
        const size = await pool.query("SELECT pg_total_relation_size($1::regclass) AS size", [
          name,
        ]);
        return Number(size.rows[0]?.size);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Runs a step on a SQLite file. If the step fails, its error names the file. */
const forFile = <T>(path: string, step: () => T): T => {
  try {
    return step();
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`Cannot read ${path} as a SQLite database: ${message}`, { cause });
  }
};

const FIND_TABLE = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?";

const openSqlite = async (place: string, table: string, isReader: boolean): Promise<OpenLedger> => {
  const path = toFilePath(place);
  if (!existsSync(path)) throw new Error(`There is no file ${maskPassword(path)}.`);
  // Imported only here: some versions of Node do not have the module, and a ledger in Postgres does not need it.
  const { DatabaseSync } = await import("node:sqlite");
  const database = forFile(path, () => new DatabaseSync(path));
  const close = async () => database.close();
  try {
    if (isReader) forFile(path, () => database.exec("PRAGMA query_only = ON"));
    const found = forFile(path, () => database.prepare(FIND_TABLE).get(table));
    if (!found) throw missing(table, path);
    const ledger = openSqliteLedger(path, { table, create: false }, isReader);
    return {
      ledger,
      async size() {
        const pages =
          "SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size";
        return Number(database.prepare(pages).get()?.size);
      },
      async close() {
        await ledger.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/**
 * Opens an existing ledger.
 *
 * @param isReader Whether the command only reads. Nothing of the database is then changed.
 * @throws Error when there is no ledger: a misspelled path must not create a file.
 */
export const openLedger = async (
  place: string,
  isReader: boolean,
  table: string,
): Promise<OpenLedger> => {
  assertPlace(place);
  return POSTGRES.test(place) ? openPostgres(place, table) : openSqlite(place, table, isReader);
};
