import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../docs/pages.ts";

/** Runs vitest on one file with the reporter, and returns the lines that the reporter prints. */
const report = (code: string): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), "count-reporter-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(ROOT, "node_modules/vitest"), join(folder, "node_modules/vitest"));
  writeFileSync(
    join(folder, "some.test.mjs"),
    `import { beforeAll, describe, test } from "vitest";\n${code}`,
  );
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const reporter = `--reporter=${join(ROOT, "test/support/count-reporter.ts")}`;
  const { stdout } = spawnSync(process.execPath, [vitest, "run", reporter], {
    cwd: folder,
    encoding: "utf8",
    timeout: 50_000,
  });
  rmSync(folder, { recursive: true });
  return stdout.split("\n").filter((line) => /^(SKIPPED|FAILED)|passed/.test(line));
};

const FAIL = '() => { throw new Error("broken"); }';

test("the count of a run names each failed and skipped test, and each suite whose hook failed", () => {
  const lines = report(`
    test("passes", () => {});
    test("fails", ${FAIL});
    test.skip("is skipped", () => {});
    describe("a suite", () => {
      beforeAll(${FAIL});
      test("never runs", () => {});
    });`);
  expect(lines).toEqual([
    "SKIPPED: is skipped",
    "SKIPPED: a suite > never runs",
    "FAILED: a suite",
    "FAILED: fails",
    "1 passed, 2 failed",
  ]);
});

test.each([
  ["a file that does not load", 'throw new Error("broken");', "FAILED: some.test.mjs"],
  [
    "an error outside of all tests",
    `test("passes", async () => {
      Promise.reject(new Error("late"));
      await new Promise((resolve) => setTimeout(resolve));
    });`,
    "FAILED: an error outside of all tests: late",
  ],
])("the count of a run includes %s", (_, code, line) => {
  const lines = report(code);
  expect(lines).toContain(line);
  expect(lines.at(-1)).toMatch(/, 1 failed$/);
});
