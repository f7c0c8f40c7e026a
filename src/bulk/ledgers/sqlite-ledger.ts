import { assertFunction, assertObject, assertOptions, invalidOption } from "../../options.ts";
import type { Ledger } from "./ledger.ts";
import { type SqlDatabase, toRows, whileBusy } from "./sql-database.ts";
import { type SqlLedger, sqlLedger } from "./sql-ledger.ts";
import { assertColumns, columnsOf, furtherIndexes, IDENTIFIER } from "./sql-statements.ts";
import { builtInModule, SQLITE_ADVICE, SqliteFiles } from "./sqlite-files.ts";

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

type OwnedDatabase = SqliteDatabase & { close(): void };
type DatabaseClass = new (path: string) => OwnedDatabase;

/** Number of pages in the write-ahead log at which `forget` moves them to the database. SQLite's default is 1000. */
const CHECKPOINT_PAGES = 200;

/** Returns whether a statement failed without effect, because another connection holds the lock or the handle is running a statement. */
const isBusy = (error: unknown): boolean => /\bis (locked|busy)\b/i.test(String(error));

/** Error for a statement that was not run, because the handle is in a transaction of the application. */
class ForeignTransaction extends Error {}

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

/** Returns the value of a result with one row of one column. */
const onlyValue = (rows: readonly unknown[]): unknown => Object.values(rows[0] ?? {})[0];

/**
 * Settings without which a loss of power could undo the record of a send: the value that the ledger sets, and the values that
 * will do, as SQLite returns them.
 */
const DURABLE: readonly (readonly [name: string, value: string, allowed: readonly string[]])[] = [
  ["journal_mode", "WAL", ["wal"]],
  // A commit is on the disk before it returns.
  ["synchronous", "FULL", ["2", "3"]],
  // On macOS, that also takes this setting, with which a flush empties the drive's cache.
  ["fullfsync", "ON", ["1"]],
];

/** Open database with the table of a ledger. Its wait for a lock never blocks the process. */
class SqliteConnection implements SqlDatabase {
  readonly name: string;
  readonly now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
  readonly #database: SqliteDatabase;
  readonly #files: SqliteFiles;
  /** Whether the ledger opened the database. */
  readonly #isOwned: boolean;
  readonly #plainName: string;
  readonly #statements = new Map<string, SqliteStatement>();
  #isSetUp = false;

  /** @param given Path by which the database was opened, if the ledger opened it. */
  constructor(database: SqliteDatabase, name: string, given?: string) {
    this.name = `main."${name}"`;
    this.#database = database;
    this.#files = new SqliteFiles(database, given);
    this.#isOwned = given !== undefined;
    this.#plainName = name;
  }

