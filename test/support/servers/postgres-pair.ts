// A real Postgres and its standby by streaming replication. The packages have no `pg_basebackup`, so the standby starts as a
// copy of the cluster from before its first start, and receives everything since then.
import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newMemoryFolder } from "../memory-folder.ts";
import { startLateProxy } from "./late-proxy.ts";
import { createPool, identity, initPostgres, startPostgres } from "./postgres-server.ts";

/** Whether a commit reaches the standby before it is confirmed, or some time later. */
export type Replication = "synchronous" | "asynchronous";

/** Copies a cluster that was never started, and makes the copy a standby. */
const copyAsStandby = (data: string): string => {
  const copy = newMemoryFolder("postgres-standby-");
  // Keeps the owner of the files.
  execFileSync("cp", ["-a", `${data}/.`, copy]);
  const signal = join(copy, "standby.signal");
  writeFileSync(signal, "");
  const { uid, gid } = { uid: -1, gid: -1, ...identity };
  chownSync(signal, uid, gid);
  return copy;
};

export const startPostgresPair = async (replication: Replication) => {
  const isSynchronous = replication === "synchronous";
  const data = newMemoryFolder("postgres-primary-");
  initPostgres(data);
  const copy = copyAsStandby(data);
  // In the file, because a setting on the command line could not be changed while the server runs.
  if (isSynchronous) {
    appendFileSync(join(data, "postgresql.conf"), "synchronous_standby_names = '*'\n");
  }
  const primary = await startPostgres({ data });
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
  const standby = await startPostgres({ data: copy, settings: { primary_conninfo: source } });
  /** Pools that do not follow the failover. */
  const toPrimary = createPool(primary.port);
  const toStandby = createPool(standby.port);
  let target = primary.port;
  const proxy = await startLateProxy(
    () => target,
    () => undefined,
  );

  /** Returns the process that sends the log to the standby, and whether the standby has applied everything. */
  const sender = async () => {
    const { rows } = await toPrimary.query(`
      SELECT pid, state, sync_state, replay_lsn = pg_current_wal_lsn() AS is_current
      FROM pg_stat_replication`);
    return rows[0];
  };
  const isReady = async () => {
    const found = await sender();
    return found?.state === "streaming" && (!isSynchronous || found.sync_state === "sync");
  };
  while (!(await isReady())) await sleep(20);

  return {
    /** Port of a proxy to the primary, and to the standby once it is promoted. */
    port: proxy.port,
    toPrimary,
    toStandby,
    /** Resolves when the standby has everything that was committed so far. */
    async catchUp(): Promise<void> {
      while (!(await sender())?.is_current) await sleep(1);
    },
    /** Stops the stream like a network that is stuck. Later commits do not reach the standby. */
    async cutStream(): Promise<void> {
      process.kill(Number((await sender())?.pid), "SIGSTOP");
    },
    /** Kills the primary with SIGKILL. */
    killPrimary: () => primary.kill(),
    /** Makes the standby the primary. New connections then reach it. */
    async promote(): Promise<void> {
      await toStandby.query("SELECT pg_promote()");
      target = standby.port;
    },
    [Symbol.asyncDispose]: async () => {
      // The servers end first, because a pool waits for its statements, which may wait for a standby forever.
      for (const server of [proxy, standby, primary]) await server[Symbol.asyncDispose]();
      await Promise.all([toPrimary.end(), toStandby.end()]);
    },
  };
};
