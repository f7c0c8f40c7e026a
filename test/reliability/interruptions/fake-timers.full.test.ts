// Waits with the fake timers of several test runners. In vitest 2 and node:test, `performance.now()` stays real.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { installFixture } from "../../support/fixture.ts";
import { scenarios } from "../../support/programs/fake-time.ts";

const PROGRAM = new URL("../../support/programs/fake-time.ts", import.meta.url).pathname;
const run = promisify(execFile);

/** Lets promises settle while the timers are fake. */
const SETTLE = `
const { setImmediate: next } = globalThis;
const settle = async () => {
  for (let step = 0; step < 5; step += 1) await new Promise((resolve) => next(resolve));
};`;

const IN_STEPS = (tick: string) => `
const advance = async (ms) => {
  await settle();
  for (let left = ms; left > 0; left -= 100) {
    ${tick}(Math.min(left, 100));
    await settle();
  }
};`;

/** Returns a program for node:test. */
const nodeTest = (options: string) => `
import test from "node:test";
import { scenarios } from "./scenarios.mjs";
${SETTLE}
for (const [name, scenario] of Object.entries(scenarios)) {
  test(name, async ({ mock: { timers } }) => {
    timers.enable(${options});
    ${IN_STEPS("timers.tick")}
    await scenario(advance);
  });
}`;

const runners = [
  {
    name: "node:test",
    file: "node.test.mjs",
    code: nodeTest(""),
    command: () => [],
  },
  {
    name: "node:test, with setTimeout alone",
    file: "node-alone.test.mjs",
    code: nodeTest('{ apis: ["setTimeout"] }'),
    command: () => [],
  },
  {
    name: "vitest 2",
    file: "vitest.test.mjs",
    code: `
import { scenarios } from "./scenarios.mjs";
afterEach(() => void vi.useRealTimers());
test.each(Object.entries(scenarios))("%s", async (_, scenario) => {
  vi.useFakeTimers();
  await scenario((ms) => vi.advanceTimersByTimeAsync(ms));
});`,
    command: (file: string) => [
      join(installFixture("fake-timers"), "node_modules/vitest/vitest.mjs"),
      ...["run", "--globals", "--root", folder, file],
    ],
  },
  {
    name: "Jest",
    file: "jest.test.cjs",
    code: `
const { scenarios } = require("./scenarios.cjs");
afterEach(() => jest.useRealTimers());
test.each(Object.entries(scenarios))("%s", async (_, scenario) => {
  jest.useFakeTimers();
  await scenario((ms) => jest.advanceTimersByTimeAsync(ms));
});`,
    command: (file: string) => [
      join(installFixture("test-runners"), "node_modules/jest/bin/jest.js"),
      ...["--config", "{}", "--rootDir", folder, "--testMatch", `**/${file}`],
    ],
  },
  {
    name: "sinon",
    file: "sinon.mjs",
    code: `
import { createRequire } from "node:module";
import { scenarios } from "./scenarios.mjs";
const sinon = createRequire(process.argv[2])("sinon");
${SETTLE}
for (const scenario of Object.values(scenarios)) {
  const clock = sinon.useFakeTimers();
  // Sinon also fakes microtasks, which then run at a tick.
  await scenario(async (ms) => {
    for (const each of [0, 0, ms, 0, 0]) {
      await settle();
      await clock.tickAsync(each);
    }
    await settle();
  });
  clock.restore();
}`,
    command: () => [],
  },
] as const;

const folder = mkdtempSync(join(tmpdir(), "fake-timers-"));

beforeAll(async () => {
  for (const [format, outfile] of [
    ["esm", "scenarios.mjs"],
    ["cjs", "scenarios.cjs"],
  ] as const) {
    await build({
      entryPoints: [PROGRAM],
      outfile: join(folder, outfile),
      bundle: true,
      platform: "node",
      format,
      logLevel: "error",
      tsconfigRaw: {},
    });
  }
  for (const { file, code } of runners) writeFileSync(join(folder, file), code);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(runners)(
  "every wait ends under the fake timers of $name",
  async ({ file, command }) => {
    const fixture = join(installFixture("fake-timers"), "package.json");
    const args = command(file);
    const all = args.length > 0 ? args : [file, fixture];
    const failure = await run(process.execPath, all, { cwd: folder, timeout: 120_000 }).then(
      () => undefined,
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
    expect(failure).toBeUndefined();
  },
  300_000,
);

describe("every wait ends under the fake timers of this vitest", () => {
  afterEach(() => void vi.useRealTimers());

  test.each(Object.entries(scenarios))("%s", async (_, scenario) => {
    vi.useFakeTimers();
    await scenario(async (ms) => void (await vi.advanceTimersByTimeAsync(ms)));
  });
});
