import { invalidOption } from "../../core/options.ts";
import { builtInModule, runtime } from "../../core/runtime.ts";
import { Yielder } from "../../core/yielder.ts";
import type { Ledger } from "./ledger.ts";
import {
  assertCreatable,
  type Row,
  type SqlDatabase,
  toTableOptions,
  warnOfNewLedger,
  whileBusy,
} from "./sql-database.ts";
import { type SqlLedger, sqlLedger } from "./sql-ledger.ts";
import { assertColumns, columnsOf, furtherIndexes, IDENTIFIER } from "./sql-statements.ts";
import { SqliteFiles, toFilePath } from "./sqlite-files.ts";

/** Options of {@link sqliteLedger}. */
export interface SqliteLedgerOptions {
  /** Name of the table. Default: `messaging_sends`. */
  readonly table?: string | undefined;
  /**
   * Whether to create a missing ledger. `false` throws an error, so a job that looks in the wrong place does not text everybody
   * again. `true` creates it silently. Default: create it and warn with `console.warn`.
   */
  readonly create?: boolean | undefined;
}

interface Statement {
  all(...values: (string | null)[]): unknown[];
}

/** Methods that `DatabaseSync` of `node:sqlite` and `Database` of `bun:sqlite` share. */
interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** Returns whether a statement failed without effect, because another connection holds the lock. */
const isBusy = (error: unknown): boolean => /\bis (locked|busy)\b/i.test(String(error));

const builtInSqlite = (): (new (path: string) => Database) => {
  type Classes = Readonly<Record<string, (new (path: string) => Database) | undefined>>;
  const found =
    builtInModule<Classes>("node:sqlite")?.DatabaseSync ??
    builtInModule<Classes>("bun:sqlite")?.Database;
  if (found) return found;
  const { version = "unknown" } = runtime();
  throw new TypeError(
    `this runtime (version ${version}) has no built-in SQLite: sqliteLedger needs Node 22.13, 23.4 or newer without --no-experimental-sqlite, Bun, or Deno`,
  );
};

/** Settings without which a power loss could undo the record of a send. On macOS, only `fullfsync` flushes the drive's cache. */
const DURABLE = { journal_mode: "WAL", synchronous: "FULL", fullfsync: "ON" };

/** The ledger's own connection to its file. Waiting for a lock never blocks the process. */
class SqliteConnection implements SqlDatabase {
  readonly name: string;
  readonly now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
  readonly size = "(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)";
  readonly #database: Database;
  readonly #files: SqliteFiles;
  readonly #plainName: string;
  readonly #create: boolean | undefined;
  readonly #statements = new Map<string, Statement>();
  readonly #yielder = new Yielder();
  #isSetUp = false;

  constructor(database: Database, files: SqliteFiles, name: string, create: boolean | undefined) {
    this.name = `main."${name}"`;
    this.#database = database;
    this.#files = files;
    this.#plainName = name;
    this.#create = create;
  }

  readonly query: SqlDatabase["query"] = async (sql, values, kind) => {
    // A loop over reads never waits. Without this, no timer could fire during the loop.
    if (kind === "read") await this.#yielder.turn();
    const run = () => this.#prepare(sql).all(...values) as Row[];
    const rows = await whileBusy(() => {
      this.setUp();
      if (kind === "claim") this.#files.assertSame();
      return kind === "forget" ? this.#withoutFlush(run) : run();
    }, isBusy);
    // If the file was lost during the write, so was the record.
    if (kind !== "read") this.#files.assertSame();
    return rows;
  };

