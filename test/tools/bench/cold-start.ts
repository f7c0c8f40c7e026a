// `npm run bench cold-start`: measures how much longer an import takes than a bare `node`, and how much is installed, next to
// two other SDKs and to the same code in one file, and writes the tables of docs/performance.md. It installs all of them as an
// application does.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { toTable, writeReport } from "../write-report.ts";
import { installed } from "./installed.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const ROUNDS = 31;

const contenders = [
  { name: "this package, whole", load: "messaging-service-client" },
  { name: "this package, `./v2`", load: "messaging-service-client/v2" },
  { name: "stripe", load: "stripe" },
  { name: "openai", load: "openai" },
];

/** Creates an empty application with one package: this one as it is packed, or the newest version of another. */
const install = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "cold-start-"));
  // Without this file, npm would look for an application in the parent folders.
  writeFileSync(join(folder, "package.json"), "{}");
  const npm = (...args: readonly string[]): string =>
    execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  if (name === "messaging-service-client") {
    const [{ filename }] = JSON.parse(npm("pack", ROOT, "--json", "--ignore-scripts"));
    npm("install", "--prefer-offline", `./${filename}`);
    rmSync(join(folder, filename));
  } else {
    npm("install", `${name}@latest`);
  }
  return folder;
};

const timeOf = (code: string, cwd: string): number => {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd,
  });
  if (status !== 0) throw new Error(String(stderr));
  return performance.now() - began;
};

const median = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

const packages = ["messaging-service-client", "stripe", "openai"];
const folders = new Map(packages.map((name) => [name, install(name)]));
const folderOf = (load: string): string => folders.get(load.split("/")[0] ?? "") ?? "";

const programs = [{ name: "bare", code: "", cwd: tmpdir() }].concat(
  contenders.map(({ name, load }) => ({
    name,
    code: `await import("${load}")`,
    cwd: folderOf(load),
  })),
);
const times = new Map(programs.map(({ name }) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { name, code, cwd } of programs) times.get(name)?.push(timeOf(code, cwd));
}
const over = (name: string): number =>
  median(times.get(name) ?? []) - median(times.get("bare") ?? []);

const ONE_FILE_ROUNDS = 15;

/** Returns a program that prints the CPU time of loading a file, in milliseconds. */
const programFor = (file: string, extension: string): string => `
  const { createRequire } = process.getBuiltinModule("node:module");
  const start = process.cpuUsage();
  ${extension === "cjs" ? `createRequire("${file}")("${file}")` : `await import("${file}")`};
  const { user, system } = process.cpuUsage(start);
  console.log((user + system) / 1000);`;

/** Compares the CPU time of an import with that of the same code in one file. Takes the minimum, because noise only adds time. */
const besideOneFile = async (entry: string, extension: "js" | "cjs"): Promise<string[]> => {
  const folder = folderOf("messaging-service-client");
  const dist = join(folder, "node_modules/messaging-service-client/dist");
  const one = join(folder, `${entry}.${extension === "cjs" ? "cjs" : "mjs"}`);
  const built = join(dist, `${entry}.${extension}`);
  await build({
    entryPoints: [built],
    outfile: one,
    bundle: true,
    platform: "node",
    format: extension === "cjs" ? "cjs" : "esm",
  });
  const least = { [built]: Number.POSITIVE_INFINITY, [one]: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ONE_FILE_ROUNDS; round += 1) {
    for (const file of [built, one]) {
      const args = ["--input-type=module", "--eval", programFor(file, extension)];
      const cpu = Number(execFileSync(process.execPath, args));
      least[file] = Math.min(least[file] ?? cpu, cpu);
    }
  }
  const [cpu = Number.NaN, inOneFile = Number.NaN] = [least[built], least[one]];
  const format = extension === "cjs" ? "CommonJS" : "ES modules";
  const times = [cpu, inOneFile].map((time) => time.toFixed(1));
  return [`\`${entry}\`, ${format}`, ...times, (cpu / inOneFile).toFixed(2)];
};

const oneFileRows: string[][] = [];
for (const entry of ["index", "v2"]) {
  for (const extension of ["js", "cjs"] as const) {
    oneFileRows.push(await besideOneFile(entry, extension));
  }
}

const stripe = over("stripe");
const rows = contenders.map(({ name, load }) => {
  const { packages: count, megabytes } = installed(folderOf(load));
  const relative = (over(name) / stripe).toFixed(2);
  return [name, over(name).toFixed(0), relative, `${count}`, megabytes];
});
const head = [
  "`import` of",
  "ms over a bare `node`",
  "relative to stripe",
  "packages installed",
  "MB installed",
];
for (const folder of folders.values()) rmSync(folder, { recursive: true });

const report = `Measured with Node ${process.version.slice(1)}, medians of ${ROUNDS} rounds in which the packages take turns.

${toTable([head, ...rows])}`;
console.log(report);
console.log(`
CPU time of an import in ms, the least of ${ONE_FILE_ROUNDS} rounds, beside the same code in one file:

${toTable([["import of", "CPU", "the same code in one file", "ratio"], ...oneFileRows])}`);
writeReport("performance.md", "cold-start", report);
