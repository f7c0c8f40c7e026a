import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { installFixture } from "../support/fixture.ts";
import { consumers } from "./consumer.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const APPLICATION = inject("application");
const INSTALLED = join(APPLICATION, "node_modules/messaging-service-client");
/** Application in which msw is also installed. */
const WITH_MSW = join(APPLICATION, "with-msw");

const bin = (name: string) => join(installFixture("tools"), "node_modules", name);

/** Runs a program of the fixture. Returns its output and exit code. */
const run = (...args: readonly string[]): Promise<{ code: unknown; said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: APPLICATION }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, said: stdout + stderr }),
    );
  });

const FETCH_PACKAGES = {
  "node-fetch-3": "second-ring",
  "undici-7": "first-ring",
  "undici-8": "first-ring",
};
/** Every kind of function that an application may pass as `fetch`. */
const FETCHES = `
import { type FetchOption, V2Client } from "messaging-service-client";
import nodeFetch from "node-fetch-3";
import { Agent, fetch as fetch7 } from "undici-7";
import { fetch as fetch8 } from "undici-8";

const dispatcher = new Agent();
const fetches: readonly FetchOption[] = [
  ...[nodeFetch, fetch7, fetch8, fetch],
  (url, init) => fetch(url, { ...init, keepalive: true }),
  (url, init) => fetch7(url, { ...init, dispatcher }),
  (url, init) => nodeFetch(url, { ...init, compress: false }),
  (url, init) => {
    init.headers["x-signature"] = "7";
    return fetch(url, init);
  },
];
for (const each of fetches) new V2Client({ fetch: each });
new V2Client({ fetch: nodeFetch });
new V2Client({ fetch: fetch8 });
`;

beforeAll(() => {
  const modules = join(WITH_MSW, "node_modules");
  mkdirSync(modules, { recursive: true });
  cpSync(INSTALLED, join(modules, "messaging-service-client"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules/msw"), join(modules, "msw"));
  for (const [name, fixture] of Object.entries(FETCH_PACKAGES)) {
    symlinkSync(join(installFixture(fixture), "node_modules", name), join(modules, name));
  }
  writeFileSync(join(WITH_MSW, "fetches.mts"), FETCHES);
  for (const [name, source] of Object.entries(consumers)) {
    writeFileSync(join(WITH_MSW, name), source);
  }
});

const web = { lib: ["es2022", "dom", "dom.iterable"], types: [] };
const node = {
  lib: ["es2021"],
  types: ["node"],
  typeRoots: [join(ROOT, "node_modules/@types")],
};
const application = ["consumer.mts", "consumer.cts", "required.cts"];
const handlers = ["handlers.mts", "handlers.cts"];
const VERSIONS = ["5.5", "5.9", "6.0", "7.0"];
/**
 * Every version compiles with both kinds of module resolution. In its `checked` modes, which together load all declarations, it
 * compiles without `skipLibCheck`. The newest version is the fastest and compiles in every mode.
 */
const modes = [
  // msw 3 is ESM only, and CommonJS cannot import it here.
  {
    ...{ name: "node16, ESM and CommonJS", versions: ["5.9", "7.0"], checked: ["5.9"] },
    ...{ module: "node16", ...web, files: [...application, "handlers.mts"] },
  },
  {
    ...{ name: "nodenext, ESM and CommonJS", versions: ["5.5", "6.0", "7.0"], checked: VERSIONS },
    ...{ module: "nodenext", ...web, files: [...application, ...handlers] },
  },
  {
    ...{ name: "bundler, ESM", versions: ["7.0"], checked: [] },
    ...{ module: "esnext", ...web, files: ["consumer.mts", "handlers.mts"] },
  },
  {
    ...{ name: "bundler, ESM and CommonJS", versions: VERSIONS, checked: [] },
    ...{ module: "preserve", ...web, files: [...application, ...handlers] },
  },
  {
    ...{ name: "nodenext, without dom", versions: ["5.5", "7.0"], checked: VERSIONS },
    ...{ module: "nodenext", ...node, files: [...application, "fetches.mts"] },
  },
];
/** Returns whether the types of msw 3 compile with a version of TypeScript. The oldest version needs `skipLibCheck`. */
const takesMsw = (version: string, isChecked: boolean) => version !== "5.5" || !isChecked;

/** Writes the configuration of a mode for a version, and returns its path. */
const configure = (
  version: string,
  { name, versions: _, checked, files, ...mode }: (typeof modes)[number],
): string => {
  const path = join(WITH_MSW, `tsconfig-${version}-${name.replace(/\W+/g, "-")}.json`);
  const isChecked = checked.includes(version);
  const compilerOptions = {
    ...mode,
    moduleResolution: mode.module.startsWith("node") ? mode.module : "bundler",
    target: "es2022",
    strict: true,
    exactOptionalPropertyTypes: true,
    resolveJsonModule: true,
    skipLibCheck: !isChecked,
    // Checking the compiler's own declarations, such as `dom`, would take a fifth of the time.
    skipDefaultLibCheck: true,
    noEmit: true,
  };
  const compiled = files.filter(
    (file) => takesMsw(version, isChecked) || !file.startsWith("handlers"),
  );
  writeFileSync(path, JSON.stringify({ compilerOptions, files: compiled }));
  return path;
};

test.concurrent.each(VERSIONS)("an application compiles under TypeScript %s", async (version) => {
  const chosen = modes.filter(({ versions }) => versions.includes(version));
  const configs = chosen.map((mode) => configure(version, mode));
  // One process for all modes takes half the time. It prints each mode before its errors.
  const tsc = bin(`typescript${version}/bin/tsc`);
  const { code, said } = await run(tsc, "--build", ...configs, "--force", "--verbose");
  expect(code, said).toBe(0);
  expect(said.match(/Building project/g)).toHaveLength(chosen.length);
});

describe("package checkers", () => {
  const [tarball = ""] = globSync("*.tgz", { cwd: APPLICATION });

  test("publint --strict finds no problem in the tarball", async () => {
    const { code, said } = await run(bin("publint/src/cli.js"), "--strict", tarball);
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("All good!") });
  });

  test("attw finds no problem in the tarball", async () => {
    const { code, said } = await run(bin("@arethetypeswrong/cli/dist/index.js"), tarball);
    expect({ code, said }).toMatchObject({
      code: 0,
      said: expect.stringContaining("No problems"),
    });
  });
});
