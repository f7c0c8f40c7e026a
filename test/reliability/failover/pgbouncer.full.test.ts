// A ledger behind pgbouncer in transaction mode, where each statement may run on a different connection.
import { expect, test, vi } from "vitest";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { startBatch } from "../../support/failover/batch.ts";
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from "../../support/servers/pgbouncer.ts";
import {
  createPool,
  type PostgresServer,
  startPostgres,
} from "../../support/servers/postgres-server.ts";

// Servers start and stop slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

if (!hasPgbouncer) console.warn("SKIPPED: ledgers behind pgbouncer, which is not installed");

const MESSAGES = 200;

interface Event {
  readonly event: string;
  /** Whether the event always stops a run. pgbouncer lets a client wait if it has not forwarded the client's statement yet. */
  readonly stops?: boolean;
  /** Server that is killed and restarted during the runs. */
  readonly victim?: (servers: {
    pgbouncer: Pgbouncer;
    postgres: PostgresServer;
  }) => Pick<Pgbouncer, "kill" | "start">;
}

const EVENTS: readonly Event[] = [
  { event: "nothing happens" },
  {
    event: "pgbouncer is killed and started again",
    stops: true,
    victim: ({ pgbouncer }) => pgbouncer,
  },
  {
    event: "the server behind it is killed and started again",
    victim: ({ postgres }) => postgres,
  },
];

test.skipIf(!hasPgbouncer).each(EVENTS)(
  "with pgbouncer in transaction mode and two runs of a batch on two connections, no key is sent twice when $event",
  async ({ victim, stops = false }) => {
    await using postgres = await startPostgres();
    await using pgbouncer = await startPgbouncer(postgres.port, 2);
    const pool = createPool(pgbouncer.port, 8);
    const ledger = postgresLedger(pool);
    // If one run stops, the other waits this long for the requests that it left on the wire.
    const limits = { timeout: 2_000, ledgerTimeout: 3_000 };
    await using batch = await startBatch({ ledger, messages: MESSAGES, ...limits });
    // Keeps the runs from finishing before the kill.
    if (victim) batch.holdAfter(150);
    const runs = [batch.run(), batch.run()];
    await batch.hasResults(60);
    const server = victim?.({ pgbouncer, postgres });
    await server?.kill();
    batch.release();
    if (stops) await Promise.race(runs);
    await server?.start();
    const ended = await Promise.all(runs);
    if (stops) expect(ended.map(({ stopped }) => stopped)).toContain("ledger");

    // pgbouncer refuses clients for one second, because its server did not respond.
    const last = await batch.runToTheEnd();
    expect(await batch.violations(last)).toEqual([]);
    expect(last.inDoubt).toBeLessThanOrEqual(victim ? 8 : 0);
    await pool.end();
  },
);

test.skipIf(!hasPgbouncer)(
  "with pgbouncer in transaction mode, a search_path that another client left on the connection is refused, but a named schema is not",
  async () => {
    await using postgres = await startPostgres();
    await using pgbouncer = await startPgbouncer(postgres.port, 1);
    const stranger = createPool(pgbouncer.port, 1);
    await stranger.query("CREATE SCHEMA elsewhere");
    await stranger.query("SET search_path = elsewhere");
    const pool = createPool(pgbouncer.port);
    await expect(postgresLedger(pool).counts("batch")).rejects.toThrow(
      /search_path of this connection was changed/,
    );
    const ledger = postgresLedger(pool, { table: "public.messaging_sends" });
    await using batch = await startBatch({ ledger, messages: 10 });
    const summary = await batch.run();
    expect(await batch.violations(summary)).toEqual([]);
    await Promise.all([pool.end(), stranger.end()]);
  },
);
