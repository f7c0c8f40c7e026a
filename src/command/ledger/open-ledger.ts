import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openPostgresLedger, type Queryable } from "../../bulk/ledgers/postgres-ledger.ts";
import type { SqlLedger } from "../../bulk/ledgers/sql-ledger.ts";
import { toFilePath } from "../../bulk/ledgers/sqlite-files.ts";
import { openSqliteLedger } from "../../bulk/ledgers/sqlite-ledger.ts";
import { UsageError } from "../terminal/arguments.ts";
import { maskPassword, quoteWord } from "../terminal/print.ts";
import type { CommandName, FlagsOf } from "./ledger-flags.ts";

/** Checks the words and flags of a command. Returns the work on the open ledger, which resolves to whether all of it was done. */
export type Work<Name extends CommandName> = (
  words: readonly string[],
  flags: FlagsOf<Name>,
) => (ledger: SqlLedger) => Promise<boolean>;

interface Pool extends Queryable {
  on(event: "error", listener: () => void): void;
  end(): Promise<void>;
}

const POSTGRES = /^postgres(ql)?:\/\//i;

/**
 * Matches a URL parameter that selects the schema in other drivers. `pg` ignores such a parameter, so the command would read a
 * different ledger. Other parameters that `pg` ignores, such as `channel_binding`, are allowed, because providers print them.
 */
const CHOOSES_SCHEMA = /^(schema|currentSchema|search_path)$/i;

/** @throws UsageError for a URL that `pg` would misread or cannot read. The error never quotes a password. */
const assertPlace = (place: string): void => {
  if (!POSTGRES.test(place)) {
    const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(place)?.[1];
    if (scheme === undefined || scheme === "file") return;
    throw new UsageError(
      `The scheme "${scheme}" is not supported: name the path of a SQLite file, or a postgres:// URL.`,
    );
  }
  const query = new URLSearchParams(/\?(.*)$/s.exec(place)?.[1]);
  for (const name of query.keys()) {
    if (!CHOOSES_SCHEMA.test(name)) continue;
    throw new UsageError(
      `pg would ignore the parameter ${quoteWord(name)} of the URL: leave it out. Name the schema in --table, as in jobs.sends.`,
    );
  }
};

/** Loads the driver of the project in which the command runs. */
const loadDriver = (): { readonly Pool: new (options: object) => Pool } => {
  try {
    return createRequire(join(process.cwd(), "package.json"))("pg");
  } catch (cause) {
    const message = "A ledger in Postgres needs the package pg in this project: npm install pg";
    throw new Error(message, { cause });
  }
};

const openPostgres = (url: string, table: string): SqlLedger => {
  const { Pool } = loadDriver();
  const pool = new Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 10_000 });
  // The pool replaces a connection that breaks while it is idle.
  pool.on("error", () => {});
  return { ...openPostgresLedger(pool, { table, create: false }), close: () => pool.end() };
};

/**
 * Opens an existing ledger. A misspelled path must not create a file.
 *
 * @param isReader Whether the command only reads. In that case, the database is not changed.
 */
export const openLedger = (place: string, isReader: boolean, table: string): SqlLedger => {
  assertPlace(place);
  if (POSTGRES.test(place)) return openPostgres(place, table);
  const path = toFilePath(place);
  // The ledger's own error would quote the path, which may be a URL without its scheme.
  if (!existsSync(path)) throw new Error(`There is no file ${maskPassword(path)}.`);
  return openSqliteLedger(path, { table, create: false }, isReader);
};
