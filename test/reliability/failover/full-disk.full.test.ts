// A ledger whose disk is full and later has space again.
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { startBatch, statesIn } from "../../support/failover/batch.ts";
import { createPool, startPostgres } from "../../support/servers/postgres-server.ts";
import { createSmallDisk, hasSmallDisks, type SmallDisk } from "../../support/small-disk.ts";

// Servers start and stop slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

if (!hasSmallDisks) {
  console.warn("SKIPPED: ledgers on a full disk, which take the right to mount file systems");
}

/** A ledger that stores part of its data on a small disk. */
interface Placed extends AsyncDisposable {
  readonly ledger: Ledger;
}

interface Place {
  readonly name: string;
  readonly kilobytes: number;
  readonly open: (disk: SmallDisk) => Promise<Placed>;
}

const PLACES: readonly Place[] = [
  {
    name: "file of SQLite",
    kilobytes: 2_048,
    open: async ({ folder }) => {
      const ledger = sqliteLedger(join(folder, "sends.db"));
      return { ledger, [Symbol.asyncDispose]: async () => ledger.close() };
    },
  },
  {
    name: "table of Postgres",
    kilobytes: 256,
    open: async ({ folder }) => {
      const postgres = await startPostgres({ settings: { default_tablespace: "small" } });
      const pool = createPool(postgres.port);
      await pool.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
      return {
        ledger: postgresLedger(pool),
        [Symbol.asyncDispose]: async () => {
          await pool.end();
          await postgres[Symbol.asyncDispose]();
        },
      };
    },
  },
];

test.skipIf(!hasSmallDisks).each(PLACES)(
  "on a full disk ($name), claims are refused, the run stops, and a later run continues when there is room",
  async ({ kilobytes, open }) => {
    using disk = createSmallDisk(kilobytes) as SmallDisk;
    await using placed = await open(disk);
    const { ledger } = placed;
    await using batch = await startBatch({ ledger, messages: 500 });
    expect(await batch.run()).toMatchObject({ stopped: "ledger" });
    // The disk may have space left for a few more records.
    expect(await batch.run()).toMatchObject({ stopped: "ledger" });
    const sent = [...batch.acceptances()].flatMap(([key, times]) => (times > 0 ? [key] : []));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(500);
    disk.grow();
    // Every message that was sent has a record.
    const states = await statesIn(ledger);
    expect(sent.filter((key) => !["accepted", "sending"].includes(`${states.get(key)}`))).toEqual(
      [],
    );

    const last = await batch.runToTheEnd();
    expect(await batch.violations(last)).toEqual([]);
    expect(last.inDoubt).toBeLessThanOrEqual(8);
  },
);
