// A SQLite ledger stores its entries in a permanent file, at the path that the caller passed.
import { execFile } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, describe, expect, test, vi } from "vitest";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { claim } from "./claim.ts";

const CHILD = new URL("../../support/programs/relative-path-child.ts", import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), "ledger-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newPath = (): string => {
  files += 1;
  return join(folder, `${files}.db`);
};

const TEMPORARY = new TypeError(
  "sqliteLedger needs a database in a file, because a temporary one forgets what was sent; for tests, use memoryLedger()",
);

describe("the file of a SQLite ledger", () => {
  test.each(["", ":memory:", "file::memory:", "file:"])(
    "sqliteLedger refuses the temporary database %j and creates no file",
    (path) => {
      expect(() => sqliteLedger(path)).toThrow(TEMPORARY);
      expect(existsSync(path)).toBe(false);
    },
  );

  test("sqliteLedger reads a `file:` URL as the same path, and refuses its parameters", async () => {
    const path = `${newPath()} 100%.db`;
    const url = `file://${path.replaceAll("%", "%25").replaceAll(" ", "%20")}`;
    const ledger = sqliteLedger(url);
    await ledger.claim(claim);
    const [relative, localhost] = [
      url.replace("file://", "file:"),
      url.replace("//", "//localhost"),
    ];
    for (const same of [path, relative, localhost]) {
      const again = sqliteLedger(same, { create: false });
      expect(await again.find("b", "k")).toMatchObject(claim);
      await again.close();
    }
    await ledger.close();
    for (const parameters of ["?mode=memory", "?mode=ro", "#sends"]) {
      expect(() => sqliteLedger(url + parameters)).toThrow(
        new TypeError("a `file:` URL of sqliteLedger has no parameters: pass a path"),
      );
    }
  });

  test.each(["postgres", "postgress", "mysql", "HTTPS"])(
    "sqliteLedger refuses a URL with the scheme %s, and does not quote its password",
    (scheme) => {
      expect(() => sqliteLedger(`${scheme}://me:secret@db.example.com/sends`)).toThrow(
        new TypeError("sqliteLedger takes a path, not a URL; postgresLedger takes a pool"),
      );
    },
  );

  test("sqliteLedger with `create: false` refuses a missing file and a file without its table, and changes neither", async () => {
    const path = newPath();
    const reason = "there is no ledger in";
    expect(() => sqliteLedger(path, { create: false })).toThrow(`${reason} ${path}`);
    expect(existsSync(path)).toBe(false);
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE orders (id)");
    expect(() => sqliteLedger(path, { create: false })).toThrow(reason);
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "delete" });
    expect(database.prepare("SELECT name FROM sqlite_schema").all()).toHaveLength(1);
    database.close();
    await sqliteLedger(path, { create: true }).close();
    await sqliteLedger(path, { create: false }).close();
  });

  test("a `console.warn` that throws does not keep sqliteLedger from creating a ledger", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {
      throw new Error("no output");
    });
    await sqliteLedger(newPath()).close();
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test("sqliteLedger warns once that it has created a ledger, unless `create` is true", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const path = newPath();
    await sqliteLedger(path).close();
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining(`Created a new ledger in ${path}, table`)],
    ]);
    await sqliteLedger(path).close();
    await sqliteLedger(newPath(), { create: true }).close();
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test("sqliteLedger refuses a file with a second name, because processes that use it would not read the same log", async () => {
    const [path, second] = [newPath(), newPath()];
    await sqliteLedger(path).close();
    linkSync(path, second);
    for (const name of [path, second]) {
      expect(() => sqliteLedger(name)).toThrow(`${name} has a second name (a hard link)`);
    }
    rmSync(second);
    await sqliteLedger(path).close();
  });

  test("sqliteLedger opens its file at once, and its error names a path that cannot be opened", () => {
    const path = newPath();
    sqliteLedger(path);
    expect(existsSync(path)).toBe(true);
    expect(() => sqliteLedger(folder)).toThrow(`cannot open ${folder}: ${folder} is not a file`);
    const missing = join(folder, "missing/sends.db");
    expect(() => sqliteLedger(missing)).toThrow(
      new Error(
        `sqliteLedger cannot open ${missing}: ENOENT: no such file or directory, access '${join(folder, "missing")}'`,
      ),
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
