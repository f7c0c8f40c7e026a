// The runtimes, and the way in which each of them runs the suite.
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Tab, TestedBrowser } from "../support/browsers/index.ts";
import { startWorkerd, WORKERD } from "../support/servers/workerd.ts";
import type { Report, Settings, Traits } from "./suite/index.ts";

/** Folder of the runtimes that the tests install. */
export const FIXTURE = new URL("../fixtures/runtimes", import.meta.url).pathname;

const run = promisify(execFile);
/** Timeout of a run in milliseconds, far longer than a run takes. It detects programs that a timer keeps alive. */
const LIMIT = 270_000;

/** Results of a run. */
export interface Results extends Report {
  /** Everything that the runtime logged. */
  readonly log: string;
}

/** A runtime that runs the suite. */
export interface Runtime {
  readonly name: string;
  /** Program of the runtime. It must be able to start on this machine. */
  readonly command?: string;
  /** What this machine lacks for the runtime, if it is a browser. */
  readonly missing?: string | undefined;
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
  requestsOfLostGet: 2,
  latencyMs: 200,
  hasFinalizationRegistry: true,
  ledgers: ["memory", "sqlite"],
};

const brought = (path: string) => join(FIXTURE, "node_modules", path);

const FILES = { import: "suite.mjs", require: "suite.cjs" } as const;

/** Creates a runtime that runs the suite as a program, as ESM or as CommonJS. */
const program = (
  name: string,
  way: keyof typeof FILES,
  command: string,
  userAgent: RegExp,
  args: readonly string[] = [],
): Runtime => ({
  name: `${name}, ${way}`,
  command,
  userAgent,
  traits: USUAL,
  run: async (settings, cwd) => {
    const options = { cwd, timeout: LIMIT, killSignal: "SIGKILL" } as const;
    const argument = JSON.stringify(settings);
    const { stdout, stderr } = await run(command, [...args, FILES[way], argument], options);
    return { ...JSON.parse(stdout), log: stderr };
  },
});

/** Creates a worker of workerd, Cloudflare's open-source runtime, with a compatibility date. */
const worker = (
  compatibilityDate: string,
  traits: Pick<Traits, "hasFinalizationRegistry" | "ledgers">,
): Runtime => ({
  name: `workerd as of ${compatibilityDate}`,
  command: WORKERD,
  userAgent: /^Cloudflare-Workers$/,
  traits: {
    ...USUAL,
    tellsRefusal: false,
    ...traits,
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

/** Creates a runtime for a page in the tab that a function returns. The page has a different origin than the service. */
export const page = (
  browser: TestedBrowser,
  port: number,
  traits: Partial<Traits>,
  tabOf: () => Tab,
): Runtime => ({
  ...browser,
  origin: `http://127.0.0.1:${port}`,
  traits: {
    ...USUAL,
    tellsRefusal: false,
    tellsRedirect: false,
    ledgers: ["memory"],
    // A page sends a preflight request before each request to a new URL of a different origin.
    latencyMs: 600,
    ...traits,
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
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    const tab = tabOf();
    try {
      await tab.open(`http://127.0.0.1:${port}/`);
      const report = await tab.evaluate(
        (given) => (globalThis as unknown as { runSuite(s: Settings): Report }).runSuite(given),
        settings,
      );
      return { ...report, log: (await tab.log()).join("\n") };
    } finally {
      server.close();
    }
  },
});

/** All runtimes except browsers, whose pages browsers.full.test.ts opens. */
export const runtimes: readonly Runtime[] = [
  program("Node 22", "import", brought("node22/bin/node"), /^Node\.js\/22$/),
  // CommonJS runs once per kind of runtime.
  program("Node 22", "require", brought("node22/bin/node"), /^Node\.js\/22$/),
  program("Node 24", "import", process.execPath, /^Node\.js\/24$/),
  program("Node 26", "import", brought("node26/bin/node"), /^Node\.js\/26$/),
  program("Bun", "import", brought(".bin/bun"), /^Bun\//, ["run"]),
  program("Bun", "require", brought(".bin/bun"), /^Bun\//, ["run"]),
  ...(["import", "require"] as const).map((way) =>
    program("Deno", way, brought(".bin/deno"), /^Deno\//, [
      ...["run", "--no-prompt", "--no-lock", "--allow-net=127.0.0.1"],
      ...["read", "write"].map((right) => `--allow-${right}=${tmpdir()}`),
    ]),
  ),
  worker("2026-10-01", { hasFinalizationRegistry: true, ledgers: ["memory", "postgres"] }),
  // This date precedes `FinalizationRegistry` and the `cache` option of `fetch`. The Postgres ledger uses neither.
  worker("2022-11-30", { hasFinalizationRegistry: false, ledgers: ["memory"] }),
];

/** Returns the reason why a runtime cannot run here, such as that it is not installed or does not start. */
export const whyNotHere = ({ command, missing }: Runtime): string | undefined =>
  command === undefined || spawnSync(command, ["--version"], { timeout: LIMIT }).status === 0
    ? missing
    : `${command} does not start`;
