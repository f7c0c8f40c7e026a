// Packages that only some tests need live in folders of their own under `test/fixtures`.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const FIXTURES = new URL("../fixtures/", import.meta.url).pathname;

/** Installs the packages of a fixture unless they are there, and returns the fixture's folder. */
export const installFixture = (name: string): string => {
  const folder = join(FIXTURES, name);
  if (!existsSync(join(folder, "node_modules/.package-lock.json"))) {
    execFileSync("npm", ["ci", "--prefer-offline"], { cwd: folder, stdio: "pipe" });
  }
  return folder;
};

/** Imports a package of a fixture. */
export const importFrom = async <T>(folder: string, name: string): Promise<T> => {
  const path = createRequire(join(folder, "package.json")).resolve(name);
  return import(pathToFileURL(path).href);
};
