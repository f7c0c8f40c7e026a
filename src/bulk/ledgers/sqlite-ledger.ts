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
import { assertUsable, createFileWatch, exists, toFilePath } from "./sqlite-files.ts";

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

/** Creates the ledger's own connection to its file. Waiting for a lock never blocks the process. */
const createConnection = (
  database: Database,
  path: string,
  name: string,
  create: boolean | undefined,
) => {
  const table = `main."${name}"`;
  const place = `${path}, table ${name}`;
  const files = createFileWatch(path);
  const statements = new Map<string, Statement>();
  const yielder = new Yielder();
  let isSetUp = false;

  const prepare = (sql: string): Statement => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };

  /** @throws Error if a table of this name exists but is not a ledger. */
  const isNew = (): boolean => {
    const columns = prepare("SELECT name FROM pragma_table_info(?, 'main')").all(name) as Row[];
    const names = columns.map((column) => column.name);
    if (names.length > 0) assertColumns(name, names);
    return names.length === 0;
  };

  const setUp = (): void => {
    if (isSetUp) return;
    const mustCreate = isNew();
    if (mustCreate) assertCreatable(create, place);
    for (const [setting, value] of Object.entries(DURABLE)) {
      database.exec(`PRAGMA ${setting} = ${value}`);
    }
    // The first statement that reads opens the log.
    database.prepare("PRAGMA user_version").all();
    const [main] = database.prepare("PRAGMA database_list").all() as Row[];
    files.watch(String(main?.file));
    database.exec(`CREATE TABLE IF NOT EXISTS ${table} ${columnsOf("text")} WITHOUT ROWID`);
    for (const [index, columns] of Object.entries(furtherIndexes())) {
      database.exec(`CREATE INDEX IF NOT EXISTS main."${name}_${index}" ON "${name}" ${columns}`);
    }
    files.watchLog();
    isSetUp = true;
    if (mustCreate) warnOfNewLedger(create, place);
  };

  /** Sets up the connection for reading. Changes nothing in the file. */
  const setUpToRead = (): void => {
    database.exec("PRAGMA query_only = ON");
    if (isNew()) assertCreatable(false, place);
    isSetUp = true;
  };

  /**
   * Runs a step whose commit is not flushed to the disk. Pages are moved from the log to the database a few at a time,
   * because moving many at once blocks this process for long. SQLite's default is 1000 pages.
   */
  const withoutFlush = <T>(step: () => T): T => {
    database.exec("PRAGMA wal_autocheckpoint = 200; PRAGMA synchronous = NORMAL");
    try {
      return step();
    } finally {
      database.exec("PRAGMA wal_autocheckpoint = 1000; PRAGMA synchronous = FULL");
    }
  };

  const query: SqlDatabase["query"] = async (sql, values, kind) => {
    // A loop over reads never waits. Without this, no timer could fire during the loop.
    if (kind === "read") await yielder.turn();
    const run = () => prepare(sql).all(...values) as Row[];
    const rows = await whileBusy(() => {
      setUp();
      if (kind === "claim") files.assertSame();
      return kind === "forget" ? withoutFlush(run) : run();
    }, isBusy);
    // If the file was lost during the write, so was the record.
    if (kind !== "read") files.assertSame();
    return rows;
  };

  return {
    name: table,
    now: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
    size: "(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)",
    query,
    setUp,
    setUpToRead,
  };
};

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
    if (!exists(path)) assertCreatable(create, path);
    if (!isReader) assertUsable(path);
    const opened = new Database(path);
    database = opened;
    opened.exec("PRAGMA busy_timeout = 0");
    const connection = createConnection(opened, path, table, create);
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
 * The folder of the file must persist, not only the file. A file that has a second name (a hard link) is refused. So is a file
 * that is mounted without its folder; Deno may need all permissions to detect that. A claim fails if the path no longer leads to
 * the file that was opened, or to its log (`-wal`, `-shm`).
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