  readonly query: SqlDatabase["query"] = async (sql, values, kind, columns) => {
    const run = () => toRows(this.#prepare(sql).all(...values), columns, SQLITE_ADVICE);
    const step = () => {
      this.setUp();
      if (kind === "claim") this.#assertDurable();
      return run();
    };
    const rows = await whileBusy(
      () => {
        if (kind === "read" && this.#isSetUp) return run();
        return this.#write(kind === "forget" ? () => this.#withoutFlush(step) : step);
      },
      // A result can wait until the application's transaction ends. A claim in a transaction is a mistake of the application.
      (error) => (error instanceof ForeignTransaction ? kind !== "claim" : isBusy(error)),
    );
    // A file that was lost during the write has lost the record, too.
    if (kind !== "read") this.#files.assertSame();
    return rows;
  };

  setUp(): void {
    if (this.#isSetUp) return;
    this.#assertColumns();
    for (const [name, value] of DURABLE) this.#database.exec(`PRAGMA ${name} = ${value}`);
    // The first statement that reads opens the log.
    this.#database.prepare("PRAGMA user_version").all();
    this.#files.assertKept();
    const table = `CREATE TABLE IF NOT EXISTS ${this.name} ${columnsOf("text")} WITHOUT ROWID`;
    const indexes = Object.entries(furtherIndexes()).map(
      ([name, columns]) =>
        `CREATE INDEX IF NOT EXISTS main."${this.#plainName}_${name}" ON "${this.#plainName}" ${columns}`,
    );
    for (const statement of [table, ...indexes]) this.#database.exec(statement);
    this.#files.watchLog();
    this.#isSetUp = true;
  }

  /** Takes the table as it is. */
  setUpToRead(): void {
    this.#assertColumns();
    this.#isSetUp = true;
  }

  /** @throws Error if there is a table of this name that is no ledger. */
  #assertColumns(): void {
    const columns = this.#prepare("SELECT name FROM pragma_table_info(?, 'main')");
    const names = toRows(columns.all(this.#plainName), ["name"], SQLITE_ADVICE).map(
      ({ name }) => name,
    );
    if (names.length > 0) assertColumns(this.#plainName, names);
  }

  /** @throws Error unless a claim would be recorded where every other process sees it, and survive a loss of power. */
  #assertDurable(): void {
    this.#files.assertSame();
    // Nobody else has the handle of a file that the ledger opened.
    if (this.#isOwned) return;
    for (const [name, value, allowed] of DURABLE) {
      const current = String(this.#settingOf(name));
      if (allowed.includes(current)) continue;
      throw new Error(
        `the database's setting ${name} was changed to ${current}, and a loss of power could undo the record of a send: set it to ${value}`,
      );
    }
  }

  #prepare(sql: string): SqliteStatement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Runs a step outside of the application's transactions, and without waiting for a lock. */
  #write<T>(step: () => T): T {
    if (this.#isOwned) return step();
    try {
      // `BEGIN` takes no lock, and every handle supports it.
      this.#database.exec("BEGIN");
    } catch (error) {
      if (!/within a transaction/i.test(String(error))) throw error;
      throw new ForeignTransaction(
        "the database is in a transaction that the ledger did not open, and a rollback would undo the record of the send: commit it first",
      );
    }
    this.#database.exec("COMMIT");
    const timeoutMs = this.#isSetUp
      ? // Unlike a PRAGMA, a query can be prepared once.
        onlyValue(this.#prepare("SELECT timeout FROM pragma_busy_timeout").all())
      : // Unlike a query, a PRAGMA does not read the schema, which may be locked.
        this.#settingOf("busy_timeout");
    return timeoutMs ? this.#withSetting("busy_timeout", 0, timeoutMs, step) : step();
  }

  /**
   * Runs a step whose commit is not flushed to the disk. Pages are moved from the log to the database a few at a time,
   * because moving many at once blocks this process for long.
   */
  #withoutFlush<T>(step: () => T): T {
    const pages = this.#settingOf("wal_autocheckpoint");
    return this.#withSetting("wal_autocheckpoint", CHECKPOINT_PAGES, pages, () =>
      this.#withSetting("synchronous", "NORMAL", "FULL", step),
    );
  }

  #settingOf(name: string): unknown {
    return onlyValue(this.#database.prepare(`PRAGMA ${name}`).all());
  }

  #withSetting<T>(name: string, value: unknown, before: unknown, step: () => T): T {
    this.#database.exec(`PRAGMA ${name} = ${value}`);
    try {
      return step();
    } finally {
      this.#database.exec(`PRAGMA ${name} = ${before}`);
    }
  }
}

/** Opens the file of a ledger and sets it up. If another process has locked the file, it is set up at the first use. */
const openFile = (path: string, name: string): readonly [OwnedDatabase, SqliteConnection] => {
  const Database = builtInSqlite();
  let database: OwnedDatabase | undefined;
  try {
    database = new Database(path);
    database.exec("PRAGMA busy_timeout = 0");
    const table = new SqliteConnection(database, name, path);
    try {
      table.setUp();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    return [database, table];
  } catch (error) {
    database?.close();
    if (error instanceof TypeError) throw error;
    const reason = Object(error).message ?? error;
    throw new Error(`sqliteLedger cannot open ${path}: ${reason}`, { cause: error });
  }
};

/**
 * Creates the ledger of {@link sqliteLedger}, with the additional methods for the command.
 *
 * @param isReader Whether only methods that read are called. The open database, whose table exists, is then left as it is.
 */
export const openSqliteLedger = (
  database: string | SqliteDatabase,
  options: SqliteLedgerOptions = {},
  isReader = false,
): SqlLedger => {
  const { table: name = "messaging_sends" } = assertOptions("options", options, { table: true });
  if (typeof name !== "string" || !IDENTIFIER.test(name)) {
    throw invalidOption("table", "a table name of letters, digits, _ and $");
  }
  if (typeof database !== "string") {
    assertFunction("database.prepare", assertObject("database", database).prepare);
    assertFunction("database.exec", database.exec);
    const table = new SqliteConnection(database, name);
    if (isReader) table.setUpToRead();
    return sqlLedger(async () => table);
  }
  const [owned, table] = openFile(database, name);
  let isOpen = true;
  return sqlLedger(
    async () => table,
    async () => {
      if (isOpen) owned.close();
      isOpen = false;
    },
  );
};

/**
 * Creates a ledger in a SQLite database: in a file that several processes of one machine may share, or in a database that
 * you have opened.
 *
 * The ledger sets `journal_mode = WAL`, `synchronous = FULL` and `fullfsync = ON`, and creates its table: at once for a
 * path, at the first use for an open database. The record survives a crash of the process or the system, and a loss of power.
 *
 * Before each claim, the ledger checks that the path still leads to the file that was opened, that the file's log (`-wal`, `-shm`) is the one
 * that was opened, and that your own code has not changed these settings. If a check fails, the claim does. The folder of the file must persist, not
 * the file alone: a file that is mounted without its folder is refused when it is opened.
 *
 * While another connection writes, a step waits up to 9 seconds without blocking the process. For this, a database that
 * you have opened has a `busy_timeout` of 0 during each write of the ledger, and its own `busy_timeout` otherwise. While
 * your own transaction is open, a claim is refused, because a rollback would forget it; other writes wait until the
 * transaction ends.
 *
 * @param database Path of a file, which is created if it is missing; or an open database, which you close yourself. A `DatabaseSync` of
 * `node:sqlite` does not state by which symbolic link it was opened: pass a path if a deploy may repoint the link.
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
