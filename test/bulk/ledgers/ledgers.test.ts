import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ledgerChecks } from "messaging-service-client/testing";
import { afterAll, describe, test } from "vitest";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";

const folder = mkdtempSync(join(tmpdir(), "ledgers-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

describe("a ledger in memory", () => {
  test.each(ledgerChecks(memoryLedger))("$name", ({ run }) => run());
});

describe("a ledger in a SQLite file", () => {
  const checks = ledgerChecks(() => {
    files += 1;
    return sqliteLedger(join(folder, `${files}.db`));
  });
  test.each(checks)("$name", ({ run }) => run());
});

describe("a ledger in an open SQLite database", () => {
  const checks = ledgerChecks(() => sqliteLedger(new DatabaseSync(":memory:")));
  test.each(checks)("$name", ({ run }) => run());
});
