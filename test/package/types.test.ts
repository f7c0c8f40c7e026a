import { execFile, execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { consumer } from "./consumer.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const FIXTURE = join(ROOT, "test/fixtures/typescript");
const APPLICATION = inject("application");
const INSTALLED = join(APPLICATION, "node_modules/messaging-service-client");

const run = promisify(execFile);
const bin = (name: string) => join(FIXTURE, "node_modules", name);

/** What a program of the fixture prints; where it fails, the error tells it. */
const output = async (...args: readonly string[]): Promise<string> => {
  const done = run(process.execPath, [...args], { cwd: APPLICATION });
  return (await done.catch(({ stdout, stderr }) => ({ stdout: stdout + stderr }))).stdout;
};

beforeAll(() => {
  if (!existsSync(bin("publint"))) {
    execFileSync("npm", ["ci", "--prefer-offline"], { cwd: FIXTURE, stdio: "pipe" });
  }
  writeFileSync(join(APPLICATION, "consumer.mts"), consumer);
  writeFileSync(join(APPLICATION, "consumer.cts"), consumer);
});

const modes = [
  { resolution: "node16", format: "ESM", module: "node16", file: "consumer.mts" },
  { resolution: "node16", format: "CommonJS", module: "node16", file: "consumer.cts" },
  { resolution: "nodenext", format: "ESM", module: "nodenext", file: "consumer.mts" },
  { resolution: "nodenext", format: "CommonJS", module: "nodenext", file: "consumer.cts" },
  { resolution: "bundler", format: "ESM", module: "esnext", file: "consumer.mts" },
  // Before 6.0, a bundler's resolution goes with CommonJS only so.
  { resolution: "bundler", format: "CommonJS", module: "preserve", file: "consumer.cts" },
];

describe.each(["5.5", "5.9", "6.0", "7.0"])("an application under TypeScript %s", (version) => {
  test.concurrent.each(modes)("$resolution, $format", async (mode) => {
    const config = join(APPLICATION, `tsconfig-${version}-${mode.resolution}-${mode.format}.json`);
    const compilerOptions = {
      module: mode.module,
      moduleResolution: mode.resolution,
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [mode.file] }));
    expect(await output(bin(`typescript${version}/bin/tsc`), "-p", config)).toBe("");
  });
});

test("no declaration tells of a package that an application does not have", () => {
  const declarations = globSync("dist/**/*.d.{ts,cts}", { cwd: INSTALLED });
  expect(declarations.length).toBeGreaterThan(16);
  for (const name of declarations) {
    const text = readFileSync(join(INSTALLED, name), "utf8");
    const imported = [...text.matchAll(/(?:from|import\()\s*['"]([^'".][^'"]*)['"]/g)];
    for (const [, specifier] of imported) {
      expect(["zod/mini", "msw"], `${name} imports ${specifier}`).toContain(specifier);
    }
  }
});

describe("what checks packages finds nothing to say of the tarball", () => {
  const [tarball = ""] = globSync("*.tgz", { cwd: APPLICATION });

  test("publint --strict", async () => {
    const said = await output(bin("publint/src/cli.js"), "--strict", tarball);
    expect(said).toContain("All good!");
  });

  test("attw", async () => {
    const said = await output(bin("@arethetypeswrong/cli/dist/index.js"), tarball, "-f", "ascii");
    expect(said).toContain("No problems found");
  });
});
