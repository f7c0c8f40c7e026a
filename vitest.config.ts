import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { playwright } from "@vitest/browser-playwright";
import { msw } from "msw/vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type BrowserInstanceOption, type TestSpecification } from "vitest/node";
import { inboxPage } from "./.config/inbox-page.ts";
import { firefox, webkit } from "./test/support/browsers/index.ts";
import { drivenBy } from "./test/support/browsers/vitest-provider.ts";
import { CHROMIUM, hasChromium, launchOptions } from "./test/support/chromium.ts";

type Options = NonNullable<TestProjectInlineConfiguration["test"]>;

/** Tests of the second ring. They take a long time or install many packages. */
const FULL = "*.full.test.ts";
/** Tests of the second ring that measure time and need their own processor. */
const TIMED = "test/**/*.timed.full.test.ts";

const PACKAGE = "test/package/**";

/** Files whose tests take long for the size of the file. */
const LONG =
  /\/(agents|cancel|dom-environments|failover|fake-command|fault-matrix|kills|orders|outbox|paste|platform|query-builders|queues|quickstarts|runtimes|site|timeouts|types|web-page)\.(full\.)?test\.ts$/;

/**
 * Starts long tests first, so that none of them runs alone at the end. Without cached durations, the runner starts large files
 * first.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ moduleId }: TestSpecification) => Number(!LONG.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => isShort(a) - isShort(b));
  }
}

const NOT_HERE = [PACKAGE, "test/browser/**", "**/node_modules/**"];

const project = (name: string, options: Options): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    // The files of a worker share one set of modules, which have no state. Loading the set for each file took half of the time.
    isolate: false,
    setupFiles: "test/support/real-timers.ts",
    unstubEnvs: true,
    restoreMocks: true,
    // The default of five seconds is too short on a busy machine.
    testTimeout: 60_000,
    // Some hooks install packages, all at the same time in a fresh clone.
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    ...options,
  },
});

/** Files of the second ring spend three quarters of their time waiting for processes, browsers and databases. */
const waiting: Options = { maxWorkers: availableParallelism() + 4, sequence: { groupOrder: 1 } };
/** Runs one file per processor, after everything else has ended. */
const timed: Options = { maxWorkers: availableParallelism(), sequence: { groupOrder: 2 } };

const packed: Options = {
  globalSetup: "test/package/install.ts",
  testTimeout: 300_000,
};

const types = project("types", {
  include: [],
  typecheck: {
    enabled: true,
    only: true,
    checker: "node_modules/typescript7/bin/tsc",
    include: ["test/types/**/*.test-d.ts"],
  },
});

const browser = (
  name: string,
  instance: BrowserInstanceOption,
  exclude: readonly string[] = [],
  options: Options = {},
): TestProjectInlineConfiguration => ({
  extends: true,
  plugins: [msw({ mode: "worker-only" })],
  test: {
    name,
    include: ["test/browser/**/*.test.ts", "examples/testing/browser.test.ts"],
    exclude: [...exclude],
    api: { host: "127.0.0.1" },
    testTimeout: 60_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      instances: [instance],
    },
    ...options,
  },
});

const OTHERS = [
  ["firefox", firefox],
  ["webkit", webkit],
] as const;

for (const [, { name, missing }] of OTHERS) {
  if (missing) console.warn(`SKIPPED: test/browser in ${name}, because ${missing}`);
}
if (!hasChromium) {
  console.warn(`SKIPPED: test/browser, because ${CHROMIUM} does not exist; set CHROMIUM_PATH`);
}

export default defineConfig({
  plugins: [inboxPage()],
  // Resolves imports of the package by its own name to its source.
  resolve: { tsconfigPaths: true },
  test: {
    reporters: ["default", "./test/support/count-reporter.ts"],
    // Some tests wait for sockets, child processes and browsers. More workers would slow each other down.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFirst },
    // Node's compile cache makes workers and child processes load code twice as fast. This is its default folder.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
    projects: [
      project("unit", {
        include: ["test/**/*.test.ts", "examples/testing/{vitest,msw,fake-timers}.test.ts"],
        exclude: [...NOT_HERE, `**/${FULL}`],
      }),
      types,
      project("package", {
        include: [`${PACKAGE}/*.test.ts`],
        exclude: [`**/${FULL}`],
        ...packed,
      }),
      ...(hasChromium
        ? [browser("browser", { browser: "chromium", provider: playwright({ launchOptions }) })]
        : []),
      ...OTHERS.filter(([, { missing }]) => !missing).map(([name, { launch }]) =>
        // The responses of the fake do not depend on the browser.
        browser(
          `rest-${name}`,
          { browser: name, provider: drivenBy(launch) },
          ["test/browser/entry-points.test.ts"],
          waiting,
        ),
      ),
      project("rest", {
        include: [`test/**/${FULL}`],
        exclude: [...NOT_HERE, TIMED],
        ...waiting,
      }),
      project("rest-timed", { include: [TIMED], ...timed }),
      project("rest-package", { include: [`${PACKAGE}/${FULL}`], ...packed, ...waiting }),
    ],
  },
});
