// A real pgbouncer in transaction mode, in front of a Postgres.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { newPort } from "./new-port.ts";
import { identity } from "./postgres-server.ts";

export const hasPgbouncer = spawnSync("pgbouncer", ["--version"]).status === 0;

export interface Pgbouncer extends AsyncDisposable {
  readonly port: number;
  start(): Promise<void>;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Starts a pgbouncer on loopback.
 *
 * @param target Port of the Postgres.
 * @param connections Number of connections to the Postgres, which all clients share.
 */
export const startPgbouncer = async (target: number, connections: number): Promise<Pgbouncer> => {
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  const { uid, gid } = { uid: -1, gid: -1, ...identity };
  chownSync(folder, uid, gid);
  const port = await newPort();
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(
    settings,
    `[databases]
postgres = host=127.0.0.1 port=${target} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
server_login_retry = 1
`,
  );
  let pooler: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (!pooler || pooler.exitCode !== null || pooler.signalCode !== null) return;
    const exit = once(pooler, "exit");
    pooler.kill("SIGKILL");
    await exit;
  };
  const start = async (): Promise<void> => {
    pooler = spawn("pgbouncer", [settings], {
      ...identity,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines = createInterface({ input: pooler.stderr as NodeJS.ReadableStream });
    const said: string[] = [];
    for await (const line of lines) {
      said.push(line);
      if (line.includes("process up")) {
        pooler.stderr?.resume();
        return;
      }
    }
    throw new Error(`pgbouncer does not start: ${said.join("\n")}`);
  };
  await start();
  return {
    port,
    start,
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
};
