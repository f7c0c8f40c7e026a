import { assertFunction, assertObject } from "../options.ts";
import { builtInModule } from "./built-in-module.ts";
import type { Ledger } from "./ledger.ts";
import { onFirstUse } from "./ledgers/on-first-use.ts";
import { whileBusy } from "./ledgers/while-busy.ts";
import { createTable, type Row, sqlLedger } from "./sql-ledger.ts";

/** Prepared statement of a {@link SqliteDatabase}. */
export interface SqliteStatement {
  /** Runs the statement and returns its rows. */
  all(...values: (string | null)[]): unknown[];
  /** Runs the statement. */
  run(...values: (string | null)[]): unknown;
}

/** Open SQLite database: a `DatabaseSync` of `node:sqlite`, or a `Database` of better-sqlite3 or `bun:sqlite`. */
export interface SqliteDatabase {
  /** Runs SQL without values. */
  exec(sql: string): unknown;
  /** Compiles a statement; `?` stands for a value. */
  prepare(sql: string): SqliteStatement;
}

interface OwnedDatabase extends SqliteDatabase {
  close(): void;
}

type DatabaseClass = new (path: string) => OwnedDatabase;

const TABLE = "messaging_sends";

const SETTINGS = [
  "PRAGMA busy_timeout = 5000",
  "PRAGMA journal_mode = WAL",
  // A commit is on the disk before it returns. On macOS, that also takes `fullfsync`, which flushes the drive's cache.
  "PRAGMA synchronous = FULL",
  "PRAGMA fullfsync = ON",
  `${createTable(TABLE, "text")} WITHOUT ROWID`,
];

/**
 * Sets a database up. The change to WAL ignores `busy_timeout`, and fails if another process makes it at the same time.
 */
const setUp = (database: SqliteDatabase): Promise<void> =>
  whileBusy(
    () => {
      for (const setting of SETTINGS) database.exec(setting);
    },
    (error) => /locked|busy/i.test(String(error)),
  );

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

/**
 * Creates a ledger in a SQLite database: in a file that several processes of one machine may share, or in a database that
 * you have opened.
 *
 * On first use, the database is opened, set to `journal_mode = WAL`, `synchronous = FULL` and `busy_timeout = 5000`,
 * and given a table `messaging_sends`. The record survives a crash of the process or the system, and a loss of power.
 *
 * @param database - Path of a file, which is created if it is missing; or an open database, which you close yourself.
 * @throws TypeError when the argument is malformed, or when a path is given but the runtime has no SQLite.
 * @example
 * const ledger = sqliteLedger("sends.db");
 */
export function sqliteLedger(database: string | SqliteDatabase): Ledger {
  let owned: OwnedDatabase | undefined;
  let open: () => SqliteDatabase;
  if (typeof database === "string") {
    const Database = builtInSqlite();
    open = () => {
      owned ??= new Database(database);
      return owned;
    };
  } else {
    assertFunction("database.prepare", assertObject("database", database).prepare);
    assertFunction("database.exec", database.exec);
    open = () => database;
  }

  const statements = new Map<string, SqliteStatement>();
  const prepare = onFirstUse(async () => {
    const opened = open();
    await setUp(opened);
    return opened;
  });
  const prepareStatement = async (sql: string): Promise<SqliteStatement> => {
    const statement = statements.get(sql) ?? (await prepare()).prepare(sql);
    statements.set(sql, statement);
    return statement;
  };

  return sqlLedger(
    {
      query: async (sql, values) => (await prepareStatement(sql)).all(...values) as Row[],
      execute: async (sql, values) => (await prepareStatement(sql)).run(...values),
      close: async () => {
        owned?.close();
        owned = undefined;
      },
    },
    TABLE,
  );
}
