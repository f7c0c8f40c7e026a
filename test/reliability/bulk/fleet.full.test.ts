// Three processes with the same 300 guests over one ledger: none raises a false alarm, and none hides a kill.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { createFakeService, type FakeService } from "../../../src/testing/index.ts";
import { listen } from "../../../src/testing/node/listen.ts";
import { bundleProgram } from "../../support/bundle.ts";
import { phonesOf } from "../../support/kills/kill-batch.ts";
import type { Store } from "../../support/kills/kill-task.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import type { FleetSummary, FleetTask } from "../../support/programs/fleet-child.ts";
import {
  createPool,
  type Pool,
  type PostgresServer,
  pgPath,
  startPostgres,
} from "../../support/servers/postgres-server.ts";

const PROCESSES = 3;
const GUESTS = 300;
const CONCURRENCY = 4;
const TIMEOUT_MS = 180_000;
const PROGRAM = new URL("../../support/programs/fleet-child.ts", import.meta.url).pathname;

const folder = newMemoryFolder("fleet-");
let program: string;
let server: PostgresServer;
let pool: Pool;
beforeAll(async () => {
  program = await bundleProgram(PROGRAM, folder);
  server = await startPostgres();
  pool = createPool(server.port);
}, TIMEOUT_MS);
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** One process of the fleet. */
class Machine {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #exit: Promise<unknown[]>;

  constructor(task: FleetTask) {
    this.#child = spawn(process.execPath, [program, JSON.stringify(task)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#exit = once(this.#child, "exit");
    const input = this.#child.stdout as NodeJS.ReadableStream;
    this.#lines = createInterface({ input })[Symbol.asyncIterator]();
  }

  async ready(): Promise<void> {
    expect((await this.#lines.next()).value).toBe("ready");
  }

  go(): void {
    this.#child.stdin?.write("go\n");
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Resolves to the summary of the process and its exit code. */
  async end(): Promise<{ summary: FleetSummary; code: unknown }> {
    const { value } = await this.#lines.next();
    const [code] = await this.#exit;
    return { summary: JSON.parse(value), code };
  }
}

describe.each([
  ["a SQLite file", () => ({ sqlite: join(folder, "sends.db") })],
  [
    "Postgres",
    () => ({ postgres: { port: server.port, pgPath: pgPath(), table: "messaging_sends" } }),
  ],
] as const satisfies [string, () => Store][])("three processes over %s", (name, storeOf) => {
  const ledgerOf = (store: Store): Ledger =>
    "sqlite" in store ? sqliteLedger(store.sqlite) : postgresLedger(pool);

  /** Starts a service whose responses take 5 to 25 ms. */
  const startService = async () => {
    const service = createFakeService();
    let requests = 0;
    service.subscribe(({ type }) => {
      if (type !== "request") return;
      requests += 1;
      service.failNext({ fault: "slow", delayMs: 5 + ((requests * 7) % 20) });
    });
    return { service, ...toTarget(service, await listen(service)) };
  };
  const toTarget = (service: FakeService, listener: Awaited<ReturnType<typeof listen>>) => ({
    listener,
    target: { baseUrl: listener.transactionalBaseUrl, apiKey: service.account.apiKey },
  });

  /** Starts processes together. */
  const startMachines = async (task: FleetTask, count: number) => {
    const machines = Array.from({ length: count }, () => new Machine(task));
    for (const machine of machines) await machine.ready();
    for (const machine of machines) machine.go();
    return machines;
  };

  test(
    `three processes over ${name} text each guest once, and none reports doubt`,
    async () => {
      const { service, listener, target } = await startService();
      const store = storeOf();
      const task = { ...target, store, batch: "calm", phones: phonesOf(GUESTS), limits: {} };
      const machines = await startMachines(task, PROCESSES);
      const ends = await Promise.all(machines.map((machine) => machine.end()));
      for (const { summary, code } of ends) {
        expect([summary.inDoubt, summary.done, summary.stopped, code]).toEqual([
          ...[0, GUESTS, undefined, 0],
        ]);
      }
      const accepted = ends.map(({ summary }) => summary.accepted);
      expect(accepted.reduce((sum, each) => sum + each)).toBe(GUESTS);
      // Several of them took part. One that starts late on a busy machine may find nothing left to do.
      expect(accepted.filter((count) => count > 0).length).toBeGreaterThan(1);
      expect(new Set(service.outbox.map(({ to }) => to)).size).toBe(GUESTS);
      expect(service.outbox).toHaveLength(GUESTS);
      const ledger = ledgerOf(store);
      expect(await ledger.counts("calm")).toMatchObject({ accepted: GUESTS, sending: 0 });
      await ledger.close();
      await listener.close();
    },
    TIMEOUT_MS,
  );

  test(
    `two processes over ${name} end with the number of people whom a killed third one leaves in doubt`,
    async () => {
      const { service, listener, target } = await startService();
      const store = storeOf();
      const common = { store, batch: "alarm", phones: phonesOf(GUESTS) };
      // The first process has a service of its own, which carries its requests out and never responds.
      const silent = createFakeService();
      silent.failNext({ fault: "slow", delayMs: TIMEOUT_MS, times: CONCURRENCY });
      const { listener: silentListener, target: silentTarget } = toTarget(
        silent,
        await listen(silent),
      );
      const [killed] = await startMachines({ ...silentTarget, ...common, limits: {} }, 1);
      await expect.poll(() => silent.outbox.length, { interval: 1 }).toBe(CONCURRENCY);
      const limits = { timeout: 1_500, ledgerTimeout: 1_500 };
      const others = await startMachines({ ...target, ...common, limits }, PROCESSES - 1);
      await expect.poll(() => service.requests.length, { interval: 1 }).toBeGreaterThan(30);
      killed?.kill();
      const ends = await Promise.all(others.map((machine) => machine.end()));
      const ledger = ledgerOf(store);
      expect(await ledger.counts("alarm")).toEqual({
        ...{ sending: CONCURRENCY, accepted: GUESTS - CONCURRENCY },
        ...{ open: 0, rejected: 0, unknown: 0 },
      });
      for (const { summary, code } of ends) {
        expect([summary.inDoubt, summary.done, code]).toEqual([CONCURRENCY, GUESTS, 1]);
        expect(summary.stopped).toBeUndefined();
      }
      const texted = [...silent.outbox, ...service.outbox].map(({ to }) => to);
      expect([new Set(texted).size, texted.length]).toEqual([GUESTS, GUESTS]);
      await ledger.close();
      await listener.close();
      await silentListener.close();
    },
    TIMEOUT_MS,
  );
});
