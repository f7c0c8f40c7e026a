// A network between a run and its database that is cut and comes back.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { startNetworkWorker } from "../../support/failover/network-worker.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { createNamespaces, hasNamespaces } from "../../support/servers/namespaces.ts";
import { initPostgres, pgPath, startPostgres } from "../../support/servers/postgres-server.ts";

// Servers start and stop slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

if (!hasNamespaces) {
  console.warn(
    "SKIPPED: networks that are cut, which take iproute2 and the right to make namespaces",
  );
}

/** Starts a database and a batch of 300 messages in namespaces of their own. */
const start = async (ledgerTimeout: number) => {
  const network = createNamespaces();
  const data = newMemoryFolder("postgres-");
  initPostgres(data);
  appendFileSync(join(data, "pg_hba.conf"), `host all all ${network.addressOfRun}/32 trust\n`);
  const postgres = await startPostgres({
    data,
    host: network.address,
    runner: network.ofDatabase,
  });
  const worker = await startNetworkWorker(network.ofRun, {
    pgPath: pgPath(),
    pool: {
      host: network.address,
      port: postgres.port,
      // A shorter one would turn a short cut into a failure of the ledger.
      connectionTimeoutMillis: ledgerTimeout,
    },
    ...{ messages: 300, ledgerTimeout },
  });
  return {
    network,
    worker,
    [Symbol.asyncDispose]: async () => {
      worker[Symbol.dispose]();
      await postgres[Symbol.asyncDispose]();
      network[Symbol.dispose]();
    },
  };
};

test.skipIf(!hasNamespaces)(
  "a network that is cut for less than ledgerTimeout delays a run, and leaves no doubt",
  async () => {
    await using started = await start(20_000);
    const { network, worker } = started;
    worker.startRun();
    await worker.hasResults(50);
    network.cut();
    worker.release();
    await sleep(700);
    network.mend();
    expect(await worker.runEnded()).toMatchObject({ stopped: null, accepted: 300, inDoubt: 0 });
    expect(await worker.end()).toMatchObject({ violations: [], inDoubt: 0, accepted: 300 });
  },
);

test.skipIf(!hasNamespaces).each(["both ways", "on the way back"] as const)(
  "a network that is cut %s for longer than ledgerTimeout stops a run, and nobody is texted without a record",
  async (direction) => {
    await using started = await start(1_000);
    const { network, worker } = started;
    const [cut, mend] =
      direction === "both ways"
        ? [network.cut, network.mend]
        : [network.loseResponses, network.returnResponses];
    worker.startRun();
    await worker.hasResults(50);
    cut();
    worker.release();
    expect(await worker.runEnded()).toMatchObject({ stopped: "ledger" });
    // A further run has no database either.
    worker.startRun();
    expect(await worker.runEnded()).toMatchObject({ stopped: "ledger", accepted: 0 });
    mend();
    const last = await worker.end();
    expect(last.violations).toEqual([]);
    expect(last.inDoubt).toBeLessThanOrEqual(8);
  },
);
