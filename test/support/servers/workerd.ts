// workerd, Cloudflare's open-source runtime. The fixture of the runtimes installs it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const FIXTURE = new URL("../../fixtures/runtimes", import.meta.url).pathname;

/** Path of the executable. */
export const WORKERD = join(FIXTURE, "node_modules/.bin/workerd");

/** Running worker. */
export interface Workerd {
  readonly url: string;
  readonly pid: number;
  /** Returns everything that the runtime has logged. */
  log(): string;
  close(): void;
}

/** Returns the port from the line that workerd prints when it listens: {"event":"listen","socket":"http","port":40961} */
const portOf = async (child: ChildProcess): Promise<number> => {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`workerd ended with ${code}`);
  });
  const [line] = await Promise.race([once(child.stdio[3] as NodeJS.ReadableStream, "data"), ended]);
  return JSON.parse(String(line)).port;
};

/** Starts a bundled worker on loopback. All of its requests share one isolate. */
export const startWorkerd = async (
  program: string,
  compatibilityDate: string,
  v8Flags: readonly string[] = [],
): Promise<Workerd> => {
  const config = `${program}-${compatibilityDate}.capnp`;
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ${JSON.stringify(v8Flags)},
  services = [
    (name = "program", worker = (
      modules = [(name = "program", esModule = embed "${basename(program)}")],
      compatibilityDate = "${compatibilityDate}",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "program")],
);
`,
  );
  const child = spawn(WORKERD, ["serve", config, "--control-fd=3"], {
    cwd: dirname(program),
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let log = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.on("data", (bytes) => {
      log += bytes;
    });
  }
  return {
    url: `http://127.0.0.1:${await portOf(child)}/`,
    pid: child.pid ?? 0,
    log: () => log,
    close: () => void child.kill("SIGKILL"),
  };
};
