// How each runtime runs the suite.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright";
import type { Results, Settings } from "./suite/index.ts";

/** The folder of the runtimes that the tests bring along. */
export const FIXTURE = new URL("../fixtures/runtimes", import.meta.url).pathname;
const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

const run = promisify(execFile);

/** One way to run the suite. */
export interface Runtime {
  readonly name: string;
  /** The program that must be there. */
  readonly command: string;
  readonly run: (settings: Settings, application: string) => Promise<Results>;
}

const brought = (path: string) => join(FIXTURE, "node_modules", path);

/** A runtime that runs the suite as a program. */
const program = (
  name: string,
  command: string,
  file: string,
  args: readonly string[] = [],
): Runtime => ({
  name,
  command,
  run: async (settings, cwd) => {
    const { stdout } = await run(command, [...args, file, JSON.stringify(settings)], { cwd });
    return JSON.parse(stdout);
  },
});

const node = (name: string, command: string): Runtime[] => [
  program(`${name}, import`, command, "suite.mjs"),
  program(`${name}, require`, command, "suite.cjs"),
];

/** A worker of Cloudflare's open-source runtime, as it behaves at a date. */
const worker = (compatibilityDate: string): Runtime => ({
  name: `workerd as of ${compatibilityDate}`,
  command: brought(".bin/workerd"),
  run: async (settings, application) => {
    const config = join(application, `workerd-${compatibilityDate}.capnp`);
    writeFileSync(
      config,
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "suite", worker = (
      modules = [(name = "suite", esModule = embed "suite-worker.mjs")],
      compatibilityDate = "${compatibilityDate}",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "suite")],
);
`,
    );
    const child = spawn(brought(".bin/workerd"), ["serve", config, "--control-fd=3"], {
      cwd: application,
      stdio: ["ignore", "inherit", "inherit", "pipe"],
    });
    try {
      // {"event":"listen","socket":"http","port":40961}
      const [line] = await once(child.stdio[3] as NodeJS.ReadableStream, "data");
      const { port } = JSON.parse(String(line));
      const body = JSON.stringify(settings);
      return await (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body })).json();
    } finally {
      child.kill("SIGKILL");
    }
  },
});

/** A page, on another origin than the service. */
const page: Runtime = {
  name: "Chromium",
  command: CHROMIUM,
  run: async (settings, application) => {
    const server = createServer(({ url }, response) => {
      const isScript = url === "/suite-page.mjs";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(
        isScript
          ? readFileSync(join(application, "suite-page.mjs"))
          : `<!doctype html><title>Suite</title><script type="module" src="/suite-page.mjs"></script>`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
    const browser = await chromium.launch({ executablePath: CHROMIUM, args });
    try {
      const tab = await browser.newPage();
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      return await tab.evaluate(
        (given) => (globalThis as unknown as { runSuite(s: Settings): Results }).runSuite(given),
        settings,
      );
    } finally {
      await browser.close();
      server.close();
    }
  },
};

export const runtimes: readonly Runtime[] = [
  ...node("Node 22", brought("node22/bin/node")),
  ...node("Node 24", process.execPath),
  ...node("Node 26", brought("node26/bin/node")),
  program("Bun", brought(".bin/bun"), "suite.mjs", ["run"]),
  program("Deno", brought(".bin/deno"), "suite.mjs", [
    "run",
    "--no-prompt",
    "--no-lock",
    "--allow-net=127.0.0.1",
  ]),
  worker("2026-10-01"),
  // Before `FinalizationRegistry`, and before `cache` could be given to `fetch`.
  worker("2024-09-01"),
  page,
];

export const isThere = ({ command }: Runtime): boolean => existsSync(command);
