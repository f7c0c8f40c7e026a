import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const FIXTURES = new URL("../fixtures/", import.meta.url).pathname;

/**
 * Installs the packages of a folder of `test/fixtures`, where they are not there yet; returns its `require`. Test files
 * that run at once wait for each other: the lock of a database also ends with a process that is killed.
 */
export const installFixture = (name: string): NodeJS.Require => {
  const cwd = join(FIXTURES, name);
  const isThere = () => existsSync(join(cwd, "node_modules/.package-lock.json"));
  if (!isThere()) {
    const lock = new DatabaseSync(join(tmpdir(), `fixture-${name}.lock`), { timeout: 120_000 });
    lock.exec("BEGIN EXCLUSIVE");
    if (!isThere()) execFileSync("npm", ["ci", "--prefer-offline"], { cwd, stdio: "pipe" });
    lock.close();
  }
  return createRequire(join(cwd, "package.json"));
};
