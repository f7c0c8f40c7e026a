import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { ledgerChecks } from "messaging-service-client/testing";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import {
  type SqliteDatabase,
  type SqliteStatement,
  sqliteLedger,
} from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { requireFixture } from "../../support/fixture.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { claim } from "./claim.ts";

const CHILD = new URL("../../support/programs/claim-child.ts", import.meta.url).pathname;
const PROCESSES = 4;
const KEYS = 150;

// Flushes take no time in memory.
const folder = newMemoryFolder("ledgers-");
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.unstubAllGlobals());

let files = 0;
const newPath = (): string => {
  files += 1;
  return join(folder, `${files}.db`);
};

describe("a ledger in a SQLite file", () => {
  const checks = ledgerChecks(() => sqliteLedger(newPath()));
  test.each(checks)("a ledger in a SQLite file passes the check: $name", ({ run }) => run());
});

describe("a ledger in an open database of node:sqlite", () => {
  const checks = ledgerChecks(() => sqliteLedger(new DatabaseSync(newPath())));
  test.each(checks)(
    "a ledger in an open database of node:sqlite passes the check: $name",
    ({ run }) => run(),
  );
});

describe("a ledger in an open database of better-sqlite3", () => {
  const Database = requireFixture("better-sqlite3", "better-sqlite3");
  const checks = ledgerChecks(() => sqliteLedger(new Database(newPath())));
  test.each(checks)(
    "a ledger in an open database of better-sqlite3 passes the check: $name",
    ({ run }) => run(),
  );
});

/** Part of a statement of better-sqlite3. */
interface BetterStatement extends SqliteStatement {
  readonly reader: boolean;
  raw(): SqliteStatement;
  expand(): SqliteStatement;
  pluck(): SqliteStatement;
}

