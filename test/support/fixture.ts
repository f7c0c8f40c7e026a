// Packages that only some tests need are in folders under `test/fixtures`. The first test that needs a folder installs it.
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

const FIXTURES = new URL("../fixtures/", import.meta.url).pathname;

/**
 * Installs the packages of a folder if its lock file has changed since the last time, and returns the folder. Test files that run
 * concurrently wait for each other. The lock is a database, so a killed process releases it.
 */
const installIn = (folder: string): string => {
  const name = basename(folder);
  const timeOf = (file: string) =>
    statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isThere = () => timeOf("node_modules/.package-lock.json") >= timeOf("package-lock.json");
  if (!isThere()) {
    const lock = new DatabaseSync(join(tmpdir(), `fixture-${name}.lock`), { timeout: 600_000 });
    lock.exec("BEGIN EXCLUSIVE");
    if (!isThere()) execFileSync("npm", ["ci", "--prefer-offline"], { cwd: folder, stdio: "pipe" });
    lock.close();
  }
  return folder;
};

/** Installs the packages of a fixture if necessary, and returns the fixture's folder. */
export const installFixture = (name: string): string => installIn(join(FIXTURES, name));

/** Loads a CommonJS package of a fixture, and installs the fixture if necessary. */
export const requireFixture = (name: string, packageName: string) =>
  createRequire(join(installFixture(name), "package.json"))(packageName);

/** Imports a package of a fixture. */
export const importFrom = async <T>(folder: string, name: string): Promise<T> => {
  const path = createRequire(join(folder, "package.json")).resolve(name);
  return import(pathToFileURL(path).href);
};
