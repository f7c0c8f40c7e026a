import { ledgerChecks } from "messaging-service-client/testing";
import { afterAll, beforeAll, test } from "vitest";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { postgresLedger, type Queryable } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { requireFixture } from "../../support/fixture.ts";

const TIMEOUT_MS = 120_000;

let database: Queryable & { close(): Promise<void> };
let ledger: Ledger;
beforeAll(async () => {
  const { PGlite } = requireFixture("second-ring", "@electric-sql/pglite");
  database = await PGlite.create();
  ledger = postgresLedger(database);
  // Creates the table.
  await ledger.counts("batch");
}, TIMEOUT_MS);
afterAll(() => database.close());

const checks = ledgerChecks(async () => {
  await database.query("DELETE FROM messaging_sends", []);
  return ledger;
});
test.each(checks)("a ledger in PGlite passes the check: $name", ({ run }) => run(), TIMEOUT_MS);