describe("sqliteLedger", () => {
  const Database = requireFixture("better-sqlite3", "better-sqlite3");

  test("sqliteLedger finds the entries that an earlier ledger left in the file", async () => {
    const path = newPath();
    const first = sqliteLedger(path);
    await first.claim(claim);
    await first.close();
    const second = sqliteLedger(path);
    expect(await second.find("b", "k")).toMatchObject({ ...claim, state: "sending" });
    await second.close();
  });

  test("sqliteLedger sets the database to WAL mode, flushed at each commit", async () => {
    const database = new DatabaseSync(newPath());
    database.exec("PRAGMA synchronous = OFF");
    await sqliteLedger(database).counts("b");
    const settingOf = (pragma: string) =>
      Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {});
    expect(settingOf("journal_mode")).toEqual(["wal"]);
    expect(settingOf("synchronous")).toEqual([2]);
    expect(settingOf("fullfsync")).toEqual([1]);
    database.close();
  });

  test("every write is flushed at its commit, except those that forget entries", async () => {
    const database = new DatabaseSync(newPath());
    const settings: string[] = [];
    const recording = {
      prepare: (sql: string) => database.prepare(sql),
      exec: (sql: string) => {
        if (/synchronous/.test(sql)) settings.push(sql);
        database.exec(sql);
      },
    };
    const ledger = sqliteLedger(recording);
    await ledger.counts("b");
    settings.length = 0;
    for (let index = 0; index < 60; index += 1) {
      await ledger.claim({ ...claim, key: `${index}`, ref: `${index}` });
      await ledger.settle({ ...claim, key: `${index}`, ref: `${index}` }, { state: "accepted" });
    }
    await ledger.resolve("b", "1", "open");
    await ledger.confirm("2");
    expect(settings).toEqual([]);
    expect(await ledger.forget({ batch: "b" })).toBe(60);
    expect(settings).toEqual(["PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL"]);
    database.close();
  });

  test("a step of an open database that the application has closed fails at once", async () => {
    const database = new DatabaseSync(newPath());
    const ledger = sqliteLedger(database);
    await ledger.claim(claim);
    database.close();
    const begun = performance.now();
    await expect(ledger.settle(claim, { state: "accepted" })).rejects.toThrow("not open");
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test("sqliteLedger.close() closes a file that the ledger opened, and leaves a database open that was passed in", async () => {
    const database = new DatabaseSync(newPath());
    await sqliteLedger(database).close();
    expect(database.isOpen).toBe(true);
    const ledger = sqliteLedger(newPath());
    await ledger.claim(claim);
    await ledger.close();
    await expect(ledger.find("b", "k")).rejects.toThrow();
  });

  test.each([
    [undefined, "option `database` must be an object"],
    [null, "option `database` must be an object"],
    [7, "option `database` must be an object"],
    [{}, "option `database.prepare` must be a function"],
    [{ exec: () => {} }, "option `database.prepare` must be a function"],
    [{ prepare: () => {} }, "option `database.exec` must be a function"],
  ])("sqliteLedger refuses the database %j: %s", (database, message) => {
    expect(() => sqliteLedger(database as SqliteDatabase)).toThrow(new TypeError(message));
  });

  test("sqliteLedger refuses options that are not an object", () => {
    const refused = new TypeError("option `options` must be an object");
    expect(() => sqliteLedger(newPath(), null as never)).toThrow(refused);
  });

  test("sqliteLedger refuses an open database whose options return rows as arrays, and says so", () => {
    const database = new DatabaseSync(newPath(), { returnArrays: true });
    expect(() => sqliteLedger(database)).toThrow(
      new TypeError(
        "a statement of the ledger resulted in rows that are arrays, not objects: pass a database whose options leave the rows as objects, without `returnArrays`",
      ),
    );
    expect(database.prepare("SELECT name FROM sqlite_schema").all()).toEqual([]);
  });

  test.each([
    ["raw rows", (statement: BetterStatement) => statement.raw()],
    ["expanded rows", (statement: BetterStatement) => statement.expand()],
    ["single values", (statement: BetterStatement) => statement.pluck()],
  ])(
    "sqliteLedger refuses a database of better-sqlite3 whose statements return %s",
    (_, change) => {
      const database = new Database(newPath());
      const handle = {
        exec: (sql: string) => database.exec(sql),
        prepare: (sql: string) => {
          const statement = database.prepare(sql);
          return statement.reader ? change(statement) : statement;
        },
      };
      expect(() => sqliteLedger(handle)).toThrow("a statement of the ledger resulted in rows");
      expect(database.prepare("SELECT name FROM sqlite_schema").all()).toEqual([]);
    },
  );

  test.each([
    ["node:sqlite", (path: string) => new DatabaseSync(path, { readBigInts: true })],
    ["better-sqlite3", (path: string) => new Database(path).defaultSafeIntegers()],
  ])("a ledger works in a database of %s that returns integers as bigints", async (_, open) => {
    const ledger = sqliteLedger(open(newPath()));
    expect(await ledger.claim(claim)).toBeUndefined();
    expect(await ledger.settle(claim, { state: "accepted" })).toBe(true);
    expect(await ledger.counts("b")).toMatchObject({ accepted: 1 });
    expect(await ledger.forget({ batch: "b" })).toBe(1);
  });

  test("sqliteLedger creates an index for webhooks, one for time, and one for entries in doubt", async () => {
    const database = new DatabaseSync(newPath());
    await sqliteLedger(database, { table: "sends" }).counts("b");
    const indexes = database.prepare("SELECT sql FROM sqlite_master WHERE type = 'index'").all();
    expect(indexes.map(({ sql }) => sql)).toEqual([
      'CREATE INDEX "sends_ref" ON "sends" (ref)',
      'CREATE INDEX "sends_by_time" ON "sends" (batch, at, key)',
      expect.stringMatching(/^CREATE INDEX "sends_in_doubt" ON "sends" \(at, batch, key\) WHERE /),
    ]);
    database.close();
  });

  test("sqliteLedger refuses a path in a runtime without SQLite and names the alternative", () => {
    vi.stubGlobal("process", { ...process, getBuiltinModule: () => undefined });
    expect(() => sqliteLedger("sends.db")).toThrow(
      new TypeError(
        "this runtime has no SQLite of its own: pass sqliteLedger() an open database instead of a path",
      ),
    );
  });

  test(`each key of a new SQLite file is taken by exactly one of ${PROCESSES} processes that create the file at the same moment`, async () => {
    const path = newPath();
    const startAt = `${Date.now() + 2_500}`;
    const children = Array.from({ length: PROCESSES }, (_, index) =>
      promisify(execFile)(process.execPath, [CHILD, path, `run-${index}`, `${KEYS}`, startAt]),
    );
    const taken = (await Promise.all(children)).flatMap(({ stdout }) => JSON.parse(stdout));
    expect(taken).toHaveLength(KEYS);
    expect(new Set(taken).size).toBe(KEYS);
  }, 60_000);
});
