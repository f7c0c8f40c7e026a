import { assertFunction, assertObject, assertOptions, invalidOption } from "../options.ts";
import type { Ledger } from "./ledger.ts";
import { builtInModule } from "./message.ts";
import {
  columnsOf,
  IDENTIFIER,
  INDEXES,
  type Row,
  type SqlDatabase,
  type StatementKind,
  type Values,
  whileBusy,
} from "./sql-database.ts";
import { type SqlLedger, sqlLedger } from "./sql-ledger.ts";

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

/** Part of `node:fs` that identifies the file at a path. */
interface NodeFs {
  statSync(path: string): { readonly dev: number; readonly ino: number };
}

const MISSING = "missing";

/** Number of pages in the write-ahead log at which `forget` moves them to the database. SQLite's default is 1000. */
const FORGOTTEN_PAGES = 200;

/** Returns whether a statement failed without effect, because another connection holds the lock or the handle is running a statement. */
const isBusy = (error: unknown): boolean => /locked|busy/i.test(String(error));

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

/** Returns the path of a database's file. */
const fileOf = (database: SqliteDatabase): string => {
  const rows = database.prepare("PRAGMA database_list").all() as Row[];
  const file = rows.find(({ name }) => name === "main")?.file;
  if (file) return String(file);
  throw new TypeError(
    "sqliteLedger needs a database in a file, because a temporary one forgets what was sent; for tests, use memoryLedger()",
  );
};

/** Returns the identity of the file at a path; `undefined` in a runtime without `node:fs`. */
const identify = (path: string): string | undefined => {
  const { statSync } = builtInModule<NodeFs>("node:fs");
  if (!statSync) return undefined;
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return MISSING;
  }
};

/** Returns the value of a result with one row of one column. */
const onlyValue = (rows: readonly unknown[]): unknown => Object.values(rows[0] ?? {})[0];

/** Open database with the table of a ledger. Its wait for a lock never blocks the process. */
class SqliteTable implements SqlDatabase {
  readonly table: string;
  readonly file: string;
  readonly #database: SqliteDatabase;
  /** Whether the ledger opened the database. */
  readonly #isOwned: boolean;
  readonly #name: string;
  readonly #identity: string | undefined;
  readonly #statements = new Map<string, SqliteStatement>();
  #isSetUp = false;

  constructor(database: SqliteDatabase, name: string, isOwned: boolean) {
    this.table = `main."${name}"`;
    this.file = fileOf(database);
    this.#database = database;
    this.#isOwned = isOwned;
    this.#name = name;
    this.#identity = identify(this.file);
  }

  query(sql: string, values: Values, kind: StatementKind): Promise<readonly Row[]> {
    return whileBusy(
      () => {
        if (kind === "read" && this.#isSetUp) return this.#run(sql, values);
        const run = () => {
          this.setUp();
          return this.#run(sql, values);
        };
        const rows = kind === "forget" ? this.#write(() => this.#hastily(run)) : this.#write(run);
        const identity = identify(this.file);
        if (identity === this.#identity && identity !== MISSING) return rows;
        throw new Error(`the ledger's file was deleted or replaced: ${this.file}`);
      },
      // A result can wait until the application's transaction ends. A claim in a transaction is a mistake of the application.
      (error) => (error instanceof ForeignTransaction ? kind !== "claim" : isBusy(error)),
    );
  }

  setUp(): void {
    if (this.#isSetUp) return;
    const indexes = Object.entries(INDEXES).map(
      ([name, columns]) =>
        `CREATE INDEX IF NOT EXISTS main."${this.#name}_${name}" ON "${this.#name}" ${columns}`,
    );
    for (const setting of [
      "PRAGMA journal_mode = WAL",
      // A commit is on the disk before it returns. On macOS, that also takes `fullfsync`, which flushes the drive's cache.
      "PRAGMA synchronous = FULL",
      "PRAGMA fullfsync = ON",
      `CREATE TABLE IF NOT EXISTS ${this.table} ${columnsOf("text")} WITHOUT ROWID`,
      ...indexes,
    ]) {
      this.#database.exec(setting);
    }
    this.#isSetUp = true;
  }

  #prepare(sql: string): SqliteStatement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #run(sql: string, values: Values): readonly Row[] {
    return this.#prepare(sql).all(...values) as Row[];
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
        onlyValue(this.#run("SELECT timeout FROM pragma_busy_timeout", []))
      : // Unlike a query, a PRAGMA does not read the schema, which may be locked.
        onlyValue(this.#database.prepare("PRAGMA busy_timeout").all());
    return timeoutMs ? this.#withSetting("busy_timeout", 0, timeoutMs, step) : step();
  }

  /**
   * Runs a step whose commit is not flushed to the disk. Pages are moved from the log to the database a few at a time,
   * because moving many at once blocks this process for long.
   */
  #hastily<T>(step: () => T): T {
    const pages = onlyValue(this.#database.prepare("PRAGMA wal_autocheckpoint").all());
    const unflushed = () => this.#withSetting("synchronous", "NORMAL", "FULL", step);
    return this.#withSetting("wal_autocheckpoint", FORGOTTEN_PAGES, pages, unflushed);
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
const openFile = (path: string, name: string): readonly [OwnedDatabase, SqliteTable] => {
  const Database = builtInSqlite();
  let database: OwnedDatabase | undefined;
  try {
    database = new Database(path);
    database.exec("PRAGMA busy_timeout = 0");
    const table = new SqliteTable(database, name, true);
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

/** Creates the ledger of {@link sqliteLedger}, with the additional methods for the command. */
export const openSqliteLedger = (
  database: string | SqliteDatabase,
  options: SqliteLedgerOptions = {},
): SqlLedger => {
  const { table: name = "messaging_sends" } = assertOptions("options", options, { table: true });
  if (typeof name !== "string" || !IDENTIFIER.test(name)) {
    throw invalidOption("table", "a table name of letters, digits, _ and $");
  }
  if (typeof database !== "string") {
    assertFunction("database.prepare", assertObject("database", database).prepare);
    assertFunction("database.exec", database.exec);
    const table = new SqliteTable(database, name, false);
    return sqlLedger(
      async () => table,
      async () => {},
    );
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
 * While another connection writes, a step waits up to 9 seconds without blocking the process. For this, a database that
 * you have opened has a `busy_timeout` of 0 during each write of the ledger, and its own `busy_timeout` otherwise. While
 * your own transaction is open, a claim is refused, because a rollback would forget it; other writes wait until the
 * transaction ends. A write fails if the file was deleted or replaced.
 *
 * @param database Path of a file, which is created if it is missing; or an open database, which you close yourself.
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
