import { assertFunction, assertObject, assertOptions, invalidOption } from "../options.ts";
import { builtInModule } from "./built-in-module.ts";
import type { Ledger } from "./ledger.ts";
import {
  columnsOf,
  INDEXES,
  type Row,
  type SqlDatabase,
  type SqlLedger,
  sqlLedger,
  whileBusy,
} from "./sql-ledger.ts";

/** Prepared statement of a {@link SqliteDatabase}. */
export interface SqliteStatement {
  /** Runs the statement and returns its rows. */
  all(...values: (string | null)[]): unknown[];
}

/** Open SQLite database: a `DatabaseSync` of `node:sqlite`, or a `Database` of better-sqlite3 or `bun:sqlite`. */
export interface SqliteDatabase {
  /** Runs SQL without values. */
  exec(sql: string): unknown;
  /** Compiles a statement; `?` stands for a value. */
  prepare(sql: string): SqliteStatement;
}

/** Options of {@link sqliteLedger}. */
export interface SqliteLedgerOptions {
  /** Name of the table. Default: `messaging_sends`. */
  readonly table?: string | undefined;
}

interface OwnedDatabase extends SqliteDatabase {
  close(): void;
}

type DatabaseClass = new (path: string) => OwnedDatabase;

/** The part of `node:fs` that tells whether a path still leads to the same file. */
interface NodeFs {
  statSync(path: string): { readonly dev: number; readonly ino: number };
}

const IDENTIFIER = /^[A-Za-z_][\w$]{0,62}$/;

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Error of a step that was not taken because the application's own transaction is open. */
class ForeignTransaction extends Error {}

/** Returns whether a step did nothing, because another connection or statement is at work. */
const isBusy = (error: unknown): boolean => /locked|busy/i.test(messageOf(error));

/** Returns the runtime's own SQLite. */
const builtInSqlite = (): DatabaseClass => {
  const Database =
    builtInModule<Record<string, DatabaseClass>>("node:sqlite").DatabaseSync ??
    builtInModule<Record<string, DatabaseClass>>("bun:sqlite").Database;
  if (Database) return Database;
  throw new TypeError(
    "this runtime has no SQLite of its own: pass sqliteLedger() an open database instead of a path",
  );
};

const openFile = (path: string): OwnedDatabase => {
  const Database = builtInSqlite();
  try {
    return new Database(path);
  } catch (error) {
    throw new Error(`sqliteLedger cannot open ${path}: ${messageOf(error)}`, { cause: error });
  }
};

/** Returns the path of a database's file. */
const fileOf = (database: SqliteDatabase): string => {
  const rows = database.prepare("PRAGMA database_list").all() as Row[];
  const file = rows.find(({ name }) => name === "main")?.file;
  if (file) return String(file);
  throw new TypeError(
    "sqliteLedger needs a database in a file, because a temporary one forgets what was sent: memoryLedger() is for tests",
  );
};

/** Returns what identifies the file of a path; `undefined` in a runtime without `node:fs`. */
const identify = (path: string): string | undefined => {
  const { statSync } = builtInModule<NodeFs>("node:fs");
  if (!statSync) return undefined;
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return "none";
  }
};

/** Opens a database and makes its ledger; it is internal, because the command has use for more than a `Ledger`. */
export const openSqliteLedger = (
  given: string | SqliteDatabase,
  options: SqliteLedgerOptions = {},
): SqlLedger => {
  const { table = "messaging_sends" } = assertOptions("options", options, { table: true });
  if (typeof table !== "string" || !IDENTIFIER.test(table)) {
    throw invalidOption("table", "a table name of letters, digits, _ and $");
  }
  const owned = typeof given === "string" ? openFile(given) : undefined;
  const database: SqliteDatabase = owned ?? (given as SqliteDatabase);
  assertFunction("database.prepare", assertObject("database", database).prepare);
  assertFunction("database.exec", database.exec);

  const path = fileOf(database);
  const file = identify(path);
  const settings = [
    "PRAGMA journal_mode = WAL",
    // A commit is on the disk before it returns. On macOS, that also takes `fullfsync`, which flushes the drive's cache.
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    `CREATE TABLE IF NOT EXISTS main."${table}" ${columnsOf("text")} WITHOUT ROWID`,
    ...Object.entries(INDEXES).map(
      ([name, columns]) =>
        `CREATE INDEX IF NOT EXISTS main."${table}_${name}" ON "${table}" ${columns}`,
    ),
  ];
  let isSetUp = false;
  const setUp = (): void => {
    if (isSetUp) return;
    for (const setting of settings) database.exec(setting);
    isSetUp = true;
  };

  /** Runs a step that writes, without blocking for a lock, and outside of the application's transactions. */
  const write = <T>(step: () => T): T => {
    if (owned) return step();
    try {
      // It takes no lock, and every handle can do it.
      database.exec("BEGIN");
    } catch (error) {
      if (!/within a transaction/i.test(messageOf(error))) throw error;
      throw new ForeignTransaction(
        "the database is in a transaction that the ledger did not open: a rollback would free what was sent",
      );
    }
    database.exec("COMMIT");
    const [row = {}] = database.prepare("PRAGMA busy_timeout").all() as Row[];
    const [timeoutMs] = Object.values(row);
    if (!timeoutMs) return step();
    database.exec("PRAGMA busy_timeout = 0");
    try {
      return step();
    } finally {
      database.exec(`PRAGMA busy_timeout = ${timeoutMs}`);
    }
  };

  if (owned) {
    try {
      owned.exec("PRAGMA busy_timeout = 0");
      setUp();
    } catch (error) {
      // A file that another process is at work on is set up at the first use.
      if (!isBusy(error)) {
        owned.close();
        throw new Error(`sqliteLedger cannot use ${path}: ${messageOf(error)}`, { cause: error });
      }
    }
  }

  const statements = new Map<string, SqliteStatement>();
  const query: SqlDatabase["query"] = (sql, values, kind) =>
    whileBusy(
      () => {
        const run = () => {
          setUp();
          const statement = statements.get(sql) ?? database.prepare(sql);
          statements.set(sql, statement);
          return statement.all(...values) as Row[];
        };
        const rows = kind === "read" && isSetUp ? run() : write(run);
        if (kind !== "read" && identify(path) !== file) {
          throw new Error(`the file of the ledger was deleted or replaced: ${path}`);
        }
        return rows;
      },
      (error) => (error instanceof ForeignTransaction ? kind !== "claim" : isBusy(error)),
    );

  const opened: SqlDatabase = { table: `main."${table}"`, query };
  let isOpen = true;
  return sqlLedger(
    async () => opened,
    async () => {
      if (isOpen) owned?.close();
      isOpen = false;
    },
  );
};

/**
 * Creates a ledger in a SQLite database: in a file that several processes of one machine may share, or in a database that
 * you have opened.
 *
 * @param database - Path of a file, which is created if it is missing; or an open database, which you close yourself.
 * @throws TypeError when an argument is malformed, when the database is a temporary one, or when a path is given but the
 * runtime has no SQLite.
 * @throws Error that names the path when the file cannot be opened.
 * @example
 * const ledger = sqliteLedger("sends.db");
 */
export function sqliteLedger(
  database: string | SqliteDatabase,
  options: SqliteLedgerOptions = {},
): Ledger {
  return openSqliteLedger(database, options);
}
