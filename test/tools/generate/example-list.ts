import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = new URL("../../../", import.meta.url).pathname;

/** First comment of an example of the runner: what the program does, and its command. */
const FIRST_COMMENT = /^\/\/ (?<about>.+?): `node (?<name>[a-z-]+)\S*\.ts ?(?<input>[^`]*)`/;

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Servers that an example needs, by the variables that name them. */
const SERVERS = { REDIS_URL: "Redis", DATABASE_URL: "Postgres" };

/** Packages that contain the types of other packages. */
const { devDependencies } = JSON.parse(read("test/fixtures/examples/package.json"));

/** Returns the packages that a program and the files that it imports need, with their types. */
const packagesOf = (path: string): readonly string[] =>
  [...read(path).matchAll(/\bfrom "([^"]+)"/g)].flatMap(([, name = ""]) => {
    if (name.startsWith("./") || name.startsWith("../"))
      return packagesOf(join(dirname(path), name));
    if (/^(node:|messaging-service-client)/.test(name)) return [];
    const [, packageName = ""] = /^((?:@[^/]+\/)?[^/]+)/.exec(name) ?? [];
    const types = `@types/${packageName}`;
    return types in devDependencies ? [packageName, types] : [packageName];
  });

/** Example of the runner. */
export interface Example {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly input: string;
  readonly packages: readonly string[];
  readonly servers: readonly string[];
}

/** Examples of the runner, in the order of the guide. */
export const examples: readonly Example[] = globSync(
  ["examples/*.ts", "examples/with-packages/*.ts", "examples/browser/*.ts"],
  { cwd: ROOT },
)
  .toSorted()
  .flatMap((path) => {
    const { about, input = "", name } = FIRST_COMMENT.exec(read(path))?.groups ?? {};
    if (name === undefined || about === undefined) return [];
    const packages = [...new Set(packagesOf(path))].toSorted();
    const servers = Object.entries(SERVERS)
      .filter(([variable]) => read(path).includes(variable))
      .map(([, server]) => server);
    return [{ path, name, about, input, packages, servers }];
  });

/** Returns a table of the runner's examples: what each does, its arguments, and what it needs. */
export const exampleList = (): string => {
  const rows = examples.map(({ path, name, about, input, packages, servers }) => {
    const needs = [...(packages.length > 0 ? [`\`${packages.join(" ")}\``] : []), ...servers];
    const cells = [
      `[${name}](../../${path})`,
      `${about}.`,
      input && `\`${input}\``,
      needs.join(", "),
    ];
    return `|${cells.map((cell) => (cell ? ` ${cell} |` : " |")).join("")}`;
  });
  return ["| example | what it does | arguments | needs |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
};
