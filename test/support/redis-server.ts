// A real Redis of the test's own, and its client, which lives in a fixture folder.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { join } from "node:path";

const FIXTURE = new URL("../fixtures/redis", import.meta.url).pathname;

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** Installs the client, where it is not there yet. */
export const installClient = (): void => {
  if (existsSync(join(FIXTURE, "node_modules/ioredis"))) return;
  execFileSync("npm", ["ci", "--prefer-offline"], { cwd: FIXTURE, stdio: "pipe" });
};

/** What is used of ioredis. */
export interface RedisClient {
  on(event: "error", listener: () => void): void;
  disconnect(): void;
}

/** A client that fails at once while there is no connection, and connects again by itself. */
export const createClient = (port: number): RedisClient => {
  const { Redis } = createRequire(`${FIXTURE}/package.json`)("ioredis");
  const client: RedisClient = new Redis(port, "127.0.0.1", {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 50,
  });
  client.on("error", () => {});
  return client;
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once("data", (data) => end(`${data}`.startsWith("+PONG")));
    socket.once("error", () => end(false));
  });

export interface RunningRedis extends AsyncDisposable {
  readonly port: number;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

const end = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill("SIGKILL");
  await once(server, "exit");
};

/** Starts a Redis that keeps nothing on disk. */
export const startRedis = async (port: number): Promise<RunningRedis> => {
  const where = ["--bind", "127.0.0.1", "--port", `${port}`];
  const server = spawn("redis-server", [...where, "--save", "", "--appendonly", "no"], {
    stdio: "ignore",
  });
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries === 200) throw new Error("redis-server does not answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const kill = () => end(server);
  return { port, kill, [Symbol.asyncDispose]: kill };
};
