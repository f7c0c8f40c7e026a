// Three processes with the same 300 guests over one ledger: none raises a false alarm, and none hides a kill.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ledger } from "../../../src/bulk/ledger.ts";
import { postgresLedger } from "../../../src/bulk/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/sqlite-ledger.ts";
import { createFakeService } from "../../../src/testing/index.ts";
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
  /** Starts the processes together, with responses that take 5 to 25 ms. */
  const startFleet = async (batch: string, limits: FleetTask["limits"]) => {
    const store: Store = storeOf();
    const service = createFakeService();
    let requests = 0;
    service.subscribe(({ type }) => {
      if (type !== "request") return;
      requests += 1;
      service.failNext({ fault: "slow", delayMs: 5 + ((requests * 7) % 20) });
    });
    const listener = await listen(service);
    const phones = phonesOf(GUESTS);
    const { transactionalBaseUrl: baseUrl } = listener;
    const task = { store, baseUrl, apiKey: service.account.apiKey, batch, phones, limits };
    const machines = Array.from({ length: PROCESSES }, () => new Machine(task));
    for (const machine of machines) await machine.ready();
    for (const machine of machines) machine.go();
    const ledger: Ledger = "sqlite" in store ? sqliteLedger(store.sqlite) : postgresLedger(pool);
    return { service, listener, machines, ledger };
  };

  test(
    `three processes over ${name} text each guest once, and none reports doubt`,
    async () => {
      const { service, listener, machines, ledger } = await startFleet("calm", {});
      const ends = await Promise.all(machines.map((machine) => machine.end()));
      for (const { summary, code } of ends) {
        expect([summary.inDoubt, summary.done, summary.stopped, code]).toEqual([
          ...[0, GUESTS, undefined, 0],
        ]);
      }
      const accepted = ends.map(({ summary }) => summary.accepted);
      expect(accepted.reduce((sum, each) => sum + each)).toBe(GUESTS);
      // Each of them took part.
      expect(Math.min(...accepted)).toBeGreaterThan(0);
      expect(new Set(service.outbox.map(({ to }) => to)).size).toBe(GUESTS);
      expect(service.outbox).toHaveLength(GUESTS);
      expect(await ledger.counts("calm")).toMatchObject({ accepted: GUESTS, sending: 0 });
      await ledger.close();
      await listener.close();
    },
    TIMEOUT_MS,
  );

  test(
    `two processes over ${name} end with the number of people whom a killed third one leaves in doubt`,
    async () => {
      const limits = { timeout: 1_500, ledgerTimeout: 1_500 };
      const { service, listener, machines, ledger } = await startFleet("alarm", limits);
      await expect.poll(() => service.requests.length, { interval: 1 }).toBeGreaterThan(30);
      const [killed, ...others] = machines as [Machine, ...Machine[]];
      // The process dies in the middle of its requests, whose responses do not arrive.
      killed.kill();
      const ends = await Promise.all(others.map((machine) => machine.end()));
      const { sending, accepted, ...rest } = await ledger.counts("alarm");
      expect(sending).toBeGreaterThan(0);
      expect(sending).toBeLessThanOrEqual(CONCURRENCY);
      expect([accepted, rest]).toEqual([GUESTS - sending, { open: 0, rejected: 0, unknown: 0 }]);
      for (const { summary, code } of ends) {
        expect([summary.inDoubt, summary.done, code]).toEqual([sending, GUESTS, 1]);
        expect(summary.stopped).toBeUndefined();
      }
      expect(new Set(service.outbox.map(({ to }) => to)).size).toBe(service.outbox.length);
      await ledger.close();
      await listener.close();
    },
    TIMEOUT_MS,
  );
});
