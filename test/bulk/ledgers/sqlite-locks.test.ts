// A SQLite ledger whose file is also used by a second connection, such as that of the application.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { claim } from "./claim.ts";

// Each commit waits for the disk, which may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** Time in milliseconds for which a lock is held. It is longer than a first attempt. */
const LOCKED_MS = 300;

const folder = mkdtempSync(join(tmpdir(), "ledger-locks-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.useRealTimers());

let files = 0;
const newPath = (): string => {
  files += 1;
  return join(folder, `${files}.db`);
};

/** Locks a file. A timer releases the lock, so a blocked event loop would keep the file locked. */
const lock = (path: string, statement: string): Promise<void> => {
  const other = new DatabaseSync(path, { timeout: 5_000 });
  other.exec(statement);
  return sleep(LOCKED_MS).then(() => {
    other.exec("COMMIT");
    other.close();
  });
};

test("claims and settles of a SQLite ledger wait for a lock without blocking the event loop", async () => {
  const path = newPath();
  const ledger = sqliteLedger(path);
  const unlocked = lock(path, "BEGIN IMMEDIATE");
  expect(await ledger.claim(claim)).toBeUndefined();
  await unlocked;
  const again = lock(path, "BEGIN IMMEDIATE");
  expect(await ledger.settle(claim, { state: "accepted" })).toBe(true);
  await again;
  await ledger.close();
});

test("the first use of a SQLite ledger waits for a lock without blocking the event loop", async () => {
  const path = newPath();
  const unlocked = lock(path, "BEGIN EXCLUSIVE");
  const ledger = sqliteLedger(path);
  expect(await ledger.claim(claim)).toBeUndefined();
  await unlocked;
  await ledger.close();
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
