// A real Redis for one test, and its client, which is in a fixture folder.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { requireFixture } from "../fixture.ts";

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** The part of an ioredis client that the tests use. */
export interface RedisClient {
  on(event: "error", listener: () => void): void;
  disconnect(): void;
}

/** Creates a client that fails at once while there is no connection, and reconnects by itself. */
export const createClient = (
  port: number,
  { Redis } = requireFixture("first-ring", "ioredis"),
): RedisClient => {
  const client: RedisClient = new Redis(port, "127.0.0.1", {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 50,
  });
  client.on("error", () => {});
  return client;
};

const replies = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    const end = (replied: boolean) => {
      socket.destroy();
      resolve(replied);
    };
    socket.once("data", (data) => end(`${data}`.startsWith("+PONG")));
    socket.once("error", () => end(false));
  });

export interface RunningRedis extends AsyncDisposable {
  readonly port: number;
  /** Kills the server, as a crash does. */
  kill(): Promise<void>;
}

const end = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill("SIGKILL");
  await once(server, "exit");
};

/** Starts a Redis that writes nothing to disk. */
export const startRedis = async (port: number): Promise<RunningRedis> => {
  const where = ["--bind", "127.0.0.1", "--port", `${port}`];
  const server = spawn("redis-server", [...where, "--save", "", "--appendonly", "no"], {
    stdio: "ignore",
  });
  for (let tries = 0; !(await replies(port)); tries += 1) {
    if (tries === 200) throw new Error("redis-server does not reply");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const kill = () => end(server);
  return { port, kill, [Symbol.asyncDispose]: kill };
};
