import { ledgerChecks } from "messaging-service-client/testing";
import { afterAll, beforeAll, test } from "vitest";
import { postgresLedger, type Queryable } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { requireFixture } from "../../support/fixture.ts";

const TIMEOUT_MS = 120_000;

let database: Queryable & { close(): Promise<void> };
beforeAll(async () => {
  const { PGlite } = requireFixture("second-ring", "@electric-sql/pglite");
  database = await PGlite.create();
}, TIMEOUT_MS);
afterAll(() => database.close());

let tables = 0;
const checks = ledgerChecks(() => {
  tables += 1;
  return postgresLedger(database, { table: `sends_${tables}` });
});
test.each(checks)("a ledger in PGlite passes the check: $name", ({ run }) => run(), TIMEOUT_MS);
