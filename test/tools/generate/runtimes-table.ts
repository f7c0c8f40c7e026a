import { readFileSync } from "node:fs";
import { runtimes } from "../../runtimes/runtimes.ts";
import { toTable } from "../write-report.ts";

const read = (path: string): { readonly devDependencies: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8"));

const versions: Readonly<Record<string, string>> = {
  ...read("test/fixtures/runtimes/package.json").devDependencies,
  node24: read("package.json").devDependencies.node ?? "",
};

/** Returns the version of a runtime that the tests install. */
const versionOf = (name: string): string => {
  const version = versions[name.toLowerCase().replace(" ", "")];
  if (version === undefined) throw new Error(`no fixture installs ${name}`);
  return version.split("@").at(-1) ?? "";
};

/** Returns the table of the runtimes without browsers, in which the tests run the suite. */
export const runtimesTable = (): string => {
  const ways = new Map<string, string[]>();
  for (const { name } of runtimes) {
    const [runtime = "", way = ""] = name.split(/, | as of /);
    ways.set(runtime, [...(ways.get(runtime) ?? []), way]);
  }
  const rows = [...ways].map(([name, each]) => {
    const loadedBy = name === "workerd" ? `a bundle, as of ${each.join(" and ")}` : undefined;
    return [name, versionOf(name), loadedBy ?? each.map((way) => `\`${way}\``).join(", ")];
  });
  return toTable([["runtime", "tested version", "loaded by"], ...rows]);
};