  setUp(): void {
    if (this.#isSetUp) return;
    const isNew = this.#isNew();
    if (isNew) assertCreatable(this.#create, this.#place);
    for (const [name, value] of Object.entries(DURABLE)) {
      this.#database.exec(`PRAGMA ${name} = ${value}`);
    }
    // The first statement that reads opens the log.
    this.#database.prepare("PRAGMA user_version").all();
    const [main] = this.#database.prepare("PRAGMA database_list").all() as Row[];
    this.#files.watch(String(main?.file));
    const table = `CREATE TABLE IF NOT EXISTS ${this.name} ${columnsOf("text")} WITHOUT ROWID`;
    const indexes = Object.entries(furtherIndexes()).map(
      ([name, columns]) =>
        `CREATE INDEX IF NOT EXISTS main."${this.#plainName}_${name}" ON "${this.#plainName}" ${columns}`,
    );
    for (const statement of [table, ...indexes]) this.#database.exec(statement);
    this.#files.watchLog();
    this.#isSetUp = true;
    if (isNew) warnOfNewLedger(this.#create, this.#place);
  }

  /** Sets up the connection for reading. Changes nothing in the file. */
  setUpToRead(): void {
    this.#database.exec("PRAGMA query_only = ON");
    if (this.#isNew()) assertCreatable(false, this.#place);
    this.#isSetUp = true;
  }

  get #place(): string {
    return `${this.#files.path}, table ${this.#plainName}`;
  }

  /** @throws Error if a table of this name exists but is not a ledger. */
  #isNew(): boolean {
    const columns = this.#prepare("SELECT name FROM pragma_table_info(?, 'main')");
    const names = (columns.all(this.#plainName) as Row[]).map(({ name }) => name);
    if (names.length > 0) assertColumns(this.#plainName, names);
    return names.length === 0;
  }

  #prepare(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /**
   * Runs a step whose commit is not flushed to the disk. Pages are moved from the log to the database a few at a time,
   * because moving many at once blocks this process for long. SQLite's default is 1000 pages.
   */
  #withoutFlush<T>(step: () => T): T {
    this.#database.exec("PRAGMA wal_autocheckpoint = 200; PRAGMA synchronous = NORMAL");
    try {
      return step();
    } finally {
      this.#database.exec("PRAGMA wal_autocheckpoint = 1000; PRAGMA synchronous = FULL");
    }
  }
}

/** @param isReader Whether only methods that read are called. The table must then exist, and the file is not changed. */
export const openSqliteLedger = (
  given: string,
  options: SqliteLedgerOptions = {},
  isReader = false,
): SqlLedger => {
  const { table, create } = toTableOptions(options);
  if (typeof table !== "string" || !IDENTIFIER.test(table)) {
    throw invalidOption("table", "a table name of letters, digits, _ and $");
  }
  if (typeof given !== "string") {
    throw new TypeError(
      "sqliteLedger takes the path of a file: pass the path of your database instead of its open handle",
    );
  }
  const Database = builtInSqlite();
  const path = toFilePath(given);
  let database: Database | undefined;
  try {
    const files = new SqliteFiles(path);
    if (!files.exist) assertCreatable(create, path);
    if (!isReader) files.assertUsable();
    const opened = new Database(path);
    database = opened;
    opened.exec("PRAGMA busy_timeout = 0");
    const connection = new SqliteConnection(opened, files, table, create);
    try {
      if (isReader) connection.setUpToRead();
      else connection.setUp();
    } catch (error) {
      // If another process has locked the file, the ledger is set up at its first use.
      if (!isBusy(error)) throw error;
    }
    let isOpen = true;
    return sqlLedger(
      async () => {
        if (isOpen) return connection;
        throw new Error("this ledger was closed by close()");
      },
      async () => {
        if (isOpen) opened.close();
        isOpen = false;
      },
    );
  } catch (error) {
    database?.close();
    const reason = Object(error).message ?? error;
    throw new Error(`sqliteLedger cannot open ${path}: ${reason}`, { cause: error });
  }
};

/**
 * Creates a ledger in a SQLite file. Several processes of one machine can share the file, and so can the application.
 *
 * The ledger has its own table, and its own connection through the SQLite of the runtime (Node 22.13, 23.4 or newer, Bun, Deno).
 * Its records survive a crash and a power loss. While another connection writes, a step waits up to 9 seconds without blocking
 * the process.
 *
 * The folder of the file must persist, not only the file. A file that is mounted without its folder, or that has a second name (a
 * hard link), is refused. A claim fails if the path no longer leads to the file that was opened, or to its log (`-wal`, `-shm`).
 *
 * @param path Path of the file, which is created if it is missing. A relative path is resolved at once.
 * @throws TypeError if an argument is malformed, the database is a temporary one, or the runtime has no SQLite.
 * @throws Error that names the path if the file, its log or its folder cannot be opened or written.
 * @example
 * const ledger = sqliteLedger("/var/lib/app/sends.db");
 */
export function sqliteLedger(path: string, options: SqliteLedgerOptions = {}): Ledger {
  return openSqliteLedger(path, options);
}
