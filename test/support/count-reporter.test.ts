import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../docs/pages.ts";

const FAIL = '() => { throw new Error("broken"); }';

const FILES = {
  some: `
    test("passes", () => {});
    test("fails", ${FAIL});
    test.skip("is skipped", () => {});
    describe("a suite", () => {
      beforeAll(${FAIL});
      test("never runs", () => {});
    });`,
  broken: 'throw new Error("broken");',
  late: `
    test("is late", async () => {
      Promise.reject(new Error("late"));
      await new Promise((resolve) => setTimeout(resolve));
    });`,
};

test("the last line of a run has its counts, after each failed and skipped test, file and suite", () => {
  const folder = mkdtempSync(join(tmpdir(), "count-reporter-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(ROOT, "node_modules/vitest"), join(folder, "node_modules/vitest"));
  for (const [name, code] of Object.entries(FILES)) {
    const imports = 'import { beforeAll, describe, test } from "vitest";';
    writeFileSync(join(folder, `${name}.test.mjs`), `${imports}\n${code}`);
  }
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const reporter = `--reporter=${join(ROOT, "test/support/count-reporter.ts")}`;
  const { stdout } = spawnSync(process.execPath, [vitest, "run", reporter], {
    cwd: folder,
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  const lines = stdout.split("\n").filter((line) => /^(SKIPPED|FAILED)|passed/.test(line));
  expect(lines.at(-1)).toBe("2 passed, 4 failed");
  expect(lines.slice(0, -1).toSorted()).toEqual([
    "FAILED: a suite",
    "FAILED: an error outside of all tests: late",
    "FAILED: broken.test.mjs",
    "FAILED: fails",
    "SKIPPED: a suite > never runs",
    "SKIPPED: is skipped",
  ]);
});
