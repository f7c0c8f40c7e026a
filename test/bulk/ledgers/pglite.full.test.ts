import { ledgerChecks } from "messaging-service-client/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { postgresLedger, type Queryable } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { DECISIVE_CHECKS } from "../../support/decisive-checks.ts";
import { requireFixture } from "../../support/fixture.ts";

const TIMEOUT_MS = 120_000;

let database: {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
  close(): Promise<void>;
};
let ledger: Ledger;
/** For each check: the statements that it ran, which of their values were null, and whether they returned rows. */
const ran: Set<string>[] = [];
const recording: Queryable = {
  async query(text, values) {
    const result = await database.query(text, values);
    const nulls = values.map((value) => value === null);
    ran.at(-1)?.add(JSON.stringify([text, nulls, result.rows.length > 0]));
    return result;
  },
};
beforeAll(async () => {
  const { PGlite } = requireFixture("second-ring", "@electric-sql/pglite");
  database = await PGlite.create();
  ledger = postgresLedger(recording);
  // Creates the table.
  await ledger.counts("batch");
}, TIMEOUT_MS);
afterAll(() => database.close());

const checks = ledgerChecks(async () => {
  await database.query("DELETE FROM messaging_sends", []);
  return ledger;
});
test.each(checks)(
  "a ledger in PGlite passes the check: $name",
  ({ run }) => {
    ran.push(new Set());
    return run();
  },
  TIMEOUT_MS,
);

test("the decisive ledger checks run every statement that all of them run", () => {
  expect(ran).toHaveLength(checks.length);
  const statementsOf = (some: typeof ran) => [...new Set(some.flatMap((each) => [...each]))].sort();
  expect(statementsOf(ran.slice(-DECISIVE_CHECKS))).toEqual(statementsOf(ran));
});
