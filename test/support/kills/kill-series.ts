// Batches under kills, one after another, until a number of kills is reached.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { bundleProgram } from "../bundle.ts";
import { newMemoryFolder } from "../memory-folder.ts";
import { startLateProxy } from "../servers/late-proxy.ts";
import { createPool, type PostgresServer, pgPath } from "../servers/postgres-server.ts";
import { type KillReport, killBatch, type Random } from "./kill-batch.ts";
import { type Condition, LATE_MS, type Store } from "./kill-task.ts";

const CHILD = new URL("kill-child.ts", import.meta.url).pathname;
const CONCURRENCY = 4;

/** Kills of one kind. */
export interface KillSeries {
  readonly seed: number;
  readonly kills: number;
  readonly processes: number;
  readonly messages: number;
  readonly condition?: Condition | undefined;
  /**
   * The Postgres server of the ledger. It also crashes, unless its statements are delayed. Default: a SQLite file.
   */
  readonly postgres?: PostgresServer | undefined;
}

/** Result of all batches of a series. */
export interface SeriesReport extends KillReport {
  readonly batches: number;
  /** Crashes of the ledger's server. */
  readonly crashes: number;
}

/** Returns a mulberry32 generator. */
export const randomFrom = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const sum = (
  reports: readonly KillReport[],
  field: "messages" | "kills" | "sent" | "sending" | "unknown",
) => reports.reduce((total, report) => total + report[field], 0);

export const runKillSeries = async (series: KillSeries): Promise<SeriesReport> => {
  const { seed, kills, processes, messages, postgres, condition } = series;
  const random = randomFrom(seed);
  const folder = newMemoryFolder("kill-series-");
  const program = await bundleProgram(CHILD, folder);
  const pool = postgres && createPool(postgres.port);
  let crashes = 0;
  const proxy =
    postgres && condition === "late ledger"
      ? await startLateProxy(postgres.port, (packet) =>
          // The last statements of a killed process may arrive while the next one sends.
          /INSERT|UPDATE/.test(packet) && random() < 0.04
            ? sleep(random() * 3 * LATE_MS)
            : undefined,
        )
      : undefined;
  const crashAndStart = async () => {
    await sleep(500 + random() * 1_500);
    await postgres?.crash();
    crashes += 1;
    await sleep(random() * 200);
    await postgres?.start();
  };
  const interrupt = postgres && !proxy ? crashAndStart : undefined;

  const reports: KillReport[] = [];
  while (sum(reports, "kills") < kills) {
    const table = `sends_${seed}_${reports.length}`;
    const file = join(folder, `${table}.db`);
    const ledger = pool ? postgresLedger(pool, { table }) : sqliteLedger(file, { create: true });
    const store: Store = postgres
      ? {
          postgres: {
            ...{ port: proxy?.port ?? postgres.port, pgPath: pgPath(), table },
            queryTimeoutMs: proxy && LATE_MS,
          },
        }
      : { sqlite: file };
    const report = await killBatch({
      ...{ store, ledger, program, random, messages, processes, interrupt, condition },
      concurrency: CONCURRENCY,
      kills: kills - sum(reports, "kills"),
      maxLifeMs: 150,
    });
    await ledger.close();
    reports.push(report);
  }
  await pool?.end();
  await proxy?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
  return {
    batches: reports.length,
    crashes,
    messages: sum(reports, "messages"),
    kills: sum(reports, "kills"),
    sent: sum(reports, "sent"),
    sending: sum(reports, "sending"),
    unknown: sum(reports, "unknown"),
    mostPerProcess: Math.max(...reports.map(({ mostPerProcess }) => mostPerProcess)),
    violations: reports.flatMap(({ violations }) => violations),
  };
};
