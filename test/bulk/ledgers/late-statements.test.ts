// Statements of a Postgres ledger that reach the server after the pool has given up waiting for them.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { requireFixture } from "../../support/fixture.ts";
import { type LateProxy, startLateProxy } from "../../support/servers/late-proxy.ts";
import {
  createPool,
  type Pool,
  type PostgresServer,
  startPostgres,
} from "../../support/servers/postgres-server.ts";
import { claim } from "./claim.ts";

const TIMEOUT_MS = 120_000;

let server: PostgresServer;
let direct: Pool;
let proxy: LateProxy;
/** The pool behind the proxy; it waits one second for a response. */
let late: Pool;
/** Part of the packet that is held back, and the function that releases it. */
let held: string | undefined;
let release = () => {};

beforeAll(async () => {
  server = await startPostgres();
  direct = createPool(server.port);
  proxy = await startLateProxy(server.port, (packet) => {
    if (held === undefined || !packet.includes(held)) return undefined;
    held = undefined;
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  const pg = requireFixture("first-ring", "pg");
  late = new pg.Pool({
    ...{ host: "127.0.0.1", port: proxy.port, user: "postgres", database: "postgres" },
    ...{ max: 1, query_timeout: 1_000 },
  });
}, TIMEOUT_MS);
afterAll(async () => {
  await direct.end();
  await late.end();
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Creates ledgers over the same table, behind the proxy and directly. */
const createLedgers = async (table: string) => {
  const other = postgresLedger(direct, { table });
  await other.counts("b");
  return { ledger: postgresLedger(late, { table }), other };
};

/** Releases the held statement, and waits until Postgres has run it. */
const deliver = async (): Promise<void> => {
  release();
  const isDone = async () => {
    const { rows } = await direct.query(
      "SELECT FROM pg_stat_activity WHERE application_name = '' AND pid <> pg_backend_pid() AND state = 'active'",
    );
    return rows.length === 0;
  };
  do await sleep(100);
  while (!(await isDone()));
};

describe("a statement that runs after the pool has given up on it", () => {
  const second = { ...claim, id: "i2" };

  test.each(["open", "rejected", "unknown"] as const)(
    "a late settle as %s does not change the next attempt of the same item, which is on the wire",
    async (state) => {
      const { ledger, other } = await createLedgers(`late_${state}`);
      await ledger.claim(claim);
      held = state === "unknown" ? "INSERT" : "UPDATE";
      await expect(ledger.settle(claim, { state })).rejects.toThrow("timeout");
      expect(await other.claim(second)).toBeUndefined();
      await deliver();
      expect(await other.find("b", "k")).toMatchObject({ ...second, state: "sending" });
      const rival = { ...claim, id: "i3", ref: "r3", owner: "o3" };
      expect(await other.claim(rival)).toMatchObject({ ...second, state: "sending" });
      expect(await other.settle(second, { state: "accepted", transactionId: "t" })).toBe(true);
    },
    TIMEOUT_MS,
  );

  test(
    "a late settle of the latest claim takes effect, and repeating it confirms it",
    async () => {
      const { ledger } = await createLedgers("late_own");
      await ledger.claim(claim);
      held = "UPDATE";
      await expect(ledger.settle(claim, { state: "open" })).rejects.toThrow("timeout");
      await deliver();
      await expect.poll(() => ledger.find("b", "k")).toMatchObject({ ...claim, state: "open" });
      expect(await ledger.settle(claim, { state: "open" })).toBe(true);
    },
    TIMEOUT_MS,
  );

  test(
    "a late claim does not take a key that a different run has claimed since",
    async () => {
      const { ledger, other } = await createLedgers("late_claim");
      await ledger.find("b", "k");
      held = "INSERT";
      await expect(ledger.claim(claim)).rejects.toThrow("timeout");
      const rival = { ...claim, id: "i2", ref: "r2", owner: "o2" };
      expect(await other.claim(rival)).toBeUndefined();
      await deliver();
      expect(await other.find("b", "k")).toMatchObject({ ...rival, state: "sending" });
      expect(await other.settle(rival, { state: "accepted" })).toBe(true);
    },
    TIMEOUT_MS,
  );
});
