// `npm run bench bundlers`: builds applications from the packed package with common bundlers and frameworks, runs
// the results against the fake service, and writes the table of docs/runtimes.md.
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { toTable, writeReport } from "../write-report.ts";
import { exec, expectEqual, type Row, versionOf, withService } from "./checks.ts";
import { NEXT_BUILDS, next } from "./next-builds.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const FIXTURE = join(ROOT, "test/fixtures/bundlers");

/** Creates an application with the tools of the fixture and the packed package. */
const install = async (folder: string): Promise<void> => {
  cpSync(FIXTURE, folder, { recursive: true, filter: (path) => !/node_modules|\.ts$/.test(path) });
  const options = { cwd: folder };
  console.log("installing …");
  await exec("npm", ["ci", "--prefer-offline"], options);
  const { stdout } = await exec("npm", ["pack", ROOT, "--json", "--ignore-scripts"], options);
  const [{ filename }] = JSON.parse(stdout);
  await exec("npm", ["install", "--no-save", "--prefer-offline", `./${filename}`], options);
};

const PLATFORMS = ["web", "node"] as const;
const FORMATS = ["mjs", "cjs"] as const;

/** Builds an application for a platform from modules of one format, runs it, and returns its file. */
const buildAndRun = async (
  folder: string,
  name: string,
  platform: (typeof PLATFORMS)[number],
  format: (typeof FORMATS)[number],
): Promise<Buffer> => {
  await exec(process.execPath, ["build.mjs", name, platform, format], { cwd: folder });
  const what = `${name}, ${platform}, ${format}`;
  const path = join(folder, "out", `${name}-${platform}-${format}`, "app.mjs");
  const file = readFileSync(path);
  const isDispatched = platform === "node";
  const isForNode = file.includes("undici.globalDispatcher");
  expectEqual(isForNode, isDispatched, `${what}: the code for Node`);
  await withService(async ({ account, sends }, { v2BaseUrl, transactionalBaseUrl }) => {
    const { email, apiKey } = account;
    const settings = JSON.stringify({ v2BaseUrl, transactionalBaseUrl, email, apiKey });
    const { stdout } = await exec(process.execPath, [path, settings]);
    const expected = { names: ["VIP", "Staff"], isDispatched, isSent: true, isRefused: true };
    expectEqual(JSON.parse(stdout), expected, what);
    expectEqual(sends.length, 1, "sends");
  });
  return file;
};

const bundle = async (folder: string, name: string): Promise<Row> => {
  let size = 0;
  for (const platform of PLATFORMS) {
    for (const format of FORMATS) {
      const file = await buildAndRun(folder, name, platform, format);
      if (platform === "web" && format === "mjs") size = gzipSync(file, { level: 9 }).length;
    }
  }
  const kilobytes = (size / 1000).toFixed(1);
  return { tool: name, version: versionOf(folder, name), result: "builds and runs", kilobytes };
};

const folder = mkdtempSync(join(tmpdir(), "bundlers-"));
const rows: Row[] = [];
try {
  await install(folder);
  const steps: (() => Promise<Row>)[] = [
    ...["vite", "webpack", "esbuild", "rollup"].map((name) => () => bundle(folder, name)),
    ...NEXT_BUILDS.map((build) => () => next(folder, build)),
  ];
  for (const step of steps) {
    const row = await step();
    rows.push(row);
    console.log(`${row.tool} ${row.version}: ${row.result}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const table = toTable([
  ["tool", "version", "result", "bundle, min + gzip, kB"],
  ...rows.map(({ tool, version, result, kilobytes = "" }) => [tool, version, result, kilobytes]),
]);
writeReport("runtimes.md", "bundlers", table);
