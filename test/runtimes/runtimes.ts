// The runtimes, and how each of them runs the suite.
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import getPort from "get-port";
import { CHROMIUM, launchChromium } from "../support/chromium.ts";
import { startWorkerd, WORKERD } from "../support/servers/workerd.ts";
import type { Report, Settings, Traits } from "./suite/index.ts";

/** Folder of the runtimes that the tests install. */
export const FIXTURE = new URL("../fixtures/runtimes", import.meta.url).pathname;

const run = promisify(execFile);
/** Timeout of a run in milliseconds, far longer than a run takes. It catches a program that a timer keeps alive. */
const LIMIT = 270_000;

/** Results of a run. */
export interface Results extends Report {
  /** Everything that the runtime logged. */
  readonly log: string;
}

/** Runtime that runs the suite. */
export interface Runtime {
  readonly name: string;
  /** Program that must be installed. */
  readonly command: string;
  /** Pattern of the runtime's user agent. */
  readonly userAgent: RegExp;
  readonly traits: Traits;
  /** Origin of the page that runs the suite, if the runtime is a browser. */
  readonly origin?: string;
  readonly run: (settings: Settings, application: string) => Promise<Results>;
}

/** Traits of most runtimes. */
const USUAL: Traits = {
  tellsRefusal: true,
  tellsRedirect: true,
  resends: false,
  hasFinalizationRegistry: true,
  ledgers: ["memory", "sqlite"],
};

const brought = (path: string) => join(FIXTURE, "node_modules", path);

/** Creates runtimes that run the suite as a program, once as ESM and once as CommonJS. */
const program = (
  name: string,
  command: string,
  userAgent: RegExp,
  { args = [], traits = {} }: { args?: readonly string[]; traits?: Partial<Traits> } = {},
): Runtime[] =>
  Object.entries({ import: "suite.mjs", require: "suite.cjs" }).map(([way, file]) => ({
    name: `${name}, ${way}`,
    command,
    userAgent,
    traits: { ...USUAL, ...traits },
    run: async (settings, cwd) => {
      const options = { cwd, timeout: LIMIT, killSignal: "SIGKILL" } as const;
      const argument = JSON.stringify(settings);
      const { stdout, stderr } = await run(command, [...args, file, argument], options);
      return { ...JSON.parse(stdout), log: stderr };
    },
  }));

/** Creates a worker of workerd, Cloudflare's open-source runtime, with a compatibility date. */
const worker = (compatibilityDate: string, hasFinalizationRegistry: boolean): Runtime => ({
  name: `workerd as of ${compatibilityDate}`,
  command: WORKERD,
  userAgent: /^Cloudflare-Workers$/,
  traits: {
    ...USUAL,
    tellsRefusal: false,
    hasFinalizationRegistry,
    ledgers: ["memory", "postgres"],
  },
  run: async (settings, application) => {
    const workerd = await startWorkerd(join(application, "suite-worker.mjs"), compatibilityDate);
    try {
      const body = JSON.stringify(settings);
      const signal = AbortSignal.timeout(LIMIT);
      const report = await (await fetch(workerd.url, { method: "POST", body, signal })).json();
      return { ...report, log: workerd.log() };
    } catch (error) {
      throw new Error(`workerd logged, at last: ${workerd.log().slice(-500)}`, { cause: error });
    } finally {
      workerd.close();
    }
  },
});

const pagePort = await getPort({ host: "127.0.0.1" });

/** Creates a page on an origin other than the service's. */
const page: Runtime = {
  origin: `http://127.0.0.1:${pagePort}`,
  name: "Chromium",
  command: CHROMIUM,
  userAgent: / HeadlessChrome\//,
  traits: {
    ...USUAL,
    tellsRefusal: false,
    tellsRedirect: false,
    resends: true,
    ledgers: ["memory"],
  },
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
    await new Promise<void>((resolve) => server.listen(pagePort, "127.0.0.1", resolve));
    const browser = await launchChromium();
    try {
      const tab = await browser.newPage();
      const lines: Promise<string>[] = [];
      tab.on("console", (line) => {
        const values = line.args().map((argument) => argument.jsonValue().catch(() => ""));
        lines.push(Promise.all(values).then((all) => `${line.text()} ${JSON.stringify(all)}`));
      });
      await tab.goto(`${page.origin}/`);
      const report = await tab.evaluate(
        (given) => (globalThis as unknown as { runSuite(s: Settings): Report }).runSuite(given),
        settings,
      );
      return { ...report, log: (await Promise.all(lines)).join("\n") };
    } finally {
      await browser.close();
      server.close();
    }
  },
};

export const runtimes: readonly Runtime[] = [
  ...program("Node 22", brought("node22/bin/node"), /^Node\.js\/22$/),
  ...program("Node 24", process.execPath, /^Node\.js\/24$/),
  ...program("Node 26", brought("node26/bin/node"), /^Node\.js\/26$/),
  ...program("Bun", brought(".bin/bun"), /^Bun\//, {
    args: ["run"],
    traits: { ledgers: ["memory", "sqlite", "bun:sqlite"] },
  }),
  ...program("Deno", brought(".bin/deno"), /^Deno\//, {
    args: [
      "run",
      "--no-prompt",
      "--no-lock",
      "--allow-net=127.0.0.1",
      `--allow-read=${tmpdir()}`,
      `--allow-write=${tmpdir()}`,
    ],
  }),
  worker("2026-10-01", true),
  // This date precedes `FinalizationRegistry` and the option `cache` of `fetch`.
  worker("2024-09-01", false),
  page,
];

/** Returns whether a runtime is installed and starts. */
export const starts = ({ command }: Runtime): boolean =>
  spawnSync(command, ["--version"], { timeout: LIMIT }).status === 0;
