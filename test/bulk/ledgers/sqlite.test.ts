import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { ledgerChecks } from "messaging-service-client/testing";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { recordedLedger } from "../../support/recorded-sqlite.ts";
import { claim } from "./claim.ts";

const CHILD = new URL("../../support/programs/claim-child.ts", import.meta.url).pathname;
const PROCESSES = 4;
const KEYS = 150;

// Syncing to a memory file system takes no time.
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

describe("sqliteLedger", () => {
  test("sqliteLedger finds the entries that an earlier ledger left in the file", async () => {
    const path = newPath();
    const first = sqliteLedger(path);
    await first.claim(claim);
    await first.close();
    const second = sqliteLedger(path);
    expect(await second.find("b", "k")).toMatchObject({ ...claim, state: "sending" });
    await second.close();
  });

  test("a ledger flushes each commit of its log to the disk, except commits that forget entries", async () => {
    const settings: string[] = [];
    const ledger = recordedLedger(newPath(), (kind, sql) => {
      if (kind === "exec" && sql.includes("PRAGMA")) settings.push(sql);
    });
    expect(settings.splice(0)).toEqual([
      "PRAGMA busy_timeout = 0",
      ...["journal_mode = WAL", "synchronous = FULL", "fullfsync = ON"].map(
        (set) => `PRAGMA ${set}`,
      ),
    ]);
    for (let index = 0; index < 60; index += 1) {
      await ledger.claim({ ...claim, key: `${index}`, ref: `${index}` });
      await ledger.settle({ ...claim, key: `${index}`, ref: `${index}` }, { state: "accepted" });
    }
    await ledger.resolve("b", "1", "open");
    await ledger.confirm("2");
    expect(settings).toEqual([]);
    expect(await ledger.forget({ batch: "b" })).toBe(60);
    expect(settings).toEqual([
      "PRAGMA wal_autocheckpoint = 200; PRAGMA synchronous = NORMAL",
      "PRAGMA wal_autocheckpoint = 1000; PRAGMA synchronous = FULL",
    ]);
    await ledger.close();
  });

  test("sqliteLedger.close() closes the file, and later steps report it; a ref that is not a string belongs to no entry", async () => {
    const ledger = sqliteLedger(newPath());
    await ledger.claim(claim);
    for (const ref of [undefined, ["r", "r"]])
      expect(await ledger.confirm(ref as never)).toBeUndefined();
    await ledger.close();
    await ledger.close();
    await expect(ledger.find("b", "k")).rejects.toThrow("this ledger was closed");
    await expect(ledger.claim(claim)).rejects.toThrow("this ledger was closed");
  });

  test.each([undefined, null, 7, {}, new DatabaseSync(":memory:"), new URL("file:///sends.db")])(
    "sqliteLedger refuses %s with an error that says to pass a path",
    (given) => {
      expect(() => sqliteLedger(given as never)).toThrow(
        new TypeError(
          "sqliteLedger takes the path of a file: pass the path of your database instead of its open handle",
        ),
      );
    },
  );

  test("sqliteLedger refuses options that are not an object", () => {
    const refused = new TypeError("option `options` must be an object");
    expect(() => sqliteLedger(newPath(), null as never)).toThrow(refused);
  });

  test("sqliteLedger creates an index for webhooks, one for time, and one for entries in doubt", async () => {
    const path = newPath();
    const ledger = sqliteLedger(path, { table: "sends" });
    const database = new DatabaseSync(path);
    const indexes = database.prepare("SELECT sql FROM sqlite_master WHERE type = 'index'").all();
    expect(indexes.map(({ sql }) => sql)).toEqual([
      'CREATE INDEX "sends_ref" ON "sends" (ref)',
      'CREATE INDEX "sends_by_time" ON "sends" (batch, at, key)',
      expect.stringMatching(/^CREATE INDEX "sends_in_doubt" ON "sends" \(at, batch, key\) WHERE /),
    ]);
    database.close();
    await ledger.close();
  });

  test("sqliteLedger in a runtime without SQLite names the versions that it needs", () => {
    vi.stubGlobal("process", { ...process, getBuiltinModule: () => undefined });
    expect(() => sqliteLedger("sends.db")).toThrow(
      new TypeError(
        `this runtime (version ${process.version}) has no built-in SQLite: sqliteLedger needs Node 22.13, 23.4 or newer without --no-experimental-sqlite, Bun, or Deno`,
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
