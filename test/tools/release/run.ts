// `npm run release:check`: checks everything that can be checked before a release. Prints a line for each check, with the reason
// for a failure.
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pages } from "../../docs/pages.ts";
import { installFixture } from "../../support/fixture.ts";
import { digestOfSrc } from "../write-report.ts";
import {
  changelogProblem,
  figuresProblem,
  identityProblem,
  licenseProblem,
  metadataProblem,
  type Problem,
  unpublishedProblem,
  versionProblem,
} from "./checks.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const manifest = JSON.parse(read("package.json"));
const { version } = manifest;

/** Runs a command. If it fails, the problem is the last lines of its output. */
const problemOf = (command: string, args: readonly string[], cwd = ROOT): Problem => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status === 0) return undefined;
  const lines = `${error ?? ""}${stdout ?? ""}${stderr ?? ""}`.trim().split("\n");
  return lines.slice(-15).join("\n    ");
};
const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();

const folder = mkdtempSync(join(tmpdir(), "release-"));
const tool = (path: string, ...args: readonly string[]): Problem => {
  const [tarball = ""] = globSync("*.tgz", { cwd: folder });
  const program = join(installFixture("tools"), "node_modules", path);
  return problemOf(process.execPath, [program, ...args, join(folder, tarball)]);
};

/** Compares the installed libphonenumber-js with the newest one in the registry. */
const phoneMetadata = (): Problem => {
  const args = ["view", "libphonenumber-js", "version"];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) return `npm view libphonenumber-js failed: ${stderr.trim()}`;
  const { version: installed } = JSON.parse(read("node_modules/libphonenumber-js/package.json"));
  return metadataProblem(installed, stdout.trim());
};

const checks: readonly (readonly [what: string, check: () => Problem])[] = [
  ["nothing is left uncommitted", () => git("status", "--porcelain") || undefined],
  [`${version} was not released before`, () => versionProblem(version, git("tag").split("\n"))],
  ["CHANGELOG.md describes it", () => changelogProblem(read("CHANGELOG.md"), version)],
  [
    "the figures of docs/performance.md are those of the present code",
    () => figuresProblem(read("docs/performance.md"), digestOfSrc()),
  ],
  ["package.json says whose package it is", () => identityProblem(manifest)],
  [
    "no page says that it is not published",
    () => unpublishedProblem(Object.fromEntries(pages.map((page) => [page, read(page)]))),
  ],
  [
    "LICENSE names the bundled packages",
    () => licenseProblem(read("LICENSE"), ["zod", "libphonenumber-js", "preact"]),
  ],
  ["the phone metadata is the newest", phoneMetadata],
  ["everything can be installed (npm ci)", () => problemOf("npm", ["ci"])],
  [
    "passes the checks and both rings of tests (npm run test:all)",
    () => problemOf("npm", ["run", "test:all"]),
  ],
  ["the docs build without a warning", () => problemOf("npm", ["run", "docs"])],
  ["the package can be packed", () => problemOf("npm", ["pack", ROOT, "--ignore-scripts"], folder)],
  ["publint --strict", () => tool("publint/src/cli.js", "--strict")],
  ["attw", () => tool("@arethetypeswrong/cli/dist/index.js")],
  [
    "npm would accept it (npm publish --dry-run)",
    () => problemOf("npm", ["publish", "--dry-run", "--ignore-scripts", "--tag", "next"]),
  ],
];

let failed = 0;
for (const [what, check] of checks) {
  const problem = check();
  console.log(`${problem === undefined ? "✓" : "✗"} ${what}`);
  if (problem === undefined) continue;
  console.log(`    ${problem}`);
  failed += 1;
}
rmSync(folder, { recursive: true });
console.log(failed === 0 ? `${version} can be released` : `${failed} of ${checks.length} failed`);
process.exitCode = failed === 0 ? 0 : 1;
