import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { playwright } from "@vitest/browser-playwright";
import { msw } from "msw/vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type BrowserInstanceOption, type TestSpecification } from "vitest/node";
import { inboxPageForVite } from "./src/inbox/bundle.ts";
import { firefox, webkit } from "./test/support/browsers/index.ts";
import { drivenBy } from "./test/support/browsers/vitest-provider.ts";
import { CHROMIUM, hasChromium, launchOptions } from "./test/support/chromium.ts";

type Options = NonNullable<TestProjectInlineConfiguration["test"]>;

/** Tests of the second ring that measure time, and need a processor of their own. */
const TIMED = [
  "test/bulk/ledgers/growth.test.ts",
  "test/reliability/throttle/{real-time,redis,service}.test.ts",
];
/** Tests that belong to the second ring as a whole: they take long, or install a lot. */
const REST = [
  "test/!(package|browser)/**/*.full.test.ts",
  "test/bulk/ledgers/{histories,pglite,query-builders}.test.ts",
  "test/bulk/{outbox,queues,scale}.test.ts",
  "test/docs/site.test.ts",
  "test/examples/{durable-sends,quickstarts,with-packages}.test.ts",
  "test/http/dispatcher-{applications,types}.test.ts",
  "test/inbox/{inbox,keyboard,screens}.test.ts",
  "test/ledger-command/*.test.ts",
  "test/openapi/prism.test.ts",
  "test/reliability/bulk/model.test.ts",
  "test/reliability/injection/injection.test.ts",
  "test/reliability/pages/{kill,memory}.test.ts",
  "test/reliability/properties/*.test.ts",
  "test/reports/memory.test.ts",
  "test/rules/{bounded-work,gsm7.property,phone.property}.test.ts",
  "test/testing/msw-versions.test.ts",
];
/** Tests with cases in both rings. */
const BOTH = [
  "test/reliability/bulk/kills.test.ts",
  "test/reliability/faults/fault-matrix.test.ts",
];

const PACKAGE = ["test/package/**/*.test.ts"];
const PACKAGE_REST = [
  "test/package/**/*.full.test.ts",
  "test/package/{fake-command,hover,paste,runners,types,web-page}.test.ts",
];
const PACKAGE_BOTH = ["test/package/runtimes.test.ts"];

/** Tests that take longest, the longest first. */
const LONGEST = [
  "package/runtimes",
  "reliability/bulk/kills",
  "docs/site",
  "package/paste",
  "bulk/queues",
  "reliability/failover/failover.full",
  "bulk/outbox",
  "examples/quickstarts",
  "reliability/faults/fault-matrix",
  "package/types",
  "bulk/ledgers/query-builders",
  "reliability/interruptions/timeouts",
  "examples/examples",
  "http/dispatcher",
  "reliability/interruptions/cancel",
  "docs/code-blocks",
  "testing/node/origins",
  "bulk/ledgers/postgres",
];

/** Starts the longest tests first, so that none of them runs alone at the end. A machine without a cache does not know them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return index === -1 ? LONGEST.length : index;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

const NEITHER = ["test/browser/**", "**/node_modules/**"];

const project = (name: string, options: Options): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    // The files of a worker share one set of modules, which hold no state. Loading it for each file took half of the time.
    isolate: false,
    unstubEnvs: true,
    restoreMocks: true,
    // A busy machine needs more than vitest's five seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    provide: { ring: name.startsWith("rest") ? "rest" : "first" },
    ...options,
  },
});

/** Runs a file on each processor, when everything else has ended. */
const timed: Options = { maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } };

const packed: Options = {
  globalSetup: "test/package/install.ts",
  testTimeout: 300_000,
  hookTimeout: 300_000,
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
): TestProjectInlineConfiguration => ({
  extends: true,
  plugins: [msw({ mode: "worker-only" })],
  test: {
    name,
    include: ["test/browser/**/*.test.ts", "examples/testing/browser.test.ts"],
    api: { host: "127.0.0.1" },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      instances: [instance],
    },
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
  plugins: [inboxPageForVite()],
  // Imports of the package by its own name lead to its source.
  resolve: { tsconfigPaths: true },
  test: {
    reporters: ["default", "./test/support/count-reporter.ts"],
    // Some tests wait for sockets, children and browsers. More workers than this would slow each other down.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Workers and the processes of tests load code twice as fast from Node's cache, here in its default folder.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
    projects: [
      project("unit", {
        include: ["test/**/*.test.ts", "examples/testing/{vitest,msw,fake-timers}.test.ts"],
        exclude: [...NEITHER, ...TIMED, ...REST, ...PACKAGE],
      }),
      types,
      project("package", { include: PACKAGE, exclude: PACKAGE_REST, ...packed }),
      ...(hasChromium
        ? [browser("browser", { browser: "chromium", provider: playwright({ launchOptions }) })]
        : []),
      ...OTHERS.filter(([, { missing }]) => !missing).map(([name, { launch }]) =>
        browser(`rest-${name}`, { browser: name, provider: drivenBy(launch) }),
      ),
      project("rest", { include: [...REST, ...BOTH] }),
      project("rest-timed", { include: TIMED, ...timed }),
      project("rest-package", { include: [...PACKAGE_REST, ...PACKAGE_BOTH], ...packed }),
    ],
  },
});
