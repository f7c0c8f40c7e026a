import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { installFixture } from "../support/fixture.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

describe("examples of docs/test-runners.md in an application", () => {
  const folder = inject("application");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });

  beforeAll(() => {
    for (const name of ["notify.ts", "node-test.test.ts", "jest.test.cjs", "test_guests.py"]) {
      copyFileSync(join(ROOT, "examples/testing", name), join(folder, name));
    }
  });

  test("the example for node:test passes in an application", () => {
    expect(run("--test", "node-test.test.ts")).toMatch(/# pass 1|pass 1/);
  });

  test("the example for Jest, as CommonJS, passes in an application", () => {
    const jest = join(installFixture("test-runners"), "node_modules/jest/bin/jest.js");
    const args = ["--rootDir", folder, "--json", "--testMatch", "**/jest.test.cjs"];
    expect(JSON.parse(run(jest, ...args))).toMatchObject({ success: true, numPassedTests: 1 });
  });

  test("the example in Python passes on the command of the fake", ({ skip }) => {
    const args = ["-m", "unittest", "test_guests.py"];
    const { error, stderr } = spawnSync("python3", args, { cwd: folder, encoding: "utf8" });
    skip(error !== undefined, "python3 is missing");
    expect(stderr).toMatch(/Ran 1 test in .*\n\nOK\n$/);
  });
});
