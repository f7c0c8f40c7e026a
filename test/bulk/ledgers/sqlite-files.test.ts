// A SQLite ledger keeps its entries in a lasting file, and in the file that the caller named.
import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { type SqliteDatabase, sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { requireFixture } from "../../support/fixture.ts";
import { claim } from "./claim.ts";

const CHILD = new URL("../../support/programs/relative-path-child.ts", import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), "ledger-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newPath = (): string => {
  files += 1;
  return join(folder, `${files}.db`);
};

const openBetterSqlite = (path: string): SqliteDatabase => {
  const Database = requireFixture("better-sqlite3", "better-sqlite3");
  return new Database(path);
};

const TEMPORARY = new TypeError(
  "sqliteLedger needs a database in a file, because a temporary one forgets what was sent; for tests, use memoryLedger()",
);

describe("the file of a SQLite ledger", () => {
  test.each(["", ":memory:", "file:sends?mode=memory", "file::memory:?cache=shared", "file:"])(
    "sqliteLedger refuses the temporary database %j and creates no file",
    (path) => {
      expect(() => sqliteLedger(path)).toThrow(TEMPORARY);
      expect(existsSync(path)).toBe(false);
    },
  );

  test.each(["", ":memory:"])(
    "sqliteLedger refuses an open database that was opened with %j",
    (path) => {
      expect(() => sqliteLedger(new DatabaseSync(path))).toThrow(TEMPORARY);
      expect(() => sqliteLedger(openBetterSqlite(path))).toThrow(TEMPORARY);
    },
  );

  test("sqliteLedger opens its file at once, and its error names a path that cannot be opened", () => {
    const path = newPath();
    sqliteLedger(path);
    expect(existsSync(path)).toBe(true);
    const missing = join(folder, "missing/sends.db");
    expect(() => sqliteLedger(missing)).toThrow(
      new Error(`sqliteLedger cannot open ${missing}: unable to open database file`),
    );
  });

  test("sqliteLedger refuses a file that is not a database at once, and leaves it unchanged", () => {
    const path = newPath();
    writeFileSync(path, "phone,name\n".repeat(100));
    expect(() => sqliteLedger(path)).toThrow(`cannot open ${path}: file is not a database`);
    expect(readFileSync(path, "utf8")).toBe("phone,name\n".repeat(100));
  });

  test("sqliteLedger resolves a relative path when it is called, and later changes of the working directory do not matter", async () => {
    const [first, second] = [join(folder, "first"), join(folder, "second")];
    mkdirSync(first);
    mkdirSync(second);
    await promisify(execFile)(process.execPath, [CHILD, second], { cwd: first });
    expect(existsSync(join(second, "sends.db"))).toBe(false);
    const ledger = sqliteLedger(join(first, "sends.db"));
    expect(await ledger.find("b", "k")).toMatchObject({ ...claim, state: "sending" });
    await ledger.close();
  });

  describe.each([
    ["a path", (path: string): string | SqliteDatabase => path],
    ["a database of node:sqlite", (path: string) => new DatabaseSync(path)],
    ["a database of better-sqlite3", openBetterSqlite],
  ])("opened as %s", (_, open) => {
    test("a claim fails after the SQLite file was deleted", async () => {
      const path = newPath();
      const ledger = sqliteLedger(open(path));
      await ledger.claim(claim);
      rmSync(path);
      const lost = new Error(`the ledger's file was deleted or replaced: ${path}`);
      await expect(ledger.claim({ ...claim, key: "k2", ref: "r2" })).rejects.toThrow(lost);
      await expect(ledger.settle(claim, { state: "accepted" })).rejects.toThrow(lost);
      await ledger.close();
    });

    test("a claim fails after the SQLite file was replaced", async () => {
      const path = newPath();
      const ledger = sqliteLedger(open(path));
      await ledger.claim(claim);
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
      await expect(ledger.claim({ ...claim, key: "k2", ref: "r2" })).rejects.toThrow(
        `the ledger's file was deleted or replaced: ${path}`,
      );
      await ledger.close();
    });
  });

  test("ledgers in two tables of one SQLite file are independent", async () => {
    const path = newPath();
    const [one, two] = [sqliteLedger(path), sqliteLedger(path, { table: "removals" })];
    await one.claim(claim);
    expect(await two.find("b", "k")).toBeUndefined();
    expect(await two.claim(claim)).toBeUndefined();
    expect(await one.forget({ batch: "b" })).toBe(1);
    expect(await two.find("b", "k")).toMatchObject({ ...claim, state: "sending" });
    await Promise.all([one.close(), two.close()]);
  });

  test("a temporary table of the same name in an open database does not receive the claims", async () => {
    const path = newPath();
    const database = new DatabaseSync(path);
    const ledger = sqliteLedger(database);
    await ledger.counts("b");
    database.exec("CREATE TEMP TABLE messaging_sends AS SELECT * FROM main.messaging_sends");
    await ledger.claim(claim);
    database.close();
    const reopened = sqliteLedger(path);
    expect(await reopened.find("b", "k")).toMatchObject({ ...claim, state: "sending" });
    await reopened.close();
  });

  test.each(["", "a b", 'a"b', "main.sends", "1a", "é", 7])(
    "sqliteLedger refuses the table name %j",
    (table) => {
      expect(() => sqliteLedger(newPath(), { table: table as string })).toThrow(
        new TypeError("option `table` must be a table name of letters, digits, _ and $"),
      );
    },
  );

  test("sqliteLedger refuses an unknown option", () => {
    expect(() => sqliteLedger(newPath(), { tabel: "sends" } as object)).toThrow(
      new TypeError("option `tabel` does not exist: did you mean `table`?"),
    );
  });
});
