// A SQLite ledger while a second connection, or the application itself, uses the database.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { type SqliteDatabase, sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { requireFixture } from "../../support/fixture.ts";
import { claim } from "./claim.ts";

// Each commit waits for the disk, which may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** Time for which a lock is held: longer than a first try, and shorter than the `busy_timeout` of the handles below. */
const LOCKED_MS = 300;

const folder = mkdtempSync(join(tmpdir(), "ledger-locks-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.useRealTimers());

let files = 0;
const newPath = (): string => {
  files += 1;
  return join(folder, `${files}.db`);
};

const openNodeSqlite = (path: string): SqliteDatabase => new DatabaseSync(path, { timeout: 5_000 });
const openBetterSqlite = (path: string): SqliteDatabase => {
  const Database = requireFixture("better-sqlite3", "better-sqlite3");
  return new Database(path, { timeout: 5_000 });
};
/** A handle with only the methods that a ledger needs. */
const openBare = (path: string): SqliteDatabase => {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  return { exec: (sql) => database.exec(sql), prepare: (sql) => database.prepare(sql) };
};

const HANDLES = [
  ["a database of node:sqlite", openNodeSqlite],
  ["a database of better-sqlite3", openBetterSqlite],
  ["a handle with exec and prepare only", openBare],
] as const;

/**
 * Locks a database, and releases the lock by a timer, which fires only if nothing blocks the event loop. The
 * connection uses the same library, because two libraries in one process do not see each other's locks.
 */
const lock = (other: SqliteDatabase, statement: string): Promise<void> => {
  other.exec(statement);
  return sleep(LOCKED_MS).then(() => void other.exec("COMMIT"));
};

describe.each([
  ["a path", (path: string): string | SqliteDatabase => path, openNodeSqlite] as const,
  ...HANDLES.map(([name, open]) => [name, open, open] as const),
])("a ledger of %s while a second connection locks the file", (_, open, openOther) => {
  test("claims and settles of a SQLite ledger wait for the lock without blocking the event loop", async () => {
    const path = newPath();
    const ledger = sqliteLedger(open(path));
    await ledger.counts("b");
    const unlocked = lock(openOther(path), "BEGIN IMMEDIATE");
    expect(await ledger.claim(claim)).toBeUndefined();
    await unlocked;
    const again = lock(openOther(path), "BEGIN IMMEDIATE");
    expect(await ledger.settle(claim, { state: "accepted" })).toBe(true);
    await again;
    await ledger.close();
  });

  test("the first use of a SQLite ledger waits for the lock without blocking the event loop", async () => {
    const path = newPath();
    const unlocked = lock(openOther(path), "BEGIN EXCLUSIVE");
    const ledger = sqliteLedger(open(path));
    expect(await ledger.claim(claim)).toBeUndefined();
    await unlocked;
    await ledger.close();
  });
});

test("a step of a SQLite ledger fails after nine seconds, with the reason, if the lock is not released", async () => {
  const path = newPath();
  const ledger = sqliteLedger(path);
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  vi.useFakeTimers();
  let result: unknown;
  const claiming = ledger.claim(claim).catch((error: unknown) => {
    result = error;
  });
  await vi.advanceTimersByTimeAsync(8_900);
  expect(result).toBeUndefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(result).toMatchObject({ message: "database is locked" });
  await claiming;
  vi.useRealTimers();
  other.exec("ROLLBACK");
  expect(await ledger.find("b", "k")).toBeUndefined();
  await ledger.close();
  other.close();
});

describe.each(HANDLES)("a ledger of %s that the application uses as well", (_, open) => {
  const settingOf = (database: SqliteDatabase, pragma: string) =>
    Object.values(database.prepare(`PRAGMA ${pragma}`).all()[0] as object);

  test("a SQLite ledger changes no setting of an open database except its durability", async () => {
    const database = open(newPath());
    database.exec("PRAGMA wal_autocheckpoint = 777");
    const ledger = sqliteLedger(database);
    for (let index = 0; index < 200; index += 1) {
      await ledger.claim({ ...claim, key: `${index}`, ref: `${index}` });
    }
    expect(await ledger.forget({ batch: "b" })).toBe(200);
    expect(settingOf(database, "busy_timeout")).toEqual([5_000]);
    expect(settingOf(database, "wal_autocheckpoint")).toEqual([777]);
    expect(settingOf(database, "synchronous")).toEqual([2]);
  });

  test("a claim is refused while the application's transaction is open, and leaves no entry", async () => {
    const database = open(newPath());
    const ledger = sqliteLedger(database);
    database.exec("CREATE TABLE orders (id); BEGIN; INSERT INTO orders VALUES (17)");
    const refused = "the database is in a transaction that the ledger did not open";
    await expect(ledger.claim(claim)).rejects.toThrow(refused);
    database.exec("ROLLBACK");
    expect(await ledger.find("b", "k")).toBeUndefined();
    expect(await ledger.claim(claim)).toBeUndefined();
    database.exec("BEGIN");
    await expect(ledger.claim({ ...claim, key: "k2", ref: "r2" })).rejects.toThrow(refused);
    database.exec("ROLLBACK");
    expect(await ledger.find("b", "k")).toMatchObject({ ...claim, state: "sending" });
  });

  test("a result waits for the application's transaction to end, and a rollback does not undo it", async () => {
    const database = open(newPath());
    const ledger = sqliteLedger(database);
    await ledger.claim(claim);
    database.exec("CREATE TABLE orders (id); BEGIN; INSERT INTO orders VALUES (17)");
    const rolledBack = sleep(LOCKED_MS).then(() => database.exec("ROLLBACK"));
    expect(await ledger.settle(claim, { state: "accepted" })).toBe(true);
    await rolledBack;
    expect(await ledger.find("b", "k")).toMatchObject({ ...claim, state: "accepted" });
    expect(database.prepare("SELECT * FROM orders").all()).toEqual([]);
  });
});
